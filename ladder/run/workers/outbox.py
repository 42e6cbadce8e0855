"""The answers of a referee process on their way to the ladder: results in blocks, which are stored together."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import trio

from bullring.arena.cells.processes.frames import framed
from bullring.ladder.run.workers.messages import BEAT, Answer, Block, Played, Told, answer_bytes
from bullring.ladder.store.dictionary import Dictionary
from bullring.ladder.store.packet import pack

BLOCK = 64
"""Most orders of a block, about."""

BLOCK_BYTES = 8 << 20
"""Most bytes of packed records of a block of several orders: bots may write much to stderr."""

GATHER = 0.6
"""Seconds from one block to the next, as long as more than one order comes in that time. A ladder gives so much ahead that no table
waits for that."""

SOON = 0.05
"""The same where they come one by one, as at the beginning and the end of a run, and for a duel, which gives little ahead so that
little is played after its verdict. One that comes later than that goes at once."""


BEAT_EVERY = 5.0
"""Seconds."""


AT_A_TIME = 8
"""Orders whose records are packed one after another. That takes half as long as to pack each when it ends, when the caches are full
of what bots did; more of them would keep the matches waiting."""

Pack = Callable[[int, bytes], bytes]
"""Packs the record of a match, which is told by its number and its text."""


def packer(dictionary: bytes) -> Pack:
    """Packs records that this process has just written, with this dictionary (`ladder.store.packet`)."""
    return partial(pack, dictionary=Dictionary(dictionary), check=False)


@dataclass(frozen=True)
class CarriedOut:
    """An order that was carried out."""

    played: Played
    records: Sequence[tuple[int, bytes]]
    """The numbers of its matches, and their records as text."""

    def packed(self, pack: Pack) -> "Packed":
        """The same with packed records."""
        return Packed(self.played, [pack(match, text) for match, text in self.records])


class Packed(NamedTuple):
    """An order that was carried out, with packed records."""

    played: Played
    records: Sequence[bytes]


class Outbox:
    """Sends answers, in a task of its own: a ladder that is slow to read must not delay a match.

    Matches that end within a moment go in one block.
    """

    def __init__(self, pack: Pack, gather: float = GATHER) -> None:
        """Blocks are sent `gather` seconds after each other, if more than one order comes in that time."""
        self._pack = pack
        self._gather = gather
        self._told: list[Told] = []
        self._carried_out: list[CarriedOut] = []
        self._news = trio.Event()

    def tell(self, answer: Told | CarriedOut) -> None:
        """Queue an answer."""
        if isinstance(answer, CarriedOut):
            self._carried_out.append(answer)
        else:
            self._told.append(answer)
        self._news.set()

    async def send(self, sink: trio.lowlevel.FdStream) -> None:
        """Send answers for ever."""
        due = 0.0
        with contextlib.suppress(trio.BrokenResourceError):  # the ladder is gone, so this process will end soon, too
            while True:
                with trio.move_on_after(BEAT_EVERY) as waiting:
                    await self._news.wait()
                if waiting.cancelled_caught:
                    await sink.send_all(framed(*BEAT))
                    continue
                if not self._told:
                    with trio.move_on_at(due):
                        await self._full()
                self._news = trio.Event()
                told, self._told = self._told, []
                done, self._carried_out = self._carried_out, []
                due = trio.current_time() + (self._gather if len(done) > 1 else SOON)
                answers: list[Answer] = [*told, *blocks(await self._packed(done))]
                await sink.send_all(b"".join(map(answer_bytes, answers)))

    async def _packed(self, done: Sequence[CarriedOut]) -> list[Packed]:
        packed = []
        for first in range(0, len(done), AT_A_TIME):
            packed += [one.packed(self._pack) for one in done[first : first + AT_A_TIME]]
            await trio.lowlevel.checkpoint()
        return packed

    async def _full(self) -> None:
        """Wait until there is a block that is large enough, or something else to tell."""
        while len(self._carried_out) < BLOCK and not self._told:
            self._news = trio.Event()
            await self._news.wait()


def blocks(done: Sequence[Packed]) -> Iterator[Block]:
    """Blocks of at most `BLOCK_BYTES` of records, or with one order that has more."""
    some: list[Packed] = []
    held = 0
    for one in done:
        size = sum(map(len, one.records))
        if some and held + size > BLOCK_BYTES:
            yield block_of(some)
            some, held = [], 0
        some.append(one)
        held += size
    if some:
        yield block_of(some)


def block_of(done: Sequence[Packed]) -> Block:
    """All of these in one block."""
    return Block([one.played for one in done], [record for one in done for record in one.records])
