"""The sample bots play every game without a fault, and stand on their own."""

import os
import shutil
from pathlib import Path

import pytest
import trio

from arena.bots.manifest import MANIFEST, load
from arena.clock import Limits
from arena.match import MatchSpec
from arena.rules.game import Game
from arena.rules.registry import GAMES
from arena.runner import Report, run_match
from arena.seats.pool import open_pool
from arena.seeds import Seed

FOLDER = Path(__file__).resolve().parent.parent.parent / "sample_bots"
BOTS = sorted(path.parent for path in FOLDER.rglob(MANIFEST))
LIMITS = Limits(start=30.0, card=0.1, row=0.1, bank=30.0)


def missing_interpreter(folder: Path) -> str | None:
    """A program that this machine lacks. Continuous integration must lack none."""
    program = "node" if folder.parent.name == "javascript" else "python3"
    return None if shutil.which(program) or os.environ.get("CI") else program


def table(folder: Path, game: Game[object]) -> list[Report]:  # type: ignore[type-var]
    """Two short matches of one bot against itself, on the same processes."""
    bots = [load(str(folder))] * game.seats

    async def play() -> list[Report]:
        reports = []
        async with open_pool(LIMITS) as pool:
            for number in range(2):
                spec = MatchSpec(game, [bot.name for bot in bots], Seed.given(str(number)), LIMITS)
                reports.append(await run_match(pool, bots, spec, None))
        return reports

    return trio.run(play)


def test_there_are_sample_bots() -> None:
    assert len(BOTS) >= 4


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("folder", BOTS, ids=lambda folder: folder.name)
def test_a_sample_bot_plays_every_game_without_a_fault(folder: Path, game: str) -> None:
    if program := missing_interpreter(folder):
        pytest.skip(f"there is no {program} on this machine")
    kind = GAMES[game]
    options = {"deals": 1} if "deals" in {spec.name for spec in kind.option_specs} else {}
    for report in table(folder, kind(max(2, kind.seat_range[0]), options)):
        assert report.result.void is None
        assert [fault for seat in report.result.seats for fault in seat.faults] == []


def test_the_python_client_is_the_same_in_all_folders() -> None:
    clients = {path.read_bytes() for path in FOLDER.rglob("bullring_bot.py")}
    assert len(clients) == 1


def test_no_sample_bot_needs_anything_of_the_arena() -> None:
    for source in FOLDER.rglob("*.py"):
        assert "import arena" not in source.read_text()
        assert "import protocol" not in source.read_text()
