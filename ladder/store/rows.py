"""The rows of the store, as values."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bullring.arena.cells.bots.bot import NOT_KNOWN, Contents
from bullring.arena.cells.sandbox.program import PYTHON
from bullring.arena.games.rules.registry import find
from bullring.arena.match.cost import NOTHING, Spent
from bullring.arena.match.records.confinement import Confinement
from bullring.arena.match.seeds import Seed

Format = Literal["ladder", "round-robin", "gauntlet", "duel"]
StoredState = Literal["active", "benched", "retired", "removed"]
State = StoredState | Literal["older"]


@dataclass(frozen=True)
class Entry:
    """A ladder's notes on a version of a bot when it is entered."""

    bot: str = ""
    """The name that all versions of this bot share; empty: that of this version."""
    version: int = 1
    language: str = ""
    """As its author says."""
    size: int = 0
    """Bytes of all its files together."""
    files: int = 0
    place: str = ""
    """The place of its files within the home: a folder, or the file with its command line."""
    python: str = PYTHON
    """The word that `PYTHON` stands for in its commands: bots of earlier times keep the packages that it had."""


NOTHING_NOTED = Entry()


@dataclass(frozen=True)
class BotRow:
    """A version of a bot on the ladder. Each one plays and is rated for itself."""

    id: int
    name: str
    """Its label, which names one bot of a ladder: "mine", and "mine v2" for the second version of "mine"."""
    source: str
    """The folder, archive or command line it was submitted from."""
    state: State
    """Benched: by the ladder, for what it did. Retired: replaced for good. Removed: taken off.

    Older: active, but newer versions play instead. It is not stored, so an older version plays again when a newer one is taken off.
    """
    reason: str
    """The reason of this state; empty if there is none to give."""
    judged_from: int
    """The first match whose faults count against the bot; moved up when the bot is reinstated."""
    contents: Contents = NOT_KNOWN
    """Its files when it was added, and its image when it first played in one."""
    entry: Entry = NOTHING_NOTED
    """Further notes from when it was added."""
    added: str = ""
    """Date and time."""

    @property
    def bot(self) -> str:
        """The name that all versions of this bot share."""
        return self.entry.bot or self.name

    def plays(self, asked: Container[int] = ()) -> bool:
        """Whether it may play where older versions with these ids were asked for."""
        return self.state == "active" or (self.state == "older" and self.id in asked)

    @property
    def version(self) -> int:
        """From 1, in the order in which they were submitted."""
        return self.entry.version


@dataclass(frozen=True)
class ListRow:
    """A list: the results that are rated together, of one game with one set of options and one number of seats."""

    id: int
    game: str
    options: Mapping[str, Any]
    seats: int
    duplicate: bool = False
    """Whether each deal is played in a group of matches, with every bot in every seat (`--duplicate`), instead of once."""

    @property
    def title(self) -> str:
        """The list in words, with the options that differ from their defaults: "standard, 4 seats, deals 1"."""
        usual = {spec.name: spec.default for spec in find(self.game).option_specs}
        changed = "".join(f", {key} {value}" for key, value in self.options.items() if value != usual.get(key))
        return f"{self.game}, {self.seats} seats{changed}{', duplicate' if self.duplicate else ''}"


@dataclass(frozen=True)
class SeatRow:
    """The result of one bot in one match."""

    bot: int
    heads: int
    rank: int
    faults: Sequence[str]
    """The kinds of its faults."""
    closed: bool
    times: Mapping[int, int]
    """Counts of its decisions by time bucket (`measures`)."""
    metrics: Mapping[str, float]
    """The metrics it printed on stderr (`measures`)."""
    spent: Spent = NOTHING
    """Its cost."""

    @property
    def decisions(self) -> int:
        """The number of its decisions."""
        return sum(self.times.values())


@dataclass(frozen=True)
class MatchRow:
    """A match that was played."""

    id: int
    """Its number on this ladder, which names it to people."""
    list: int
    format: Format
    group: int | None
    """The first match of its group, whose matches have the same deals; None if its deals were played once."""
    seed: Seed
    began: str
    """Date and time, as in the head of its record."""
    ended: str
    """Date and time, as in the last line of its record."""
    void: str | None
    counted: bool
    """Whether it counts: it is not void, and neither is any match of its group."""
    deals: int
    seats: Sequence[SeatRow]
    seal: str
    """The seal of its record, by which any change of it is noticed."""
    spoiled: int = 0
    """The times that its group was void before it was played again."""
    confinement: Confinement | None = None
    """How its bots were confined; None if its record does not tell."""

    @property
    def bots(self) -> tuple[int, ...]:
        """The ids of its bots, by seat."""
        return tuple(seat.bot for seat in self.seats)
