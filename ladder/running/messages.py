"""The messages between a ladder and its referee processes, one JSON array [type, facts] per line in both directions.

To a referee process: `Setup` once, then `PlayMatch`, `Forget` and `Drop`. From it, for each match: `Played`, `Failed` or `Dropped`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bullring.arena.bots.bot import Bot
from bullring.arena.clock.limits import Limits
from bullring.arena.sandbox.identity import Owner
from bullring.arena.sandbox.wish import Wish
from bullring.arena.seeds import Seed


@dataclass(frozen=True)
class Setup:
    """The setup for all matches of a referee process."""

    limits: Limits
    wish: Wish
    owner: Owner
    jobs: int = 1
    """The number of referee processes that share the machine."""

    def facts(self) -> dict[str, Any]:
        """As plain values."""
        hidden = [str(path) for path in self.owner.hidden]
        owner = {"name": self.owner.name, "hidden": hidden}
        return {"limits": asdict(self.limits), "wish": asdict(self.wish), "owner": owner, "jobs": self.jobs}

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "Setup":
        """From plain values."""
        hidden = tuple(Path(path) for path in facts["owner"]["hidden"])
        return cls(
            Limits(**facts["limits"]), Wish(**facts["wish"]), Owner(facts["owner"]["name"], hidden), facts["jobs"]
        )


@dataclass(frozen=True)
class PlayMatch:
    """Play a match, beside those being played, as soon as a table is free."""

    id: str
    group: int
    """The group, whose matches have the same deals; no process of a bot may play two of them."""
    game: str
    options: Mapping[str, Any]
    start: int
    """The starting seat, in games where it matters."""
    bots: Sequence[Bot]
    """The bots by seat."""
    seed: Seed
    began: str
    record: Path
    notes: Mapping[str, Any]
    """Notes for the first line of the record."""

    def facts(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "id": self.id,
            "group": self.group,
            "game": self.game,
            "options": self.options,
            "start": self.start,
            "bots": [_facts_of(bot) for bot in self.bots],
            "seed": [self.seed.seed, self.seed.nonce],
            "began": self.began,
            "record": str(self.record),
            "notes": self.notes,
        }

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "PlayMatch":
        """From plain values."""
        given = {
            "bots": [Bot.from_facts(bot) for bot in facts["bots"]],
            "seed": Seed(*facts["seed"]),
            "record": Path(facts["record"]),
        }
        return cls(**{**facts, **given})


@dataclass(frozen=True)
class Forget:
    """Forget the deals of a group: it has ended."""

    group: int


@dataclass(frozen=True)
class Drop:
    """Drop the matches that have not begun."""


@dataclass(frozen=True)
class SeatOutcome:
    """The result of one seat."""

    heads: int
    rank: int
    faults: Sequence[str]
    """The kinds of its faults."""
    closed: bool
    times: Mapping[int, int]
    """Counts of its decisions by time bucket (`knowing.timing`)."""
    metrics: Mapping[str, float]
    fault: Mapping[str, Any] | None
    """The facts of its last fault; None if it had none."""


@dataclass(frozen=True)
class Played:
    """A match was played; its record is written except for the last line."""

    id: str
    void: str | None
    deals: int
    seats: Sequence[SeatOutcome]


@dataclass(frozen=True)
class Failed:
    """The machine failed: the record cannot be written, or no bots can be started."""

    id: str
    error: str


@dataclass(frozen=True)
class Dropped:
    """A match was not begun."""

    id: str


Order = Setup | PlayMatch | Forget | Drop
Answer = Played | Failed | Dropped

_bot_facts: dict[Bot, dict[str, Any]] = {}


def _facts_of(bot: Bot) -> dict[str, Any]:
    """The facts of a bot, cached because it plays thousands of matches."""
    if bot not in _bot_facts:
        _bot_facts[bot] = bot.facts()
    return _bot_facts[bot]


def order_line(order: Order) -> bytes:
    """Encode an order as a line."""
    match order:
        case Setup() | PlayMatch():
            facts = order.facts()
        case Forget(group):
            facts = {"group": group}
        case Drop():
            facts = {}
    return _line(type(order).__name__, facts)


def order_of(line: bytes) -> Order:
    """Decode the order in a line."""
    kind, facts = json.loads(line)
    match kind:
        case "Setup":
            return Setup.of(facts)
        case "PlayMatch":
            return PlayMatch.of(facts)
        case "Forget":
            return Forget(facts["group"])
        case _:
            return Drop()


def answer_line(answer: Answer) -> bytes:
    """Encode an answer as a line."""
    match answer:
        case Played(id, void, deals, seats):
            facts = {"id": id, "void": void, "deals": deals, "seats": [vars(seat) for seat in seats]}
        case Failed() | Dropped():
            facts = vars(answer)
    return _line(type(answer).__name__, facts)


def answer_of(line: bytes) -> Answer:
    """Decode the answer in a line."""
    kind, facts = json.loads(line)
    match kind:
        case "Played":
            seats = [
                SeatOutcome(**{**seat, "times": {int(bucket): count for bucket, count in seat["times"].items()}})
                for seat in facts["seats"]
            ]
            return Played(facts["id"], facts["void"], facts["deals"], seats)
        case "Failed":
            return Failed(facts["id"], facts["error"])
        case _:
            return Dropped(facts["id"])


def _line(kind: str, facts: Mapping[str, Any]) -> bytes:
    return json.dumps([kind, facts]).encode() + b"\n"
