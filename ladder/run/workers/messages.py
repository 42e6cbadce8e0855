"""The messages between a run and its referee processes, as frames (`arena.cells.processes.frames`).

To a referee process: `Setup` once, then `Play` and `Drop`; a `Meet` precedes the first order with a bot. From it, for each `Play`:
`Played` in a `Block` with others, `Failed`, `Dropped` or `Changed`; `Held` may come before. One with nothing to tell sends a
heartbeat (`BEAT`).

The results of a match come as the row that the store will hold, and its record packed as it will be kept, so that the run itself
neither packs nor reads it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.processes.frames import Frames, framed
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from bullring.ladder.store.packed_row import PackedRow
from bullring.ladder.store.rows import Format, ListRow

BEAT = ["Beat"]
"""The heartbeat of a referee process that has nothing else to tell."""


@dataclass(frozen=True)
class Setup:
    """The setup for all matches of a referee process."""

    limits: Limits
    wish: Wish
    owner: Owner
    list: ListRow
    """The list that is played."""
    format: Format
    key: str = ""
    """The private key that signs the records, in PEM; empty: they are not signed."""
    jobs: int = 1
    """The number of referee processes that share the machine."""
    live: str = ""
    """The folder for partial records of long matches; empty: they are not watched."""
    notes: Mapping[str, Any] = field(default_factory=dict)
    """Further keys for the heads of the records."""
    dictionary: bytes = b""
    """The dictionary of the records (`ladder.store.dictionary`)."""

    def facts(self) -> dict[str, Any]:
        """As plain values."""
        hidden = [str(path) for path in self.owner.hidden]
        return {
            **vars(self),
            "limits": asdict(self.limits),
            "wish": asdict(self.wish),
            "owner": {"name": self.owner.name, "hidden": hidden},
            "list": vars(self.list),
        }

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "Setup":
        """From plain values."""
        hidden = tuple(Path(path) for path in facts["owner"]["hidden"])
        return cls(
            **{
                **facts,
                "limits": Limits(**facts["limits"]),
                "wish": Wish(**{**facts["wish"], "images": tuple(facts["wish"]["images"])}),
                "owner": Owner(facts["owner"]["name"], hidden),
                "list": ListRow(**facts["list"]),
            }
        )


@dataclass(frozen=True)
class Meet:
    """A bot that orders name by its id from now on."""

    id: int
    bot: Bot


@dataclass(frozen=True)
class Match:
    """A match to be played."""

    id: int
    bots: Sequence[Bot]
    """The bots by seat."""
    ids: Sequence[int]
    """Their ids in the store."""
    seed: Seed


MOST_TRIES = 5
"""Times that a group is played, if the machine spoils it each time."""


class Spoiled(NamedTuple):
    """An attempt at a group that the machine has spoiled or lost, so that the group is played again with the same deals."""

    void: bool
    """Whether a match of it was void; else it was lost."""
    why: str


@dataclass(frozen=True)
class Play:
    """Play a match as soon as a table is free; or the matches of a group, one after another."""

    matches: Sequence[Match]
    """If there are several, they have the same deals: no process of a bot may play two of them."""
    slow: bool = False
    """Whether one of its bots is known to be slow."""
    spoiled: Sequence[Spoiled] = ()
    """The attempts at this group so far."""
    within: float | None = None
    """The seconds, from its arrival, that the run lasts; None: no limit. It is not begun unless it is expected to end by then."""

    @property
    def id(self) -> int:
        """The id of the first match, which names the order."""
        return self.matches[0].id

    @property
    def ids(self) -> list[int]:
        """The ids of all its matches."""
        return [match.id for match in self.matches]


@dataclass(frozen=True)
class Drop:
    """Drop the matches that have not begun; if bots are named, only those with one of them."""

    bots: Sequence[str] = ()


class Seat(NamedTuple):
    """The result of a bot in a match, as far as a run needs it at once."""

    bot: int
    """Its id in the store."""
    heads: int
    rank: int
    decisions: int
    wall_us: int
    """This and the next two as in `arena.match.cost.Spent`."""
    cpu_us: int
    starts: int
    start_us: int
    """From the start of the process that was started for it to its hello; 0 if none was."""
    fault: Mapping[str, Any] | None
    """The facts of its last fault; None if it had none."""


class Outcome(NamedTuple):
    """A match that was played; its record is sealed."""

    id: int
    void: str | None
    row: PackedRow
    """As the store keeps it."""
    seats: Sequence[Seat]


@dataclass(frozen=True)
class Played:
    """An order was carried out. A group ends with a void match if `MOST_TRIES` attempts at it were spoiled; it does not count."""

    id: int
    matches: Sequence[Outcome]
    spoiled: Sequence[Spoiled] = ()
    """The attempts at a group before this one, with those of its order."""


@dataclass(frozen=True)
class Block:
    """Orders that were carried out, and the records of all their matches."""

    played: Sequence[Played]
    records: Sequence[bytes]
    """The records of all of them, each packed (`ladder.store.packet`)."""

    @property
    def matches(self) -> int:
        """The number of matches that were played."""
        return sum(len(one.matches) for one in self.played)


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
class Seated:
    """The orders at the tables of a referee process at one moment. Told now and then, for people."""

    ids: Sequence[int]


@dataclass(frozen=True)
class Changed:
    """An order was not begun, because the files of bots are not those that were added."""

    id: int
    reasons: Mapping[str, str]
    """The reasons, by the name of the bot."""


Order = Setup | Meet | Play | Drop
Told = Failed | Dropped | Held | Seated | Changed
Answer = Block | Told

_TOLD: dict[str, type[Told]] = {kind.__name__: kind for kind in (Failed, Dropped, Held, Seated, Changed)}


class OrderWriter:
    """Encodes orders for one referee process. It tells each bot once: a bot's description is longer than all its orders' rest."""

    def __init__(self) -> None:
        self._met: dict[int, Bot] = {}

    def write(self, order: Order) -> bytes:
        """The order, with whatever has to go before it."""
        match order:
            case Setup():
                return framed("Setup", order.facts())
            case Meet(id, bot):
                self._met[id] = bot
                return framed("Meet", id, bot.facts())
            case Play(matches, slow, spoiled, within):
                before = b"".join(
                    self.write(Meet(id, bot))
                    for match in matches
                    for id, bot in zip(match.ids, match.bots, strict=True)
                    if self._met.get(id) is not bot
                )
                facts = [(match.id, match.ids, match.seed.seed, match.seed.nonce) for match in matches]
                return before + framed("Play", facts, slow, spoiled, within)
            case Drop(bots):
                return framed("Drop", list(bots))


class OrderReader:
    """Decodes what an `OrderWriter` has written, in pieces of any size."""

    def __init__(self) -> None:
        self._frames = Frames()
        self._met: dict[int, Bot] = {}

    def feed(self, data: bytes) -> Iterator[Order]:
        """Take bytes; yield the orders that are complete."""
        for kind, *values in self._frames.feed(data):
            match kind:
                case "Setup":
                    yield Setup.of(values[0])
                case "Meet":
                    self._met[values[0]] = bot = Bot.from_facts(values[1])
                    yield Meet(values[0], bot)
                case "Play":
                    matches = [
                        Match(id, [self._met[bot] for bot in ids], ids, Seed(seed, nonce))
                        for id, ids, seed, nonce in values[0]
                    ]
                    yield Play(matches, values[1], _spoiled(values[2]), values[3])
                case _:
                    yield Drop(tuple(values[0]))


def answer_bytes(answer: Answer) -> bytes:
    """Encode an answer."""
    if isinstance(answer, Block):
        return framed("Block", [(one.id, one.matches, one.spoiled) for one in answer.played], answer.records)
    return framed(type(answer).__name__, *vars(answer).values())


def answer_of(message: Sequence[Any]) -> Answer:
    """Decode an answer from the values of a message."""
    kind, *values = message
    if kind == "Block":
        return Block([_played(*played) for played in values[0]], values[1])
    return _TOLD[kind](*values)


def _played(id: int, matches: Sequence[Any], spoiled: Sequence[Any]) -> Played:
    return Played(id, [_outcome(*match) for match in matches], _spoiled(spoiled))


def _spoiled(values: Sequence[Any]) -> tuple[Spoiled, ...]:
    return tuple(Spoiled(*each) for each in values)


def _outcome(id: int, void: str | None, row: Sequence[Any], seats: Sequence[Sequence[Any]]) -> Outcome:
    return Outcome(id, void, PackedRow._make(row), list(map(Seat._make, seats)))
