"""Processes that check what nodes send, beside the bridge, whose loop must not wait."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor

from bullring.errors import RecordError
from bullring.ladder.run.cluster.result_checks import Terms, checked
from bullring.ladder.run.workers.messages import Play

TRIES = 2
"""Times that a block is checked if a checking process dies: it may have died of another block."""


class CheckFailure(Exception):
    """Nobody knows whether what a node sent fits, because this machine failed to find out."""


class Checkers:
    """Checks blocks in an executor, which is replaced when it breaks."""

    def __init__(self, make: Callable[[], Executor]) -> None:
        self._make = make
        self._executor = make()

    async def check(self, orders: Sequence[Play], body: bytes, terms: Terms) -> bytes:
        """As `checking.checked`. Raises `RecordError`, `CheckFailure`."""
        for _ in range(TRIES):
            executor = self._executor
            try:
                return await asyncio.get_running_loop().run_in_executor(executor, checked, orders, body, terms)
            except RecordError:
                raise
            except BrokenExecutor:
                if executor is self._executor:  # nobody else has replaced it
                    self._executor = self._make()
            except Exception as error:  # of this machine: what comes of a node's data is a `RecordError`
                raise CheckFailure(f"{type(error).__name__}: {error}") from error
        raise CheckFailure("the process that checked it has died")

    def close(self) -> None:
        """End the processes."""
        self._executor.shutdown(cancel_futures=True)
