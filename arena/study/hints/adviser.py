"""The adviser: asks for hints without waiting for them. For programs that run in asyncio, as screens do."""

import asyncio
from collections.abc import Mapping
from typing import Any

from bullring.arena.cells.processes.kinds import ADVISER
from bullring.arena.cells.processes.with_asyncio import AsyncioChild
from bullring.arena.games.rulebook.language import say
from bullring.arena.study.hints.thoughts import Thoughts
from bullring.errors import HostError

SECONDS = 1.0
"""Seconds a bot thinks about a question, unless there is another question meanwhile."""


class Adviser:
    """A process that knows bots, kept from hint to hint. Started while the table is being set, it is ready for the first hint."""

    def __init__(self) -> None:
        self._child: AsyncioChild | None = None
        self._reading: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._asked = 0

    async def start(self) -> None:
        """Start the process; it gets ready by itself. Raises `HostError`."""
        try:
            self._child = await AsyncioChild.start(ADVISER)
        except OSError as error:
            raise HostError(f"no hints: {error.strerror or error}") from None
        self._reading = asyncio.create_task(self._read(self._child))

    async def thoughts(
        self, welcome: Mapping[str, Any], question: Mapping[str, Any], seconds: float = SECONDS
    ) -> Thoughts:
        """Return the thoughts of the strongest bot that is ready about the options of a `decide` message, after `seconds`.

        `welcome` is the message with which the match began. May be cancelled; the next call ends the thinking about the
        question before. Raises `HostError` if the process has ended.
        """
        if self._child is None or self._reading is None or self._reading.done():
            raise HostError(say("screens.refusals.no_hints"))
        self._asked += 1
        number, answer = self._asked, asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            await self._child.send("ask", {"id": number, "match": welcome, "question": question, "seconds": seconds})
            facts = await answer
        finally:
            self._waiting.pop(number, None)
        return Thoughts.from_facts(facts, question["options"])

    async def stop(self) -> None:
        """End the process."""
        if self._child is not None:
            await self._child.close()
        if self._reading is not None:
            await self._reading

    async def _read(self, child: AsyncioChild) -> None:
        async for _, facts in child.heard:
            answer = self._waiting.get(facts["id"])
            if answer is not None and not answer.done():
                answer.set_result(facts)
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(HostError(say("screens.refusals.no_hints")))
