"""Bots made from kits play alike: what the documents say of one is true of all."""

from pathlib import Path

import pytest
import trio

from bullring.arena.cells.bots.load import load
from bullring.arena.cells.building.build import built
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.kits.kit import Declared, kits
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.match.play import play_match
from bullring.arena.match.referee.spec import MatchSpec
from bullring.arena.match.seats.pool import open_pool
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from bullring.arena.settings.settings import Settings
from tests.kits import workshop
from tests.support.tiers import need

LIMITS = Limits.seconds(start=60.0, card=30.0, row=30.0, other=30.0, bank=60.0)

EXAMPLE = kits()["python"]


def scores(folder: Path, builds: Path) -> dict[str, list[int]]:
    """The scores of copies of a bot against each other in a match of each game, always with the same cards."""

    async def play() -> dict[str, list[int]]:
        found = {}
        async with open_sandbox(Wish("bwrap")) as sandbox, open_pool(LIMITS, sandbox) as pool:
            bot = await built(Settings().admit(load(str(folder))), sandbox, builds, BuildLimits())
            for name, kind in GAMES.items():
                options = {"deals": 1} if "deals" in {spec.name for spec in kind.option_specs} else {}
                game = kind(kind.seat_range[0], options)
                spec = MatchSpec(game, [bot.name] * game.seats, Seed.given("kits"), LIMITS)
                report = await play_match(pool, [bot] * game.seats, spec, None)
                assert (report.void, report.faults) == (None, []), report.logs
                found[name] = report.scores
        return found

    return trio.run(play)


@pytest.mark.skipif(not workshop.ALL, reason="`make kits` plays it")
@pytest.mark.parametrize(
    "declared", [pytest.param(each, marks=pytest.mark.xdist_group(name)) for name, each in kits().items()], ids=kits()
)
def test_a_kit_plays_like_the_python_kit(declared: Declared, shared: Path) -> None:
    workshop.need(declared)
    need("bwrap")
    builds = shared / "builds"
    assert scores(workshop.made(declared, shared), builds) == scores(workshop.made(EXAMPLE, shared), builds)
