"""The answers of a referee process on their way to the ladder: results in blocks, which are stored together."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import trio

from bullring.arena.cells.processes.frames import framed
from bullring.ladder.run.workers.messages import BEAT, Answer, Block, Played, Told, answer_bytes

BLOCK = 64
"""Most orders of a block, about."""

BLOCK_BYTES = 8 << 20
"""Most bytes of packed records of a block of several orders: bots may write much to stderr."""

GATHER = 0.4
"""Seconds for which orders are collected for a block. A ladder gives so much ahead that no table waits for that."""

SOON = 0.05
"""The same for a duel, which gives little ahead so that little is played after its verdict."""


BEAT_EVERY = 5.0
"""Seconds."""


@dataclass(frozen=True)
class CarriedOut:
    """An order that was carried out, with the packed records of its matches."""

    played: Played
    records: Sequence[bytes]


class Outbox:
    """Sends answers, in a task of its own: a ladder that is slow to read must not delay a match.

    Matches that end within a moment go in one block.
    """

    def __init__(self, gather: float = GATHER) -> None:
        """Orders are collected for `gather` seconds."""
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
        with contextlib.suppress(trio.BrokenResourceError):  # the ladder is gone, so this process will end soon, too
            while True:
                with trio.move_on_after(BEAT_EVERY) as waiting:
                    await self._news.wait()
                if waiting.cancelled_caught:
                    await sink.send_all(framed(*BEAT))
                    continue
                if not self._told:
                    with trio.move_on_after(self._gather):
                        await self._full()
                self._news = trio.Event()
                told, self._told = self._told, []
                done, self._carried_out = self._carried_out, []
                answers: list[Answer] = [*told, *blocks(done)]
                await sink.send_all(b"".join(map(answer_bytes, answers)))

    async def _full(self) -> None:
        """Wait until there is a block that is large enough, or something else to tell."""
        while len(self._carried_out) < BLOCK and not self._told:
            self._news = trio.Event()
            await self._news.wait()


def blocks(done: Sequence[CarriedOut]) -> Iterator[Block]:
    """Blocks of at most `BLOCK_BYTES` of records, or with one order that has more."""
    some: list[CarriedOut] = []
    held = 0
    for one in done:
        size = sum(map(len, one.records))
        if some and held + size > BLOCK_BYTES:
            yield _block(some)
            some, held = [], 0
        some.append(one)
        held += size
    if some:
        yield _block(some)


def _block(done: Sequence[CarriedOut]) -> Block:
    return Block([one.played for one in done], [record for one in done for record in one.records])
