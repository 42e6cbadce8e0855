"""A duel: is the new bot better than the old one? Swap groups, and a test that stops as soon as it knows."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from arena.view.plain import harmless
from ladder.rating.sequential import Judgement, Sequential, Verdict
from ladder.runner import Happening, LadderRun
from ladder.store import GroupRow, ListRow, MatchRow, Store
from ladder.view import clock

_SAYS = {
    Verdict.BETTER: "the new bot is better",
    Verdict.NOT_BETTER: "the new bot is not better",
    Verdict.OPEN: "not decided yet",
}


class DuelBook:
    """The groups of one duel. A `Book` for `ladder.runner`."""

    def __init__(self, store: Store, list_: ListRow, new: int, old: int, test: Sequential) -> None:
        """Begin with the groups that were played before."""
        self.test = test
        self._new, self._old = new, old
        self.decided = Verdict.OPEN
        self.cells = np.zeros(5, dtype=np.int64)
        """Groups by the half points of the new bot, 0 to 4."""
        for row in store.groups("list = ? AND format = 'duel' AND state = 'done'", (list_.id,)):
            if row.lineup[:2] == (new, old):
                self.add(row, store.matches("m.grp = ?", (row.id,)))

    def add(self, group: GroupRow, matches: Sequence[MatchRow]) -> None:
        """Take a finished group; one that another duel has left open is none of ours."""
        if group.lineup[:2] != (self._new, self._old):
            return
        half_points = 0
        for match in matches:
            rank = {seat.bot: seat.rank for seat in match.seats}
            half_points += 1 + (rank[self._new] < rank[self._old]) - (rank[self._new] > rank[self._old])
        self.cells[half_points] += 1
        if self.decided is Verdict.OPEN:
            self.decided = self.test.judge(self.cells).verdict

    def write(self) -> None:
        """All is in the groups."""

    def judge(self) -> Judgement:
        """The state of the test. The first verdict stands, also when matches come in that were being played then."""
        return replace(self.test.judge(self.cells), verdict=self.decided)

    def rating(self, bot: int) -> float | None:
        """Nobody is rated here."""
        return None

    def groups(self, bot: int) -> int:
        """Nobody is placed here."""
        return 0

    def enough(self, bots: Sequence[int]) -> str | None:
        """Whether a bound was reached."""
        judged = self.judge()
        return None if judged.verdict is Verdict.OPEN else _SAYS[judged.verdict]

    def refresh(self, *, now: bool = False) -> None:
        """The test is judged when it is looked at."""

    def facts(self) -> dict[str, object]:
        """For JSON."""
        judged = self.judge()
        return {
            "verdict": judged.verdict.value,
            "groups": judged.groups,
            "matches": judged.matches,
            "llr": judged.llr,
            "bounds": [judged.lower, judged.upper],
            "share": judged.share,
            "elo": judged.elo,
            "low": judged.low,
            "high": judged.high,
            "superior": judged.superior,
            "normalised_elo": judged.normalised,
            "cells": self.cells.tolist(),
        }


class DuelView:
    """The duel as it is watched."""

    def __init__(self, title: str, names: tuple[str, str], book: DuelBook) -> None:
        self._title = title
        self._names = names
        self._book = book
        self.run: LadderRun | None = None
        self.last: Text = Text("")

    def happened(self, happening: Happening) -> None:
        """Keep the last thing that is worth to be read."""
        if happening.kind != "match":
            self.last = Text(harmless(happening.text), style="yellow", no_wrap=True, overflow="ellipsis")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        judged, test = self._book.judge(), self._book.test
        title = Text(no_wrap=True, overflow="ellipsis")
        title.append(" bullring ", style="bold reverse")
        title.append(f" duel, {self._title}", style="bold")
        if self.run is not None:
            title.append(f"  {self.run.matches} matches in {clock(self.run.began_ago)}")
        yield title
        table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
        table.add_column(style="dim")
        table.add_column()
        table.add_row("new", harmless(self._names[0]))
        table.add_row("old", harmless(self._names[1]))
        table.add_row(
            "groups", f"{judged.groups} of two matches; by points of the new bot 0 ½ 1 1½ 2: {_cells(self._book)}"
        )
        if judged.groups:
            table.add_row("points", f"{100 * judged.share:.1f} %")
            table.add_row("Elo", f"{judged.elo:+.1f}  (95 %: {judged.low:+.1f} to {judged.high:+.1f})")
            table.add_row("superior", f"{100 * judged.superior:.1f} %")
        table.add_row("test", f"{test.elo0:g} against {test.elo1:g} Elo, errors {test.alpha:g} and {test.beta:g}")
        table.add_row("LLR", Text.assemble(f"{judged.llr:+.2f}  ", _bar(judged)))
        style = {Verdict.BETTER: "bold green", Verdict.NOT_BETTER: "bold red", Verdict.OPEN: "dim"}[judged.verdict]
        table.add_row("verdict", Text(_SAYS[judged.verdict], style=style))
        yield table
        yield self.last


def _cells(book: DuelBook) -> str:
    return " ".join(map(str, book.cells.tolist()))


def _bar(judged: Judgement, width: int = 40) -> Text:
    """Where the ratio is between its bounds."""
    share = (judged.llr - judged.lower) / (judged.upper - judged.lower)
    at = min(width - 1, max(0, int(share * width)))
    line = Text(f"{judged.lower:.2f} ", style="dim")
    line.append("─" * at, style="dim").append("●", style="bold cyan").append("─" * (width - 1 - at), style="dim")
    return line.append(f" {judged.upper:.2f}", style="dim")
