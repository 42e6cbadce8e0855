"""The messages between a ladder and its referee processes, one JSON array [type, facts] per line in both directions.

To a referee process: `Setup` once, then `Play` and `Drop`. From it, for each `Play`: `Played`, `Failed`, `Dropped` or `Changed`;
`Held` may come before.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bullring.arena.bots.bot import Bot
from bullring.arena.clock.limits import Limits
from bullring.arena.cost import Spent
from bullring.arena.sandbox.identity import Owner
from bullring.arena.sandbox.wish import Wish
from bullring.arena.seeds import Seed


@dataclass(frozen=True)
class Setup:
    """The setup for all matches of a referee process."""

    limits: Limits
    wish: Wish
    owner: Owner
    key: str = ""
    """The private key that signs the records, in PEM; empty if nobody signs them."""
    jobs: int = 1
    """The number of referee processes that share the machine."""

    def facts(self) -> dict[str, Any]:
        """As plain values."""
        hidden = [str(path) for path in self.owner.hidden]
        owner = {"name": self.owner.name, "hidden": hidden}
        return {
            "limits": asdict(self.limits),
            "wish": asdict(self.wish),
            "owner": owner,
            "key": self.key,
            "jobs": self.jobs,
        }

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "Setup":
        """From plain values."""
        hidden = tuple(Path(path) for path in facts["owner"]["hidden"])
        wish = Wish(**{**facts["wish"], "images": tuple(facts["wish"]["images"])})
        owner = Owner(facts["owner"]["name"], hidden)
        return cls(Limits(**facts["limits"]), wish, owner, facts["key"], facts["jobs"])


@dataclass(frozen=True)
class Match:
    """A match to be played."""

    id: int
    bots: Sequence[Bot]
    """The bots by seat."""
    seed: Seed
    record: Path
    notes: Mapping[str, Any]
    """Notes for the first line of the record."""

    def facts(self) -> dict[str, Any]:
        """As plain values."""
        bots, seed = [_facts_of(bot) for bot in self.bots], [self.seed.seed, self.seed.nonce]
        return {"id": self.id, "bots": bots, "seed": seed, "record": str(self.record), "notes": self.notes}

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "Match":
        """From plain values."""
        bots = [Bot.from_facts(bot) for bot in facts["bots"]]
        return cls(facts["id"], bots, Seed(*facts["seed"]), Path(facts["record"]), facts["notes"])


@dataclass(frozen=True)
class Play:
    """Play a match as soon as a table is free; or the matches of a group, one after another."""

    game: str
    options: Mapping[str, Any]
    matches: Sequence[Match]
    """If there are several, they have the same deals: no process of a bot may play two of them."""
    slow: bool = False
    """Whether one of its bots is known to be slow."""

    @property
    def id(self) -> int:
        """The id of the first match, which names the order."""
        return self.matches[0].id

    @property
    def ids(self) -> list[int]:
        """The ids of all its matches."""
        return [match.id for match in self.matches]

    def facts(self) -> dict[str, Any]:
        """As plain values."""
        matches = [match.facts() for match in self.matches]
        return {"game": self.game, "options": self.options, "matches": matches, "slow": self.slow}

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "Play":
        """From plain values."""
        return cls(facts["game"], facts["options"], [Match.of(match) for match in facts["matches"]], facts["slow"])


@dataclass(frozen=True)
class Drop:
    """Drop the matches that have not begun; if bots are named, only those with one of them."""

    bots: Sequence[str] = ()


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
    spent: Spent
    start_us: int
    """From the start of the process that was started for it to its hello; 0 if none was."""
    fault: Mapping[str, Any] | None
    """The facts of its last fault; None if it had none."""

    def facts(self) -> dict[str, Any]:
        """As plain values."""
        return {**vars(self), "spent": self.spent.facts()}

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "SeatOutcome":
        """From plain values."""
        times = {int(bucket): count for bucket, count in facts["times"].items()}
        return cls(**{**facts, "times": times, "spent": Spent.of(facts["spent"])})


@dataclass(frozen=True)
class Outcome:
    """A match that was played; its record is sealed."""

    id: int
    began: str
    ended: str
    """Date and time, as in its record."""
    seal: str
    """The seal of its record."""
    void: str | None
    deals: int
    seats: Sequence[SeatOutcome]

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "Outcome":
        """From plain values."""
        return cls(**{**facts, "seats": [SeatOutcome.of(seat) for seat in facts["seats"]]})


@dataclass(frozen=True)
class Played:
    """An order was carried out. A group ends with its first void match, because it does not count then."""

    id: int
    matches: Sequence[Outcome]


@dataclass(frozen=True)
class Failed:
    """The machine failed: a record cannot be written, or no bots can be started."""

    id: int
    error: str


@dataclass(frozen=True)
class Dropped:
    """An order was not begun."""

    id: int


@dataclass(frozen=True)
class Held:
    """An order waits for bots that were thought to be quick. It goes on; orders with these bots that have not begun are dropped."""

    id: int
    bots: Sequence[str]
    """Their names."""


@dataclass(frozen=True)
class Changed:
    """An order was not begun, because the files of bots are not those that were added."""

    id: int
    reasons: Mapping[str, str]
    """Why, by the name of the bot."""


Order = Setup | Play | Drop
Answer = Played | Failed | Dropped | Changed | Held

_bot_facts: dict[Bot, dict[str, Any]] = {}


def _facts_of(bot: Bot) -> dict[str, Any]:
    """The facts of a bot, cached because it plays thousands of matches."""
    if bot not in _bot_facts:
        _bot_facts[bot] = bot.facts()
    return _bot_facts[bot]


def order_line(order: Order) -> bytes:
    """Encode an order as a line."""
    match order:
        case Setup() | Play():
            facts = order.facts()
        case Drop(bots):
            facts = {"bots": list(bots)}
    return _line(type(order).__name__, facts)


def order_of(line: bytes) -> Order:
    """Decode the order in a line."""
    kind, facts = json.loads(line)
    match kind:
        case "Setup":
            return Setup.of(facts)
        case "Play":
            return Play.of(facts)
        case _:
            return Drop(tuple(facts["bots"]))


def answer_line(answer: Answer) -> bytes:
    """Encode an answer as a line."""
    match answer:
        case Played(id, matches):
            played = [{**vars(match), "seats": [seat.facts() for seat in match.seats]} for match in matches]
            facts = {"id": id, "matches": played}
        case Failed() | Dropped() | Changed() | Held():
            facts = vars(answer)
    return _line(type(answer).__name__, facts)


def answer_of(line: bytes) -> Answer:
    """Decode the answer in a line."""
    kind, facts = json.loads(line)
    match kind:
        case "Played":
            return Played(facts["id"], [Outcome.of(match) for match in facts["matches"]])
        case "Failed":
            return Failed(facts["id"], facts["error"])
        case "Changed":
            return Changed(facts["id"], facts["reasons"])
        case "Held":
            return Held(facts["id"], facts["bots"])
        case _:
            return Dropped(facts["id"])


def _line(kind: str, facts: Mapping[str, Any]) -> bytes:
    return json.dumps([kind, facts]).encode() + b"\n"
