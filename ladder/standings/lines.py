"""Lists in which each bot is one line that opens: a version that plays has a line, and those that do not are folded into it."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from bullring.ladder.standings.columns import Row
from bullring.ladder.store.rows import State


class Version(Protocol):
    """A version of a bot, wherever it is listed."""

    @property
    def state(self) -> State: ...

    @property
    def version(self) -> int: ...


V = TypeVar("V", bound=Version)


@dataclass(frozen=True)
class Line(Generic[V]):
    """A line of a list."""

    row: V
    folded: Sequence[V] = ()
    """Other versions of the bot, the newest first."""


def lines(rows: Sequence[V], name: Callable[[V], str]) -> list[Line[V]]:
    """The lines of a list, in its order; `name` is the one that the versions of a bot share.

    Benched versions have lines of their own, because that is news. The others that do not play are folded into the newest version
    that plays, else into the newest benched one, else into the newest.
    """
    versions: defaultdict[str, list[V]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: -row.version):
        versions[name(row)].append(row)
    folded: dict[int, list[V]] = {}
    hidden: set[int] = set()
    for own in versions.values():
        first = max(own, key=lambda row: (row.state == "active", row.state == "benched"))
        others = [row for row in own if row is not first and row.state not in ("active", "benched")]
        folded[id(first)] = others
        hidden.update(map(id, others))
    return [Line(row, folded.get(id(row), ())) for row in rows if id(row) not in hidden]


def lines_of(rows: Sequence[Row]) -> list[Line[Row]]:
    """The lines of the standings as people read them: bots whose rating is provisional do not lead, but follow the others."""
    shown = sorted(rows, key=lambda row: row.provisional or row.place is None)
    return lines(shown, lambda row: row.name or row.bot)
