"""Stepping through a match with keys and clicks."""

import sys
from collections.abc import Awaitable, Callable
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Static

import bullring
from bullring.arena.cells.processes.kinds import Kind
from bullring.arena.games.playouts import simulated
from bullring.arena.games.rules.stages import Took
from bullring.arena.match.records.reader import read_lines
from bullring.arena.study.analysis import analyser
from bullring.arena.study.analysis.analyser import analyse
from bullring.arena.study.analysis.kept import beside, keep, kept
from bullring.arena.study.analysis.result import Analysis, Method
from bullring.arena.watching.picture.steps import Ended
from bullring.arena.watching.screens.branching import WhatIf
from bullring.arena.watching.screens.replay import BranchReplay, Replay, ReplayApp
from bullring.arena.watching.screens.replay_dialogs import Jump, Summary
from bullring.arena.watching.screens.shell import Keys, TableView
from bullring.arena.watching.screens.steps_bar import StepsBar
from bullring.errors import RecordError
from tests.arena.watching.screens.showing import run, text_of, until
from tests.support.command import BULLRING, here
from tests.support.coroutines import Test, made
from tests.support.terminal import terminal


def highest(message: dict[str, Any]) -> Any:
    return message["options"][-1]


@pytest.fixture(name="record", scope="module")
def _record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("replay") / "match.jsonl"
    bullring.play(
        highest, highest, highest, options={"deals": 2}, seed="replay", names=["ann", "bob", "eve"], record=path
    )
    return path


@pytest.fixture(name="analysis", scope="module")
def _analysis(record: Path) -> Analysis:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulated, "COMPILED", False)
        patch.setattr(analyser, "DEALS", 2)
        found = analyse(read_lines(record), Method(policy="cheapest", error=100.0, playouts=2))
    judged = [choice.model_copy(update={"cost": 0.0, "cost_error": 0.0}) for choice in found.choices]
    judged[4] = judged[4].model_copy(update={"cost": 5.0, "best": 0})
    return found.model_copy(update={"choices": tuple(judged)})


Steps = Callable[[Replay, Pilot[int]], Awaitable[None]]


def stepping(record: Path, steps: Steps, size: tuple[int, int] = (100, 30)) -> None:
    """Run the screen on a record that was read to its end, and do something with it."""

    async def begin(app: ReplayApp, pilot: Pilot[int]) -> None:
        screen = app.screen
        assert isinstance(screen, Replay)
        await until(lambda: bool(screen.stepper.frames))
        await steps(screen, pilot)

    run(ReplayApp(record, beside(record)), begin, size)


def stepped(*size: tuple[int, int]) -> Callable[[Test], Any]:
    """Make a test of a coroutine, which gets the screen on a record."""
    return lambda test: made(test, (Replay, Pilot[int]), lambda steps, record: stepping(record, steps, *size), "record")


@stepped()
async def test_keys_move_through_the_match(screen: Replay, pilot: Pilot[int]) -> None:
    stepper = screen.stepper
    first = stepper.at
    assert "deal 1 of 2  turn 1" in text_of(screen)  # it begins where the first cards lie
    await pilot.press("right", "right", "left")
    assert stepper.at == first + 1
    await pilot.press("down", "down")
    assert stepper.place == "d1t3"
    await pilot.press("up", "pagedown")
    assert stepper.place == "d2t1"
    await pilot.press("home", "t")
    assert isinstance(stepper.frame.step, Took)
    await pilot.press("end")
    assert isinstance(stepper.frame.step, Ended)
    assert "wins" in text_of(screen)
    await pilot.press("t")
    assert "no row is taken after this" in text_of(screen)


@stepped()
async def test_a_place_can_be_typed(screen: Replay, pilot: Pilot[int]) -> None:
    await pilot.press("g", *"d9", "enter")
    assert isinstance(pilot.app.screen, Jump)
    await pilot.press(*["backspace"] * 2, *"d2t7", "enter")
    await until(lambda: pilot.app.screen is screen)
    assert screen.stepper.place == "d2t7"
    assert "deal 2 of 2  turn 7" in text_of(screen)


@stepped()
async def test_hands_are_shown_on_demand(screen: Replay, pilot: Pilot[int]) -> None:
    await pilot.press("right", "right")
    hidden = text_of(screen)
    await pilot.press("h")
    shown = text_of(screen)
    assert "open hands" in shown
    assert "open hands" not in hidden
    await pilot.press("h")
    assert text_of(screen) == hidden


@stepped()
async def test_it_plays_by_itself_to_the_end(screen: Replay, pilot: Pilot[int]) -> None:
    screen.stepper.pace = 0.0
    await pilot.press("space")
    await until(lambda: isinstance(screen.stepper.frame.step, Ended) and not screen.stepper.playing)
    await pilot.press("minus")
    assert screen.stepper.pace > 0


@stepped()
async def test_a_click_on_the_bar_and_on_the_history_goes_there(screen: Replay, pilot: Pilot[int]) -> None:
    last = len(screen.stepper.frames) - 1
    await pilot.click(StepsBar, offset=(99 - 15, 0))
    assert last * 0.8 < screen.stepper.at <= last
    await pilot.press("end")
    await pilot.pause()
    lines = text_of(screen).splitlines()
    row = max(number for number, line in enumerate(lines) if "takes row" in line)
    await pilot.click(offset=(4, row))
    assert isinstance(screen.stepper.frame.step, Took)


def test_what_was_costly_is_shown(record: Path, analysis: Analysis) -> None:
    place = beside(record)
    keep(place, analysis)
    costly = analysis.choices[4]

    async def steps(screen: Replay, pilot: Pilot[int]) -> None:
        await pilot.press("m")
        assert (screen.stepper.frame.line, screen.stepper.seat) == (costly.line, costly.seat)
        shown = text_of(screen)
        assert f"costs 5.0 ± {costly.cost_error:.1f} heads; better: plays {costly.options[0]}" in shown
        assert "best" in shown
        await pilot.press("m")
        assert "no mistake after this" in text_of(screen)
        await pilot.press("tab")
        assert screen.stepper.seat != costly.seat
        await pilot.press("s")
        assert isinstance(pilot.app.screen, Summary)
        await pilot.press("s")
        await pilot.press("shift+tab")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert f"heads; better: plays {costly.options[0]}" in text_of(screen)  # in words: no history takes the room
        await pilot.resize_terminal(160, 50)
        await pilot.pause()
        lines = [line for line in text_of(screen).splitlines() if "deal 1" in line]
        assert lines[-1].index("deal 1") > 80  # the history is beside
        assert "better" in text_of(screen)

    try:
        stepping(record, steps)
    finally:
        place.unlink()


@stepped()
async def test_an_analysis_is_made_apart_and_can_be_broken_off(
    screen: Replay, pilot: Pilot[int], analysis: Analysis, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The program that analyses is one that does as it is told here."""
    program = tmp_path / "apart.py"
    monkeypatch.setattr(Kind, "command", lambda *_: [sys.executable, str(program)])
    begins = """
import sys
from bullring.arena.cells.processes.frames import tell
tell(1, "facts", {"decisions": 60, "slow": "slower"})
tell(1, "facts", {"done": 7})
"""
    await pilot.press("m")
    assert "press a to find out" in text_of(screen)
    program.write_text(begins + "sys.stdin.read()\n")
    await pilot.press("a")
    await until(lambda: "7 of 60 decisions" in text_of(screen))
    assert "slower" in text_of(screen)
    await pilot.press("down", "down")  # one goes on stepping meanwhile
    assert screen.stepper.place == "d1t3"
    await pilot.press("a")
    assert "broken off" in text_of(screen)
    assert screen.making is None
    program.write_text(begins + 'tell(1, "facts", {"error": "no \\x1b deal"})\n')
    await pilot.press("a")
    await until(lambda: "there is no analysis: no \\x1b deal" in text_of(screen))
    facts = {"analysis": analysis.model_dump(mode="json"), "unkept": None}
    program.write_text(f"{begins}tell(1, 'facts', {facts!r})\n")
    await pilot.press("a")
    await until(lambda: screen.analysis == analysis)
    await pilot.press("m")
    assert "costs 5.0" in text_of(screen)


@stepped()
async def test_what_if_another_card_had_been_played(
    screen: Replay, pilot: Pilot[int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The program that plays on is one that does as it is told here."""
    program = tmp_path / "on.py"
    monkeypatch.setattr(Kind, "command", lambda *_: [sys.executable, str(program)])
    heads = [9.0, 4.0, *[7.0] * 7, 8.0]
    facts = {"heads": heads, "errors": [0.5] * 10, "count": 100}
    program.write_text(
        f"from bullring.arena.cells.processes.frames import tell\ntell(1, 'facts', {facts!r})\nimport sys\nsys.stdin.read()\n"
    )
    await pilot.press("home", "down", "right", "right", "b")
    asked = pilot.app.screen
    assert isinstance(asked, WhatIf)
    await until(lambda: "on 100 times" in text_of(asked))
    assert text_of(asked).count("Esc back") == 1
    assert "→ step" not in text_of(asked)  # the only keys are those of the question
    assert "played" in text_of(asked)
    assert asked.cursor == 1  # the best one
    assert "so its numbers differ" in " ".join(text_of(asked).replace("│", "").split())
    assert "+4.0 ± 0.5" in text_of(asked)
    assert "▸" in text_of(asked)
    await pilot.press("down", "up", "right")
    assert asked.seat == 1
    await pilot.press("left")
    await until(lambda: asked.cursor == 1)
    await pilot.press("enter")
    await until(lambda: isinstance(pilot.app.screen, BranchReplay))
    branch: Any = pilot.app.screen
    await until(lambda: bool(branch.stepper.frames))
    assert branch.stepper.place == "d1t1"
    assert "what if: ann plays" in text_of(branch)
    await pilot.press("a", "b", "end")
    assert pilot.app.screen == branch
    assert f"ann takes {branch.branch.heads} in this deal here; in the match it was" in text_of(branch)
    assert branch.stepper.frame.picture.deal == 1
    await pilot.press("escape")
    await until(lambda: pilot.app.screen is screen)


@stepped()
async def test_what_if_hides_nothing_of_the_table(screen: Replay, pilot: Pilot[int]) -> None:
    for size in ((80, 24), (100, 30), (120, 40), (200, 60)):
        await pilot.resize_terminal(*size)
        await pilot.press("b")
        await until(lambda: isinstance(pilot.app.screen, WhatIf))
        await pilot.pause()
        table, asked = screen.query_one(TableView).region, pilot.app.screen.query_one(Static).region
        assert asked.area > 0
        assert not table.overlaps(asked), size
        await pilot.press("escape")
        await until(lambda: pilot.app.screen is screen)


@stepped()
async def test_what_if_may_be_played_on_by_the_bots_of_the_match(
    screen: Replay, pilot: Pilot[int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The programs that play on are ones that do as they are told here."""
    record, program = read_lines(screen.record), tmp_path / "on.py"
    first_deal = takewhile(lambda entry: "deal" not in entry, record.entries[2:])
    entries = [{"answers": entry["answers"], "us": entry["us"]} for entry in first_deal]
    by_house = {"heads": [float(at) for at in range(10)], "errors": [0.5] * 10, "count": 100}
    told = {"count": 1, "going": 5, "total": 60, "played": {"2": [entries, 17]}}
    by_bots = {"heads": [3.0, 5.0, 1.0, 4.0, 6.0], "errors": [], **told}
    program.write_text(
        "import json, sys\nfrom bullring.arena.cells.processes.frames import tell\n"
        f"tell(1, 'facts', {by_bots!r} if len(sys.argv) > 4 else {by_house!r})\nsys.stdin.read()\n"
    )
    monkeypatch.setattr(Kind, "command", lambda _, *given: [sys.executable, str(program), *given])
    screen._party = lambda: "the bots"
    await pilot.press("home", "b")
    asked = pilot.app.screen
    assert isinstance(asked, WhatIf)
    await pilot.press("r")  # perhaps before the house has its numbers
    await until(lambda: asked.count == 1)
    assert "playing on: 5 of 60" in text_of(asked)
    assert asked.cursor == 2  # the best one by the bots
    await pilot.press("down", "enter")
    assert pilot.app.screen is asked  # of this one no playout is over
    await pilot.press("up", "enter")
    await until(lambda: isinstance(pilot.app.screen, BranchReplay))
    branch: Any = pilot.app.screen
    assert branch.branch.heads == 17
    await pilot.press("escape")


@stepped()
async def test_what_if_says_that_the_bots_are_not_known(screen: Replay, pilot: Pilot[int]) -> None:
    def unknown() -> Any:
        raise RecordError("nobody knows these bots")

    screen._party = unknown
    await pilot.press("home", "b")
    asked = pilot.app.screen
    assert isinstance(asked, WhatIf)
    await until(lambda: asked.count > 0)
    await pilot.press("r")
    assert "nobody knows these bots" in text_of(asked)
    await pilot.press("r")
    await until(lambda: asked.count > 0)  # the house again


@stepped()
async def test_what_if_asks_about_the_turn_that_is_shown(screen: Replay, pilot: Pilot[int]) -> None:
    for keys, turn in (
        (["home"], "Deal 1, turn 1"),
        (["down"] * 5, "Deal 1, turn 5"),
        (["right"] * 4, "Deal 1, turn 5"),
    ):
        await pilot.press(*keys, "b")
        assert turn in text_of(pilot.app.screen)
        await pilot.press("escape")
    assert screen.stepper.place == "d1t5"
    await pilot.press("pagedown", "b")
    assert "Deal 2, turn 1" in text_of(pilot.app.screen)
    await pilot.press("escape", "end", "b")
    assert "Deal 2, turn 10" in text_of(pilot.app.screen)


def test_a_match_that_goes_on_is_followed_and_keeps_its_hands(record: Path, tmp_path: Path) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    growing = tmp_path / "growing.jsonl"
    growing.write_bytes(b"".join(lines[:5]) + lines[5][:10])

    async def steps(screen: Replay, pilot: Pilot[int]) -> None:
        await pilot.press("end", "h")
        shown = text_of(screen)
        assert "the hands are secret until the match is over" in shown
        assert "open hands" not in shown
        assert all(seat.hand is None for frame in screen.stepper.frames for seat in frame.picture.seats)
        await pilot.press("a")
        assert "can be analysed when it is over" in text_of(screen)
        before = len(screen.stepper.frames)
        with growing.open("ab") as file:
            file.write(lines[5][10:] + b"".join(lines[6:]))
        await until(lambda: screen.feed.finished)
        assert len(screen.stepper.frames) > before
        await pilot.press("h")
        assert "open hands" in text_of(screen)

    stepping(growing, steps)


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_a_record_that_is_taken_away_ends_where_it_is(how: str, record: Path, tmp_path: Path) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    growing = tmp_path / "growing.jsonl"
    growing.write_bytes(b"".join(lines[:8]))

    async def steps(screen: Replay, pilot: Pilot[int]) -> None:
        growing.unlink()
        if how == "replaced":
            growing.write_bytes(lines[0])
        await until(lambda: "the record was taken away" in text_of(screen))
        await pilot.press("down", "down")
        assert screen.stepper.place == "d1t3"

    stepping(growing, steps)


def test_a_damaged_record_is_shown_as_far_as_it_goes(record: Path, tmp_path: Path) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(b"".join(lines[:8]) + b'{"x":1}\n' + b"".join(lines[9:]))

    async def steps(screen: Replay, pilot: Pilot[int]) -> None:
        assert "the record is damaged" in text_of(screen)
        await pilot.press("down", "h")
        assert "secret" in text_of(screen)

    stepping(damaged, steps)


def test_the_analysis_of_a_finished_match_is_kept(
    record: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As the program does it, but in this process."""
    from bullring.arena.study.analysis import estimate, process

    told: list[dict[str, Any]] = []
    monkeypatch.setattr(simulated, "COMPILED", False)
    monkeypatch.setattr(estimate, "FIRST_ROUND", 2)
    monkeypatch.setattr(analyser, "DEALS", 2)
    monkeypatch.setattr(
        process, "Method", lambda: Method(policy="cheapest", error=100.0, playouts=2, engine_playouts=2)
    )
    place = tmp_path / "kept.json"
    process._analyse(record, place, lambda **facts: told.append(facts))
    found = kept(place, read_lines(record).seal or "")
    assert found is not None
    assert told[0] == {"decisions": len(found.choices), "slow": process.SLOW}
    assert told[-1] == {"analysis": found.model_dump(mode="json"), "unkept": None}


@stepped((60, 15))
async def test_keys_that_come_at_once_close_a_list_once(screen: Replay, pilot: Pilot[int]) -> None:
    await pilot.press("question_mark")
    listed = pilot.app.screen
    assert isinstance(listed, Keys)
    assert "row taken" in text_of(listed)
    listed.post_message(events.Key("x", "x"))
    listed.post_message(events.Key("x", "x"))
    await until(lambda: pilot.app.screen is screen)
    await pilot.press("t")
    assert isinstance(screen.stepper.frame.step, Took)


def test_in_a_terminal(record: Path) -> None:
    with terminal(str(BULLRING), "replay", str(record), columns=100, lines=30) as seen:
        seen.until("deal 1 of 2")
        seen.press("\x1b[B\x1b[B")
        seen.until("d1t3")
        seen.resize(60, 15)
        seen.until(lambda text: all(word in text for word in ("d1t3", "ann", "bob", "eve", "keys")))
        seen.press("\x1b[F")
        seen.until("wins")
        seen.press("h")
        seen.press("q")
        assert seen.wait() == 0


def test_where_no_full_screen_can_be_drawn_the_text_is_printed(record: Path) -> None:
    told = here("replay", str(record)).stdout
    with terminal(str(BULLRING), "replay", str(record), lines=400, env={"TERM": "dumb"}) as seen:
        assert seen.wait() == 0
        assert "turn 10" in seen.text
    assert here("replay", str(record), "--plain").stdout == told
