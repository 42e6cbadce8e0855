"""An exported policy is a bot like any other: it passes the check, is submitted and plays, in each game at tables of each size."""

from contextlib import closing
from pathlib import Path

import pytest
import trio

import bullring
from bullring.arena.cells.bots.load import load
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.registry import GAMES, find
from bullring.arena.match.checking.check import check
from bullring.arena.settings.limits import Limits
from bullring.arena.settings.settings import Settings
from bullring.ladder.run.plan import rated_options
from bullring.ladder.store.home import Home
from bullring.ladder.submit.trial import trial
from bullring.train.make_bot import make_bot
from bullring.train.policy.network import Policy
from bullring.train.policy.playing import PolicyPlayer
from tests.support.command import here
from tests.train.test_policies import a_greedy_one, a_random_one

NONE = Wish(tier="none", allow_unsandboxed=True)
LIMITS = Limits.seconds(start=120, card=60, row=60, other=60)

TABLES = [(game, seats) for game, kind in GAMES.items() for seats in range(kind.seat_range[0], kind.seat_range[1] + 1)]
QUICK = [("standard", 2), ("hand", 3), ("eleven", 7)]
"""What differs most: one decision of one number; several, of several numbers and words; a game without rows."""


def tables(*quick: tuple[str, int]) -> pytest.MarkDecorator:
    """All tables, of which only the `quick` ones are tried in `make test`."""
    marked = [pytest.param(*table, marks=() if table in quick else pytest.mark.slow) for table in TABLES]
    return pytest.mark.parametrize(("game", "seats"), marked)


def _exported(policy: Policy, folder: Path) -> Path:
    policy.save(folder / "policy.npz")
    make_bot(folder / "policy.npz", folder / "bot")
    return folder / "bot"


async def _wrong(bot: Path, game: str, seats: int) -> list[str]:
    """Whatever is wrong with a bot in a game with this number of seats."""
    settings = Settings(limits=LIMITS)
    admitted = settings.admit(load(str(bot)))
    kind = find(game)
    async with open_sandbox(NONE) as sandbox:
        results = await check(admitted, sandbox, LIMITS, [kind])
        fault = await trial(admitted, kind(seats, rated_options(kind, {})), settings, sandbox)
    return [f"{one.title}: {one.found}" for one in results if one.failed] + ([str(fault)] if fault else [])


@tables(*QUICK)
def test_one_that_reads_observations_is_checked_and_plays(game: str, seats: int, tmp_path: Path) -> None:
    bot = _exported(a_random_one(game, seats), tmp_path)
    wrong = trio.run(_wrong, bot, game, seats)
    assert not wrong, "\n".join(wrong)


@tables(QUICK[0])
def test_one_that_reads_cards_is_checked_and_plays(game: str, seats: int, tmp_path: Path) -> None:
    bot = _exported(a_greedy_one(), tmp_path)
    wrong = trio.run(_wrong, bot, game, seats)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_what_it_was_not_made_for_is_answered_by_the_first_option(game: str, seats: int) -> None:
    message = {"kind": "barter", "view": {"seat": 0}, "options": [[3, 104], -1]}
    for policy in (a_greedy_one(), a_random_one(game, seats)):
        player = PolicyPlayer(policy)
        player.welcome({"game": game, "seats": seats, "options": bullring.new_game(game, seats).options})
        assert player.decide(message) == [3, 104]


def test_both_kinds_are_rated(tmp_path: Path) -> None:
    home = Home.create(tmp_path / "home", ("60s", "start=120s"))
    for name, policy in {"observation": a_random_one("standard", 2), "cards": a_greedy_one()}.items():
        (tmp_path / name).mkdir()
        bot = _exported(policy, tmp_path / name)
        done = here("ladder", "add", str(bot), "--name", name, "--home", str(home.path))
        assert done.exit_code == 0, done.output
    run = here("ladder", "run", "--seats", "2", "--matches", "2", "--jobs", "1", "--home", str(home.path))
    assert run.exit_code == 0, run.output
    with closing(home.store(read_only=True)) as store:
        records = [home.record(match.id).read_text() for match in store.matches()]
    assert len(records) == 2
    assert [line for record in records for line in record.splitlines() if '{"fault":' in line] == []
