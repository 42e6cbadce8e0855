"""What a ladder answers with, where the rows of its store do not say all."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bullring.arena.study.analysis.result import Choice, decision_rows
from bullring.ladder.store.rows import MatchRow
from bullring.ladder.watching.display.export import COLUMNS, seat_rows
from bullring.tabular import Table


@dataclass(frozen=True)
class Match(MatchRow):
    """A match of a ladder, with the names of its bots."""

    names: Sequence[str] = ()
    """The names of its bots, by seat."""

    def __str__(self) -> str:
        seats = ", ".join(f"{name} {seat.heads}" for name, seat in zip(self.names, self.seats, strict=True))
        return f"match {self.id}: {seats}{'' if self.void is None else f' (void: {self.void})'}"


class Decision(NamedTuple):
    """A decision of a match of a ladder, and what its options were expected to take."""

    match: int
    choice: Choice


def matches_table(rows: Iterable[MatchRow], names: Mapping[int, str]) -> Table[Match]:
    """Matches, as a table with a row for each match and seat, as `bullring ladder export --format csv` has it."""
    found = [Match(**vars(row), names=[names[bot] for bot in row.bots]) for row in rows]
    return Table(found, (dict(zip(COLUMNS, row, strict=True)) for row in seat_rows(found, names)))


def decisions_table(decisions: Sequence[Decision]) -> Table[Decision]:
    """Decisions, as a table with a row for each."""
    rows: list[dict[str, Any]] = decision_rows([decision.choice for decision in decisions])
    return Table(decisions, ({"match": one.match, **row} for one, row in zip(decisions, rows, strict=True)))
