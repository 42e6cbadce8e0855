"""The full screens: start page, table, result and replay, with the keys that each lists."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

import bullring
from bullring.arena.games.playouts import simulated
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.match.records.reader import read_lines
from bullring.arena.study.analysis import analyser
from bullring.arena.study.analysis.analyser import analyse
from bullring.arena.study.analysis.kept import beside, keep
from bullring.arena.study.analysis.result import Method
from bullring.arena.watching.people.history import facts_of
from bullring.arena.watching.people.how import How
from bullring.arena.watching.people.invitation import Remembered
from bullring.arena.watching.people.opponents import built_in
from bullring.arena.watching.people.sitting import Chair, Sitting
from bullring.arena.watching.people.unfinished import Left
from bullring.arena.watching.screens.person import Statistics
from bullring.arena.watching.screens.replay import Replay, ReplayApp
from bullring.arena.watching.screens.result import Result
from bullring.arena.watching.screens.start import Start
from bullring.arena.watching.screens.start_choices import Choosing
from bullring.arena.watching.screens.table.screen import Play
from tests.arena.watching.screens.fake_table import FakeTable
from tests.arena.watching.screens.showing import run, show, text_of, until
from tests.arena.watching.screens.test_person import played
from tests.arena.watching.screens.test_play import CALM, Advised
from tests.languages.catalogue import Check
from tests.languages.test_tables import NAMES
from tests.support.games import DIFFERENT

SIZES = ((80, 24), (120, 40))

PROGRAMS = tuple(one.name for one in built_in())
"""Names that programs have in every language."""

LANGUAGE_NAMES = ("English", "Deutsch", *{one.language for one in built_in()})
"""Names of languages, as those who speak them say."""

RULES = "bullring rules"
"""A command, the same in every language."""


def sitting(game: str) -> Sitting:
    """A person and programs whose names are in no alphabet of ours."""
    seats = max(3, GAMES[game].seat_range[0])
    chairs = (Chair(NAMES[0]), *(Chair(name, "@greedy") for name in NAMES[1:seats]))
    return Sitting(chairs, game=game)


async def keyed(screen: Screen[Any], pilot: Pilot[int], whole: Check, keys: Sequence[str], *names: str) -> None:
    """Look at a screen after each of these keys, and at the list of its keys."""
    for key in ("", *keys, "question_mark", "escape"):
        if key:
            await pilot.press(key)
        await pilot.pause()
        whole(text_of(screen.app.screen), *names)


@pytest.mark.parametrize("size", SIZES)
def test_the_start_page(size: tuple[int, int], whole: Check) -> None:
    left = Left(Path("7.jsonl"), sitting("eleven"), "2026-11-26T14:05:00Z")

    async def steps(start: Start, pilot: Pilot[int]) -> None:
        await keyed(
            start, pilot, whole, ["tab", "right", *["down", "right"] * 8], *PROGRAMS, *LANGUAGE_NAMES, *GAMES, RULES
        )

    def page() -> Start:
        bots = [one if at else replace(one, tool="") for at, one in enumerate(built_in())]
        return Start(Choosing(bots, Remembered.of(sitting("online"), How()), (left,)))

    show(page, steps, size)


@pytest.mark.parametrize(
    ("game", "size"),
    [
        pytest.param(game, SIZES[at % len(SIZES)], marks=() if game in DIFFERENT else pytest.mark.slow)
        for at, game in enumerate(GAMES)
    ],
)
def test_the_table(game: str, size: tuple[int, int], whole: Check) -> None:
    async def steps(play: Play, pilot: Pilot[int]) -> None:
        await until(lambda: play.deciding.choice is not None)
        await keyed(play, pilot, whole, ["enter", "right", "enter", "i", "f"], "@oracle")

    table: Any = FakeTable(sitting(game))
    table.seconds = 30.0
    show(lambda: Play(table, hint=True, teach=True, pace=0.0, adviser=Advised(), clock=CALM), steps, size)  # type: ignore[arg-type]  # it is a fake


def last(message: dict[str, Any]) -> Any:
    return message["options"][-1]


@pytest.fixture(name="record", scope="module")
def _record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match with its analysis."""
    record = tmp_path_factory.mktemp("0") / "0.jsonl"
    bullring.play(last, last, last, game="standard", options={"deals": 2}, seed="0", names=[*NAMES[:3]], record=record)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulated, "COMPILED", False)
        patch.setattr(analyser, "DEALS", 2)
        found = analyse(read_lines(record), Method(policy="cheapest", error=100.0, playouts=2))
    keep(beside(record), found)
    return record


@pytest.mark.parametrize("size", SIZES)
def test_the_result(size: tuple[int, int], record: Path, whole: Check) -> None:
    async def steps(screen: Result, pilot: Pilot[int]) -> None:
        await keyed(screen, pilot, whole, ["right", "right", "down"], f"bullring replay {record}", "cheapest")

    show(lambda: Result({**facts_of(record), "people": [0]}), steps, size)


@pytest.mark.parametrize("size", SIZES)
def test_the_replay(size: tuple[int, int], record: Path, whole: Check) -> None:
    async def steps(app: ReplayApp, pilot: Pilot[int]) -> None:
        screen = app.screen
        assert isinstance(screen, Replay)
        await until(lambda: bool(screen.stepper.frames))
        keys = ["right", "m", "t", "h", "M", "T", "s", "escape", "g", "9", "enter", "escape", "a", "end", "m", "t"]
        await keyed(screen, pilot, whole, keys, "cheapest")

    run(ReplayApp(record, beside(record)), steps, size)


@pytest.mark.parametrize("size", [SIZES[0], pytest.param(SIZES[1], marks=pytest.mark.slow)])
def test_the_statistics(size: tuple[int, int], tmp_path: Path, whole: Check) -> None:
    async def steps(app: Statistics, pilot: Pilot[int]) -> None:
        await keyed(app.screen, pilot, whole, ["down", "right", "pagedown"])

    run(Statistics(played(tmp_path, 12, people=(0, 1), names=[*NAMES[:4]])), steps, size)
