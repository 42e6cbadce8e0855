"""The sample bots play every game without a fault, and stand on their own."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
import trio

from bullring.arena.cells.bots.bot import MANIFEST
from bullring.arena.cells.bots.load import load
from bullring.arena.cells.building.build import built
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.match.play import Report, play_match
from bullring.arena.match.referee.spec import MatchSpec
from bullring.arena.match.seats.pool import open_pool
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from tests.sample_bots.in_process import FOLDER
from tests.support.games import DIFFERENT

pytestmark = pytest.mark.xdist_group("built")  # one process builds, and nobody waits for it

BOTS = sorted(path.parent for path in FOLDER.rglob(MANIFEST) if path.parent.name != "strong")
"""All but the one whose build takes a while; `test_compiled` plays it in `make slow`."""
IN_PROCESS = {"bayes", "beginner", "careful", "casual", "prior", "quick"}
"""Bots that `test_strength` plays in this process. As programs they are much alike: only `make slow` starts them in every game."""

LIMITS = Limits.seconds(start=30.0, card=0.02, row=0.02, other=0.02, bank=60.0)
OPTIONS = [
    ("online", {"tactics": True}),
    ("open", {"reset_marker": True}),
    ("hand", {"second_from_original_hand": True}),
    ("double", {"doublets": True}),
]


def can_run(folder: Path) -> bool:
    """Whether this machine has what the bot needs. Continuous integration must lack nothing."""
    needs = {"python": "python3", "javascript": "node", "cpp": "g++"}[folder.parent.name]
    return bool(shutil.which(needs) or os.environ.get("CI"))


def tables(folders: list[Path], seats: tuple[int, int]) -> list[list[Path]]:
    """Each bot at one of as few tables as there can be, all of one size; the last one is filled with bots of the first."""
    least, most = seats
    count = -(-len(folders) // most)
    size = max(least, -(-len(folders) // count))
    return [(folders[at * size :] + folders)[:size] for at in range(count)]


def at_one_table(folders: list[Path], game: Game[Any], builds: Path) -> list[Report]:
    """Two short matches of these bots, on the same processes; the second one in other seats."""

    async def play() -> list[Report]:
        reports = []
        async with open_sandbox(Wish(allow_unsandboxed=True)) as sandbox, open_pool(LIMITS, sandbox) as pool:
            bots = [await built(bot, sandbox, builds, BuildLimits()) for bot in map(load, map(str, folders))]
            for number in range(2):
                spec = MatchSpec(game, [bot.name for bot in bots], Seed.given(str(number)), LIMITS)
                reports.append(await play_match(pool, bots, spec, None))
                bots.reverse()
        return reports

    return trio.run(play)


def test_there_are_sample_bots() -> None:
    assert len(BOTS) >= 4


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *(pytest.param(name, {}, marks=() if name in DIFFERENT else pytest.mark.slow) for name in GAMES),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in OPTIONS),
    ],
    ids=[*GAMES, *(f"{name} {option}" for name, chosen in OPTIONS for option in chosen)],
)
def test_the_sample_bots_play_every_game_without_a_fault(name: str, options: dict[str, object], builds: Path) -> None:
    play([folder for folder in BOTS if folder.name not in IN_PROCESS], name, options, builds)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_other_python_bots_play_every_game_without_a_fault(name: str, builds: Path) -> None:
    play([folder for folder in BOTS if folder.name in IN_PROCESS], name, {}, builds)


def play(bots: list[Path], name: str, options: dict[str, object], builds: Path) -> None:
    kind = GAMES[name]
    if "deals" in {spec.name for spec in kind.option_specs}:
        options = {**options, "deals": 1}
    for folders in tables([bot for bot in bots if can_run(bot)], kind.seat_range):
        for report in at_one_table(folders, kind(len(folders), options), builds):
            assert report.result.void is None
            assert [fault for seat in report.result.seats for fault in seat.faults] == []


def test_a_bot_that_shares_files_plays_from_a_folder_that_has_them_all(builds: Path) -> None:
    """A cell shows nothing of the folders that links lead to."""
    sharing = [folder for folder in BOTS if any(path.is_symlink() for path in folder.iterdir())]

    async def folders() -> list[Path]:
        async with open_sandbox(Wish(allow_unsandboxed=True)) as sandbox:
            bots = [await built(load(str(folder)), sandbox, builds, BuildLimits()) for folder in sharing]
            return [bot.program.folder for bot in bots]

    assert sharing
    for folder, played in zip(sharing, trio.run(folders), strict=True):
        assert {path.name: path.read_bytes() for path in played.iterdir()} == {
            path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()
        }
        assert not any(path.is_symlink() for path in played.rglob("*"))


def test_no_sample_bot_needs_anything_of_the_arena() -> None:
    for source in FOLDER.rglob("*.py"):
        assert "import arena" not in source.read_text()
        assert "import protocol" not in source.read_text()
