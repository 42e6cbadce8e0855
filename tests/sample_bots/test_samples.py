"""The sample bots play every game without a fault, and stand on their own."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
import trio

from bullring.arena.bots.bot import MANIFEST
from bullring.arena.bots.loading import load
from bullring.arena.building.build import built
from bullring.arena.building.limits import BuildLimits
from bullring.arena.clock.limits import Limits
from bullring.arena.match import Report, play_match
from bullring.arena.referee.match import MatchSpec
from bullring.arena.rules.game import Game
from bullring.arena.rules.registry import GAMES
from bullring.arena.sandbox.opening import open_sandbox
from bullring.arena.sandbox.wish import Wish
from bullring.arena.seats.pool import open_pool
from bullring.arena.seeds import Seed
from tests.sample_bots.in_process import FOLDER

pytestmark = pytest.mark.xdist_group("built")  # one process builds, and nobody waits for it

BOTS = sorted(path.parent for path in FOLDER.rglob(MANIFEST) if path.parent.name != "strong")
"""All but the one whose build takes a while; `test_compiled` plays it in `make slow`."""
IN_PROCESS = {"bayes", "beginner", "careful", "casual", "prior", "quick"}
"""Bots that `test_strength` plays in this process. As programs they are much alike: only `make slow` starts them in every game."""
SHARED = {
    "playouts.py": "rows.py",
    **{name: name for name in ("eleven.py", "rows.py", "hand.py", "hidden.py", "tables.py")},
}
"""Files that bots have from greedy and montecarlo, and their names there."""
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
    [*((name, {}) for name in GAMES), *(pytest.param(*each, marks=pytest.mark.slow) for each in OPTIONS)],
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


def test_the_python_client_is_the_same_in_all_folders() -> None:
    clients = {path.read_bytes() for path in FOLDER.rglob("bullring_bot.py")}
    assert len(clients) == 1


@pytest.mark.parametrize("name", sorted(IN_PROCESS))
def test_a_python_bot_has_true_copies_of_what_it_has_from_others(name: str) -> None:
    """A copy of another bot's `bot.py` is named after that bot, and that of montecarlo's `rows.py` is `playouts.py`."""
    others = FOLDER / "python"
    for copy in (others / name).glob("*.py"):
        originals = [others / copy.stem / "bot.py"]
        if copy.name in SHARED:
            originals = [others / of / SHARED[copy.name] for of in ("greedy", "montecarlo")]
        texts = [original.read_bytes() for original in originals if original.exists()]
        assert not texts or copy.read_bytes() in texts


def test_no_sample_bot_needs_anything_of_the_arena() -> None:
    for source in FOLDER.rglob("*.py"):
        assert "import arena" not in source.read_text()
        assert "import protocol" not in source.read_text()
