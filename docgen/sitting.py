"""The picture of the table at which a person plays, drawn by the screen itself from the record beside this file."""

import asyncio
import re

from bullring.arena.match.records.reader import read_lines
from bullring.arena.watching.people.client import Table
from bullring.arena.watching.people.news import News, Question
from bullring.arena.watching.people.sitting import Chair, Sitting
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.screens.pace import Pacing
from bullring.arena.watching.screens.shell import Shell
from bullring.arena.watching.screens.table.screen import Play
from docgen.picture import RECORD

NAME = "Ann"
ENTRIES = 25
"""Number of entries after which a card is asked for."""
WIDTH, HEIGHT = 100, 32


class _Shown(Table):
    """The record up to a question, with a person at the first seat."""

    def __init__(self) -> None:
        entries = list(read_lines(RECORD).entries[:ENTRIES])
        head = {**entries[0], "seats": [NAME, *entries[0]["seats"][1:]]}
        chairs = (Chair(NAME), *(Chair(bot=f"@{name}") for name in head["seats"][1:]))
        super().__init__(Sitting(chairs, game=head["game"], options=head["options"]))
        entries[0] = head
        reducer, opened = Reducer(), Reducer(opened=True)
        frames = [frame for entry in entries for frame in reducer.feed(entry)]
        for entry in entries:
            opened.feed(entry)
        frames += reducer.thinking([0])  # the others have answered
        hand = list(opened.picture.seats[0].hand or ())
        message = {"id": 1, "kind": "card", "options": hand, "view": {"hand": hand}}
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
        self.play.pacing = _Still(0.0)

    def on_mount(self) -> None:
        self.push_screen(self.play)


async def _drawn() -> str:
    app = _Picture()
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        while app.play.question is None:
            await pilot.pause(0.01)
        await pilot.press("right", "right")
        await pilot.pause()
        return app.export_screenshot(title="bullring play Ann")


def sitting() -> str:
    """The table as SVG."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", asyncio.run(_drawn()), flags=re.DOTALL)
    return svg.replace("Fira Code", "ui-monospace")
