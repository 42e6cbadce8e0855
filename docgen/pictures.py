"""Pictures of a table, drawn by the screens themselves from the record beside this file: of a match, and of one with a person."""

import asyncio
import io
import re
from pathlib import Path

from rich.console import Console

from bullring.arena.games.rules.stages import Falls
from bullring.arena.match.records.reader import read_lines
from bullring.arena.watching.display.tabletop import tabletop
from bullring.arena.watching.people.client import Table
from bullring.arena.watching.people.messages import News, Question
from bullring.arena.watching.people.sitting import Chair, Sitting
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.screens.pace import Pacing
from bullring.arena.watching.screens.shell import Shell
from bullring.arena.watching.screens.table.screen import Play

RECORD = Path(__file__).resolve().parent / "live-table.jsonl"
"""A match of the sample bots, written by `bullring match --record`."""

MIDDLE, ASKED = 28, 25
"""Entries after which the next row that falls is drawn, and entries after which a person is asked."""

WIDTH, WATCHED, PLAYED = 100, 30, 32
"""Columns of both pictures, and lines of each."""

NAME = "Ann"


def watched() -> str:
    """The table as `match --watch` draws it, as SVG."""
    reducer = Reducer()
    frames = [frame for entry in read_lines(RECORD).entries for frame in reducer.feed(entry)]
    frame = next(frame for frame in frames if frame.line > MIDDLE and isinstance(frame.step, Falls))
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(tabletop(frame, WIDTH, WATCHED))
    return _fontless(console.export_svg(title="bullring match --watch", unique_id="table"))


def played() -> str:
    """The table at which a person plays, as SVG."""
    return _fontless(asyncio.run(_screenshot()))


def _fontless(svg: str) -> str:
    """The picture without fonts from the web: every viewer has a monospaced one."""
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL).replace("Fira Code", "ui-monospace")


class _Shown(Table):
    """The record up to a question, with a person at the first seat."""

    def __init__(self) -> None:
        entries = list(read_lines(RECORD).entries[:ASKED])
        head = {**entries[0], "seats": [NAME, *entries[0]["seats"][1:]]}
        chairs = (Chair(NAME), *(Chair(bot=f"@{name}") for name in head["seats"][1:]))
        super().__init__(Sitting(chairs, game=head["game"], options=head["options"]))
        entries[0] = head
        reducer, opened = Reducer(), Reducer(opened=True)
        frames = [frame for entry in entries for frame in reducer.feed(entry)]
        for entry in entries:
            opened.feed(entry)
        frames += reducer.thinking([0])  # the others have answered
        view = opened.replay.game.view(opened.replay.state, 0)
        message = {"id": 1, "kind": "card", "options": list(view["hand"]), "view": view}
        self._coming: list[News] = [*frames, Question(0, message, None)]

    async def __aenter__(self) -> "_Shown":
        return self

    async def __anext__(self) -> News:
        if not self._coming:
            await asyncio.Event().wait()
        return self._coming.pop(0)

    async def leave(self) -> None:
        """Do nothing: no match was played."""


class _Still(Pacing):
    """No time passes, so the picture is the same on every machine."""

    def waited(self, now: float) -> float:
        return 0.0


class _Picture(Shell):
    def __init__(self) -> None:
        super().__init__()
        self.play = Play(_Shown(), pace=0.0)
        self.play.deciding.pacing = _Still(0.0)

    def on_mount(self) -> None:
        self.push_screen(self.play)


async def _screenshot() -> str:
    app = _Picture()
    async with app.run_test(size=(WIDTH, PLAYED)) as pilot:
        while app.play.deciding.question is None:
            await pilot.pause(0.01)
        await pilot.press(*["right"] * 3)
        await pilot.pause()
        return app.export_screenshot(title="bullring play Ann")
