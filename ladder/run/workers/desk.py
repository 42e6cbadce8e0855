"""Where a referee process leaves what it has to tell the ladder: results in blocks, because their records are packed together."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

import trio

from bullring.ladder.run.workers.messages import Answer, Block, Played, Told, answer_bytes, framed
from bullring.ladder.store.frames import pack, portions

BLOCK = 64
"""Most orders of a block, about."""

BLOCK_BYTES = 8 << 20
"""Most bytes of records of a block of several orders."""

GATHER = 0.4
"""Seconds for which orders are collected for a block. A ladder gives so much ahead that nobody waits for that."""


BEAT = ["Beat"]
"""Said by a referee process that lives and has nothing else to tell."""

BEAT_EVERY = 5.0
"""Seconds."""


@dataclass(frozen=True)
class CarriedOut:
    """An order that was carried out, with the records of its matches."""

    played: Played
    records: Sequence[bytes]


class Desk:
    """Sends answers, in a task of its own: a ladder that is slow to read must not delay a match.

    Matches that end within `GATHER` go in one block, because their records are packed together.
    """

    def __init__(self) -> None:
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
                    with trio.move_on_after(GATHER):
                        await self._full()
                self._news = trio.Event()
                told, self._told = self._told, []
                done, self._carried_out = self._carried_out, []
                answers: list[Answer] = [*told, *map(_block, portions(done, _size, BLOCK_BYTES))]
                await sink.send_all(b"".join(map(answer_bytes, answers)))

    async def _full(self) -> None:
        """Wait until there is a block that is large enough, or something else to tell."""
        while len(self._carried_out) < BLOCK and not self._told:
            self._news = trio.Event()
            await self._news.wait()


def _size(one: CarriedOut) -> int:
    return sum(map(len, one.records))


def _block(done: Sequence[CarriedOut]) -> Block:
    records = [(match.id, text) for one in done for match, text in zip(one.played.matches, one.records, strict=True)]
    return Block([one.played for one in done], pack(records))
