"""The adviser: asks for hints without waiting for them. For programs that run in asyncio, as screens do."""

import asyncio
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from bullring.arena.study.hints.thoughts import Thoughts
from bullring.errors import HostError

SECONDS = 1.0
"""Seconds a bot thinks about a question, unless there is another question meanwhile."""

GRACE = 5.0
"""Seconds that the process has to end."""

_LONGEST = 1 << 20
"""Bytes of the longest line with thoughts."""


class Adviser:
    """A process that knows bots, kept from hint to hint. Started while the table is being set, it is ready for the first hint."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._asked = 0

    async def start(self) -> None:
        """Start the process; it gets ready by itself. Raises `HostError`."""
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-P", "-m", "bullring.arena.study.hints.process"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the screen
                limit=_LONGEST,
            )
        except OSError as error:
            raise HostError(f"no hints: {error.strerror or error}") from None
        self._reading = asyncio.create_task(self._read())

    async def thoughts(
        self, welcome: Mapping[str, Any], question: Mapping[str, Any], seconds: float = SECONDS
    ) -> Thoughts:
        """Return what the strongest bot that is ready thinks of the options of a `decide` message, after `seconds`.

        `welcome` is the message with which the match began. May be cancelled; the next call ends the thinking about the
        question before. Raises `HostError` if the process has ended.
        """
        if self._process is None or self._process.stdin is None or self._reading is None or self._reading.done():
            raise HostError("no hints: their process has ended")
        self._asked += 1
        number, answer = self._asked, asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        line = {"id": number, "match": welcome, "question": question, "seconds": seconds}
        try:
            with suppress(ConnectionError):  # the reader notices
                self._process.stdin.write(json.dumps(line).encode() + b"\n")
                await self._process.stdin.drain()
            facts = await answer
        finally:
            self._waiting.pop(number, None)
        return Thoughts.from_facts(facts, question["options"])

    async def stop(self) -> None:
        """End the process."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            try:
                await asyncio.wait_for(self._process.wait(), GRACE)
            except TimeoutError:
                self._process.kill()
                await self._process.wait()
        if self._reading is not None:
            await self._reading

    async def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            facts = json.loads(line)
            answer = self._waiting.get(facts["id"])
            if answer is not None and not answer.done():
                answer.set_result(facts)
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(HostError("no hints: their process has ended"))
