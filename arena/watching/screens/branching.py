"""What if? Another option is chosen at a moment of a replay, and the house or the bots themselves play on: often for a number, once
to look at."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from textwrap import wrap
from typing import ClassVar

from rich.console import Group
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.arena.match.records.reader import Lines
from bullring.arena.study.branches.branch import Branch, Moment, branch
from bullring.arena.study.branches.forecast import Forecast
from bullring.arena.watching.display import decisions
from bullring.arena.watching.display.analysis import ranked
from bullring.arena.watching.display.text import option_text
from bullring.arena.watching.screens.shell import Dialog
from bullring.errors import BullringError

SIDE = 120
"""Columns from which on it is beside the table it asks about, not below it."""

WIDTH = 66
"""Columns beside the table, at most."""

FOOT = 2
"""Lines of the screen below it."""

TRIED = 4
"""Options from which the bots of the match play on, beside the one that was chosen and the one with the cursor: the best by the
house."""

TICK = 1 / 10
"""Seconds between two looks for numbers."""


def lines_below(height: int) -> int:
    """The lines that it takes below the table, of a screen of this height."""
    return max(9, min(16, height // 2 - 2))


class WhatIf(Dialog[Branch]):
    """Shows what each option of a moment leads to, beside or below the table. Gives the branch that is to be looked at."""

    DEFAULT_CSS = """
    WhatIf { align: right bottom; }
    WhatIf Static { border: round ansi_default; padding: 0 1; background: ansi_default; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "choose(-1)", "replay.branch.before"),
        Binding("down", "choose(1)", "replay.branch.after"),
        Binding("left,shift+tab", "seat(-1)", "replay.branch.left"),
        Binding("right,tab", "seat(1)", "replay.branch.right"),
        Binding("enter", "look", "replay.branch.look"),
        Binding("r", "real", "replay.branch.real"),
        Binding("escape,b", "leave", "replay.keys.back"),
    ]

    def __init__(
        self,
        record: Path,
        lines: Lines,
        moment: Moment,
        names: Sequence[str],
        seat: int | None,
        party: Callable[[], str] | None = None,
    ) -> None:
        """`names` are harmless; begin with the decision of this seat, or the first one. `party` tells the bots of the match."""
        super().__init__()
        self._record = record
        self._lines = lines
        self._moment = moment
        self._names = names
        self._party = party
        asked = [question.seat for question in moment.questions]
        self._at = asked.index(seat) if seat in asked else 0
        self._forecast: Forecast | None = None
        self._error = ""
        """The reason why there are no numbers."""
        self.real = False
        """Whether the bots of the match play on, and not the house."""
        self._wished = False
        """Whether they are to do so as soon as the house has its first numbers."""
        self.cursor = 0
        """The option that is chosen."""
        self._moved = False
        """Whether it was chosen by a key, not because it seems to be the best one."""
        self._told = Static()

    def compose(self) -> ComposeResult:
        yield self._told

    def on_mount(self) -> None:
        self._begin()
        self.set_interval(TICK, self._look)

    def on_unmount(self) -> None:
        self._end()

    def on_resize(self) -> None:
        width, height = self.app.size
        side = width >= SIDE
        self._told.styles.width = min(WIDTH, width * 45 // 100) if side else width
        self._told.styles.height = height - FOOT if side else lines_below(height)
        self._told.styles.margin = (0, 0, FOOT, 0)
        self.show()

    @property
    def seat(self) -> int:
        """The seat whose decision it is."""
        return self._moment.questions[self._at].seat

    @property
    def count(self) -> int:
        """The playouts of each option so far."""
        return self._forecast.count if self._forecast is not None else 0

    def _begin(self, options: Sequence[int] = ()) -> None:
        """Play on from the decision of this seat: the house from all options, or the bots of the match from some."""
        self._end()
        question = self._moment.questions[self._at]
        self.real, self._error, self._wished = bool(options), "", False
        if not options:
            self.cursor, self._moved = question.chosen, False
        try:
            party = self._party() if self._party is not None and options else ""
            self._forecast = Forecast(self._record, self._moment.line, question.seat, party, options)
        except (OSError, BullringError) as error:
            self._error = str(error)
        self.show()

    def _end(self) -> None:
        if self._forecast is not None:
            self._forecast.close()
            self._forecast = None

    def _look(self) -> None:
        if self._forecast is not None and self._forecast.read():
            self._error = self._forecast.error or ""
            if not self._moved and self._forecast.heads:
                self.cursor = self._order()[0]
            if self._wished and self.count:
                self.action_real()
            self.show()

    @property
    def _options(self) -> Sequence[int]:
        """The options that are played on from."""
        found = self._forecast
        return (found.options if found is not None else ()) or range(len(self._moment.questions[self._at].options))

    def _order(self) -> Sequence[int]:
        """The options as they are listed."""
        found, options = self._forecast, self._options
        if found is not None and found.heads:
            best = min(range(len(found.heads)), key=found.heads.__getitem__)
            return [options[at] for at in ranked(found.heads, best)]
        return options

    def action_choose(self, by: int) -> None:
        order = self._order()
        at = order.index(self.cursor) if self.cursor in order else 0
        self.cursor, self._moved = order[(at + by) % len(order)], True
        self.show()

    def action_seat(self, by: int) -> None:
        if len(self._moment.questions) > 1:
            self._at = (self._at + by) % len(self._moment.questions)
            self._begin()

    def action_real(self) -> None:
        """Let the bots of the match play on instead of the house, or the house again."""
        if self.real:
            self._begin()
        elif self._party is not None:
            self._wished = not self.count  # the house says first which options are the best
            if self.count:
                chosen = self._moment.questions[self._at].chosen
                self._begin(sorted({*self._order()[:TRIED], chosen, self.cursor}))

    def action_look(self) -> None:
        found, option = self._forecast, self._moment.questions[self._at].options[self.cursor]
        if not self.real:
            self.close(branch(self._lines, self._moment, self.seat, option, Random()))
        elif found is not None and str(self.cursor) in found.played:
            entries, heads = found.played[str(self.cursor)]
            before = self._lines.entries[: self._moment.line - 1]
            self.close(Branch(self._moment, self.seat, option, [*before, *entries], heads))

    def action_leave(self) -> None:
        self.close()

    def on_click(self, event: events.Click) -> None:
        """A click on an option looks at it."""
        if "option" in event.style.meta:
            self.cursor = event.style.meta["option"]
            self.action_look()

    def show(self) -> None:
        """Draw what is known; the fewer lines there are, the less is said about how."""
        if not self.is_mounted:
            return
        question, found = self._moment.questions[self._at], self._forecast
        side, height = self.app.size.width >= SIDE, self.app.size.height
        width = (min(WIDTH, self.app.size.width * 45 // 100) if side else self.app.size.width) - 4
        room = (height - FOOT if side else lines_below(height)) - 2
        where = {"name": self._names[self.seat], "deal": question.deal, "turn": question.turn}
        title = wrap(say("replay.branch.title", **where), width)
        shown, *notes = (wrap(text, width) for text in self._notes())
        spare = room - len(title)
        listed = min(len(self._options), max(3, spare - len(shown) - 1))
        for note in notes:
            if listed + len(shown) + len(note) <= spare:
                shown += note
        gaps = spare - listed - len(shown) >= 2
        bars = decisions.option_bars(
            [option_text(question.options[option]) for option in self._options],
            found.heads if found is not None else (),
            best=self._options.index(self._order()[0]),
            chosen=self._place(question.chosen),
            cursor=self._place(self.cursor),
            errors=found.errors if found is not None else (),
            width=width,
            height=listed,
            names=self._options,
        )
        gap = [Text()] * gaps
        dim = [Text(line, style="dim") for line in shown]
        self._told.update(Group(*(Text(line, style="bold") for line in title), *gap, bars, *gap, *dim))

    def _place(self, option: int) -> int | None:
        """The place of an option among those that are played on from."""
        return self._options.index(option) if option in self._options else None

    def _notes(self) -> Iterator[str]:
        """What is said about the numbers, the weightiest first."""
        found = self._forecast
        if self._error or found is None:
            yield say("replay.branch.unknown", what=harmless(self._error, 200))
        elif not self.real:
            yield say("replay.branch.how", count=found.count) if found.count else say("replay.branch.playing")
            yield say("replay.branch.others")
        else:
            if found.doing:
                yield say("replay.branch.building", name=harmless(found.doing, 64))
            elif found.going:
                yield say("replay.branch.going", number=found.going, total=found.total)
            else:
                yield say("replay.branch.over" if found.played else "replay.branch.seating")
            yield say("replay.branch.by_bots")
        yield say("replay.branch.played")


def told(found: Branch, name: str) -> str:
    """How a branch ended, beside the match."""
    return say("replay.branch.end", name=name, here=found.heads, there=found.moment.deal.heads[found.seat])
