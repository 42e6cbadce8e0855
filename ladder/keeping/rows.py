"""What the store holds, as values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bullring.arena.rules.registry import find
from bullring.arena.seeds import Seed
from bullring.ladder.pairing.seating import Plan, matches_of

Format = Literal["ladder", "round-robin", "gauntlet", "duel"]
State = Literal["active", "benched", "removed"]


@dataclass(frozen=True)
class BotRow:
    """A bot of the ladder."""

    id: int
    name: str
    source: str
    """The folder or command line it was added from."""
    state: State
    reason: str
    """Why it is benched."""
    judged_from: int
    """The first group that counts when its faults are looked at: later after a reinstatement."""


@dataclass(frozen=True)
class ListRow:
    """What can be rated together: one game with its options and number of seats."""

    id: int
    game: str
    options: Mapping[str, Any]
    seats: int

    @property
    def title(self) -> str:
        """In words, with the options that differ from their defaults: "standard, 4 seats, deals 1"."""
        usual = {spec.name: spec.default for spec in find(self.game).option_specs}
        changed = "".join(f", {key} {value}" for key, value in self.options.items() if value != usual.get(key))
        return f"{self.game}, {self.seats} seats{changed}"


@dataclass(frozen=True)
class GroupRow:
    """A duplicate group."""

    id: int
    list: int
    format: Format
    plan: Plan
    lineup: tuple[int, ...]
    """The ids of its bots."""
    seed: str
    """Makes the deals of all its matches."""
    state: Literal["open", "done", "void"]

    @property
    def size(self) -> int:
        """How many matches it has."""
        return matches_of(self.plan, len(self.lineup))


@dataclass(frozen=True)
class SeatRow:
    """How one bot fared in one match."""

    bot: int
    heads: int
    rank: int
    faults: Sequence[str]
    """The kinds of its faults."""
    closed: bool
    times: Mapping[int, int]
    """How many of its decisions took how long (`knowing.timing`)."""
    metrics: Mapping[str, float]
    """What it told of itself on stderr (`knowing.metrics`)."""


@dataclass(frozen=True)
class MatchRow:
    """A match that was played."""

    group: int
    number: int
    """From 0, within its group."""
    seed: Seed
    """That of its group, with a nonce of its own."""
    void: str | None
    deals: int
    seats: Sequence[SeatRow]

    @property
    def id(self) -> str:
        """As people name it: group.number."""
        return match_id(self.group, self.number)


def match_id(group: int, number: int) -> str:
    """How people name match `number` (from 0) of a group: "17.1" is its first."""
    return f"{group}.{number + 1}"
