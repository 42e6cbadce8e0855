"""Bots made from kits play every game in every tier, without a fault."""

from pathlib import Path

import pytest
import trio

from bullring.arena.bots.loading import load
from bullring.arena.building.build import built
from bullring.arena.building.limits import BuildLimits
from bullring.arena.clock.limits import Limits
from bullring.arena.kits.kit import Declared, kits
from bullring.arena.match import Report, play_match
from bullring.arena.referee.match import MatchSpec
from bullring.arena.rules.registry import GAMES
from bullring.arena.sandbox.opening import open_sandbox
from bullring.arena.sandbox.tiers import Tier
from bullring.arena.sandbox.wish import Wish
from bullring.arena.seats.pool import open_pool
from bullring.arena.seeds import Seed
from tests.kits import workshop
from tests.support.tiers import need

LIMITS = Limits.seconds(start=60.0, card=30.0, row=30.0, other=30.0, bank=60.0)
"""Generous: this is about faults, and the machine may be busy."""

TIERS = tuple(Tier) if workshop.ALL else (Tier.BWRAP,)


def play_all_games(folder: Path, tier: Tier, builds: Path) -> list[Report]:
    """A match of each game between two copies of a bot, all on the same processes."""

    async def play() -> list[Report]:
        reports = []
        async with open_sandbox(Wish(tier, allow_unsandboxed=True)) as sandbox, open_pool(LIMITS, sandbox) as pool:
            bot = await built(load(str(folder)), sandbox, builds, BuildLimits())
            for kind in GAMES.values():
                options = {"deals": 1} if "deals" in {spec.name for spec in kind.option_specs} else {}
                game = kind(kind.seat_range[0], options)
                spec = MatchSpec(game, [bot.name] * game.seats, Seed.given("kits"), LIMITS)
                reports.append(await play_match(pool, [bot] * game.seats, spec, None))
        return reports

    return trio.run(play)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    "declared", [pytest.param(each, marks=pytest.mark.xdist_group(name)) for name, each in kits().items()], ids=kits()
)
def test_a_bot_made_from_a_kit_plays_every_game_without_a_fault(
    declared: Declared, tier: Tier, bots: Path, request: pytest.FixtureRequest
) -> None:
    workshop.need(declared)
    if tier is Tier.DOCKER:
        request.getfixturevalue("docker")
    need(tier)
    bot = workshop.made(declared, bots)
    for report in play_all_games(bot, tier, bots / "builds"):
        assert report.void is None
        assert report.faults == [], f"{report.spec.game.id}: {report.logs}"
