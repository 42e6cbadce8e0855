"""Whether a bot counts plain time, from what it used of the processor and for how long others had it."""

import random
from collections.abc import Callable

from bullring.arena.cells.sandbox.account import Account
from bullring.arena.match.clock.plain_time import Pairs, Thought, counts_plain_time

MS = 1000

Bot = Callable[[random.Random, float], tuple[float, float]]
"""What a bot used, in ms, and what others had while it thought, where they take this share of its core."""


def plain(draw: random.Random, share: float) -> tuple[float, float]:
    return 100 * (1 - share), 100 * share


def steady(draw: random.Random, share: float) -> tuple[float, float]:
    return 100 + draw.random(), 100 * share / (1 - share)


def varied(draw: random.Random, share: float) -> tuple[float, float]:
    used = draw.expovariate(1 / 40)
    return used, used * share / (1 - share)


def by_chance(draw: random.Random, share: float) -> tuple[float, float]:
    return draw.expovariate(1 / 40), 100 * share


def sometimes_quick(draw: random.Random, share: float) -> tuple[float, float]:
    return (0.3, 30 * share) if draw.random() < 0.5 else (60, 60 * share / (1 - share))


HONEST: dict[str, Bot] = {
    "steady": steady,
    "varied": varied,
    "by chance": by_chance,
    "sometimes quick": sometimes_quick,
}


def counts(bot: Bot, seed: int, decisions: int = 2000) -> tuple[int, int, bool]:
    """The pairs of a bot, and whether they ever told that it counts plain time."""
    draw, pairs, signs, ever = random.Random(seed), Pairs(), [0, 0, 0], False
    for _ in range(decisions):
        used, others = bot(draw, draw.uniform(0.05, 0.9))
        signs[pairs.add("card", draw.randint(2, 10), round(used * MS), round(others * MS))] += 1
        ever |= counts_plain_time(signs[1], signs[-1])
    return signs[1], signs[-1], ever


def test_a_bot_that_counts_plain_time_is_found_within_some_hundred_decisions() -> None:
    shrank, grew, found = counts(plain, 1, 400)
    assert found
    assert shrank > 20 * grew


def test_no_other_bot_is_however_its_thinking_varies() -> None:
    for name, bot in HONEST.items():
        assert not any(counts(bot, seed)[2] for seed in range(20)), name
    assert counts(steady, 1)[:2] == (0, 0)


def test_whose_thinking_has_nothing_to_do_with_others_is_named_once_in_ten_thousand_at_most() -> None:
    draw = random.Random(1)
    found = 0
    for _ in range(2000):
        shrank = grew = 0
        for _ in range(300):
            less = draw.random() < 0.5
            shrank, grew = shrank + less, grew + (not less)
            if counts_plain_time(shrank, grew):
                found += 1
                break
    assert found <= 1


def test_what_others_have_before_a_bot_has_begun_shortens_no_thinking() -> None:
    thought = Thought()
    thought.clear(Account(0, used_us=500))
    thought.rest(2 * MS, Account(0, used_us=510))
    thought.run(60 * MS)
    thought.rest(110 * MS, Account(0, used_us=50_510))
    thought.run(140 * MS)
    assert thought.end(190 * MS, Account(0, used_us=100_500)) == (100_000, 32 * MS)
    thought.clear(Account(0, used_us=100_500))
    thought.rest(2 * MS, Account(0, used_us=101_900))
    thought.run(60 * MS)
    assert thought.end(110 * MS, Account(0, used_us=150_500)) == (50_000, 60 * MS)


def test_without_accounts_nothing_is_known() -> None:
    thought = Thought()
    thought.rest(2 * MS, None)
    thought.run(60 * MS)
    assert thought.end(110 * MS, Account(0, used_us=50_000)) is None
    thought.clear(None)
    assert thought.end(110 * MS, Account(0, used_us=50_000)) is None


def test_of_a_quick_answer_that_was_heard_late_it_is_not_known_who_had_the_core() -> None:
    thought = Thought()
    assert thought.end(2 * MS, None) == (2 * MS, 0)
    assert thought.end(15 * MS, None) is None
