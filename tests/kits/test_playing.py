"""Bots made from kits pass the check, which has them play every game, in every tier."""

from functools import partial
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.bots.load import load
from bullring.arena.cells.building.build import built
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.kits.kit import Declared, kits
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.match.checking.check import check
from bullring.arena.match.checking.result import Result
from bullring.arena.settings.limits import Limits
from bullring.arena.settings.settings import Settings
from tests.kits import workshop
from tests.support.tiers import in_each

LIMITS = Limits.seconds(start=60.0, card=30.0, row=30.0, other=30.0, bank=60.0)
"""Generous: this is about faults, and the machine may be busy."""


def failures(folder: Path, tier: str, builds: Path) -> str:
    """The check's report of the steps in which the bot in a folder fails; empty if it passes."""

    async def run() -> list[Result]:
        async with open_sandbox(Wish(tier, allow_unsandboxed=True)) as sandbox:
            bot = Settings().admit(load(str(folder)))
            build = partial(built, sandbox=sandbox, builds=builds, limits=BuildLimits())
            return await check(bot, sandbox, LIMITS, build=build)

    wrong = [result for result in trio.run(run) if result.failed]
    return "\n".join(f"{one.title}: {one.found} {one.exit}\n{one.stderr}\n" for one in wrong)


@in_each(*(TIERS if workshop.ALL else ("bwrap",)))
@pytest.mark.parametrize(
    "declared", [pytest.param(each, marks=pytest.mark.xdist_group(name)) for name, each in kits().items()], ids=kits()
)
def test_a_bot_made_from_a_kit_passes_the_check(declared: Declared, tier: str, shared: Path) -> None:
    workshop.need(declared)
    wrong = failures(workshop.made(declared, shared), tier, shared / "builds")
    assert not wrong, wrong
