"""Processes that check what nodes send, beside the bridge, whose loop must not wait.

`python -m bullring.ladder.run.cluster.checkers` is one of them. It is sent `check` with the terms, the orders and the answer, each
encoded, and answers `fits` with what is to be stored, `lie` or `failed`.
"""

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from typing import Self

from bullring.arena.cells.processes.frames import Ear, tell
from bullring.arena.cells.processes.inside import ends
from bullring.arena.cells.processes.kinds import CHECKER
from bullring.arena.cells.processes.with_asyncio import AsyncioChild
from bullring.errors import RecordError
from bullring.ladder.run.cluster.result_checks import Terms, checked
from bullring.ladder.run.workers.messages import OrderReader, OrderWriter, Play, Setup

TRIES = 2
"""Times that a block is checked if a checking process dies: it may have died of another block."""


class CheckFailure(Exception):
    """It is unknown whether the answer of a node fits, because this machine failed to find out."""


class Checkers:
    """Checks blocks in processes, which are started when they are needed, and replaced when they die."""

    def __init__(self, most: int) -> None:
        """Check at most so many blocks side by side."""
        self._room = asyncio.Semaphore(most)
        self._idle: list[AsyncioChild] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for child in self._idle:
            await child.close()

    async def check(self, orders: Sequence[Play], body: bytes, terms: bytes) -> bytes:
        """Check the answer to orders, as `result_checks.checked`. The `terms` are those of an encoded setup (`Terms.of`).

        Raises `RecordError`, `CheckFailure`.
        """
        message = ("check", terms, b"".join(map(OrderWriter().write, orders)), body)
        async with self._room:
            for _ in range(TRIES):
                child = self._idle.pop() if self._idle else await AsyncioChild.start(CHECKER)
                try:
                    await child.send(*message)
                    answer = await anext(child.heard, None)
                except BaseException:
                    child.kill()
                    await child.close()
                    raise
                if answer is None:
                    await child.close()
                    continue
                self._idle.append(child)
                kind, found = answer
                if kind == "fits":
                    assert isinstance(found, bytes)
                    return found
                raise RecordError(found) if kind == "lie" else CheckFailure(found)
        raise CheckFailure("the process that checked it has died")


@lru_cache(maxsize=256)
def _terms(encoded: bytes) -> Terms:
    (setup,) = OrderReader().feed(encoded)
    assert isinstance(setup, Setup)
    return Terms.of(setup)


def main() -> None:
    """Check blocks until stdin ends."""
    source, sink = ends()
    for _, terms, encoded, body in Ear(source):
        orders = [order for order in OrderReader().feed(encoded) if isinstance(order, Play)]
        try:
            tell(sink, "fits", checked(orders, body, _terms(terms)))
        except RecordError as error:
            tell(sink, "lie", str(error))
        except (MemoryError, OSError) as error:  # of this machine: what comes of a node's data is a `RecordError`
            tell(sink, "failed", f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
