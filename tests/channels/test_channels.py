"""What a bot reads does not tell what a bot in another cell does, but for what is named."""

import random
from functools import partial

import pytest
import trio

from tests.channels.comparison import FIRST, SECOND, Channel, Trials, channels, compare
from tests.channels.named import is_planted, unnamed
from tests.support.tiers import CONFINING, in_each, lacks


def found_in(tier: str, *, apart: bool) -> list[Channel]:
    return trio.run(partial(compare, tier, 26, apart=apart, step=lambda _: None))


@in_each(*CONFINING, slow=("docker", "landlock"))
def test_cells_tell_each_other_only_what_is_named(tier: str) -> None:
    """All deeds of the sender together."""
    found = found_in(tier, apart=False)
    assert any(map(is_planted, found))
    assert not unnamed(tier, found)


@pytest.mark.slow
@in_each(*CONFINING)
def test_each_deed_tells_only_what_is_named(tier: str) -> None:
    found = found_in(tier, apart=True)
    assert any(map(is_planted, found))
    assert not unnamed(tier, found)


@pytest.mark.slow
def test_where_nothing_confines_bots_it_finds_channels_that_the_tiers_close() -> None:
    if reason := lacks("none"):
        pytest.skip(reason)
    found = found_in("none", apart=False)
    assert any("/proc/" in each for each in unnamed("bwrap", found)), found


def trials(rng: random.Random, count: int, share: float) -> Trials:
    """A reading that tells the coin with this probability, and many that do not."""
    made = Trials()
    for _ in range(count):
        coin = rng.random() < 0.5
        told = coin if rng.random() < share else not coin
        made.coins.append(coin)
        made.changes.append({"told": told, **{f"noise {at}": rng.gauss() for at in range(500)}})
    return made


@pytest.mark.parametrize("seed", range(5))
def test_noise_is_no_channel_and_a_channel_need_not_be_clean(seed: int) -> None:
    rng = random.Random(seed)
    found = channels("", trials(rng, 16, 0.97), trials(rng, 64, 0.97), 0.0)
    assert [channel.reading for channel in found] == ["told"]


@pytest.mark.parametrize("seed", range(5))
def test_a_clean_channel_is_found_in_few_trials(seed: int) -> None:
    rng = random.Random(seed)
    found = channels("", trials(rng, FIRST, 1.0), trials(rng, SECOND, 1.0), 0.0)
    assert [(channel.reading, channel.right) for channel in found] == [("told", SECOND)]
