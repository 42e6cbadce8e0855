"""The rows of the store, as values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bullring.arena.bots.bot import NOT_KNOWN, Contents
from bullring.arena.rules.registry import find
from bullring.arena.seeds import Seed
from bullring.ladder.pairing.seating import Plan, matches_of

Format = Literal["ladder", "round-robin", "gauntlet", "duel"]
State = Literal["active", "benched", "removed"]


@dataclass(frozen=True)
class BotRow:
    """A bot on the ladder."""

    id: int
    name: str
    source: str
    """The folder or command line it was added from."""
    state: State
    reason: str
    """Why the bot is benched; empty otherwise."""
    judged_from: int
    """The first group whose faults count against the bot; moved up when the bot is reinstated."""
    contents: Contents = NOT_KNOWN
    """Its files when it was added, and its image when it first played in one."""


@dataclass(frozen=True)
class ListRow:
    """A list: the results that are rated together, of one game with one set of options and one number of seats."""

    id: int
    game: str
    options: Mapping[str, Any]
    seats: int

    @property
    def title(self) -> str:
        """The list in words, with the options that differ from their defaults: "standard, 4 seats, deals 1"."""
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
    """The seed for the deals of all its matches."""
    state: Literal["open", "done", "void"]

    @property
    def size(self) -> int:
        """The number of matches in the group."""
        return matches_of(self.plan, len(self.lineup))


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
    """Counts of its decisions by time bucket (`knowing.timing`)."""
    metrics: Mapping[str, float]
    """The metrics it printed on stderr (`knowing.metrics`)."""


@dataclass(frozen=True)
class MatchRow:
    """A match that was played."""

    group: int
    number: int
    """The match's number within its group, from 0."""
    seed: Seed
    """The seed of its group with the match's own nonce."""
    void: str | None
    deals: int
    seats: Sequence[SeatRow]

    @property
    def id(self) -> str:
        """The id shown to people, such as "17.1"."""
        return match_id(self.group, self.number)


def match_id(group: int, number: int) -> str:
    """The id shown to people for match `number` (from 0) of a group: "17.1" is the first match of group 17."""
    return f"{group}.{number + 1}"
