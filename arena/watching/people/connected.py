"""A match that the referee process plays, for the process in which its people sit.

The match is played by a process of its own (`people.referee`), which ends with this one, whatever ends it. This process gets the
messages to its seats and the public frames, and nothing else. It needs asyncio. What becomes of them is another matter: at one
screen (`client`), or at a screen for each seat (`arena.watching.tables`).
"""

import asyncio
import json
import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from bullring.arena.cells.processes.kinds import PEOPLE
from bullring.arena.cells.processes.with_asyncio import AsyncioChild, heard, reader
from bullring.arena.watching.people.messages import Broken, News, Over, Preparing, Question
from bullring.arena.watching.people.sitting import Sitting
from bullring.arena.watching.picture import frames_json as frames
from bullring.installation import VERSION

LONGEST = 1 << 26
"""Bytes of the longest line that is read."""

_LAST_WORDS = 2000
"""Bytes of the referee's stderr that are kept."""


class Connected:
    """A match with people, for the process in which they sit."""

    def __init__(self, sitting: Sitting, record: str = "") -> None:
        """With a `record`, the match that was left there goes on."""
        self.sitting = sitting
        self.record = record
        """The path of the record, once the match has begun."""
        self.welcomes: dict[int, dict[str, Any]] = {}
        """The message `welcome` of SPEC.md to each seat of a person, with which the match begins: hints need it."""
        self._child: AsyncioChild | None = None
        self._pipes: list[asyncio.ReadTransport] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._writers: dict[int, asyncio.StreamWriter] = {}
        self._end: Over | Broken | None = None
        self._words = b""
        """The last words of the referee on stderr."""

    def _take(self, news: News) -> None:
        """Take news: frames in their order, questions some milliseconds before the frames that lead to them, and last the end."""
        raise NotImplementedError

    def _began(self) -> None:
        """The record was begun."""

    def _refused(self, seat: int, text: str) -> None:
        """The last answer of a seat was refused, so its question is open again."""
        raise NotImplementedError

    async def start(self) -> None:
        """Start the referee process."""
        seats = {seat: socket.socketpair() for seat in self.sitting.people}
        (feed, feeder), (words, stderr) = os.pipe(), os.pipe()
        theirs = [end.fileno() for _, end in seats.values()]
        try:
            self._child = child = await AsyncioChild.start(PEOPLE, stderr=stderr, passed=(*theirs, feeder))
        finally:
            os.close(feeder)
            os.close(stderr)
            for _, end in seats.values():
                end.close()
        order = {
            "sitting": self.sitting.facts(),
            "record": self.record,
            "seats": dict(zip(seats, theirs, strict=True)),
            "feed": feeder,
        }
        await child.send("sit", order)
        (frames_in, feed_pipe), (words_in, words_pipe) = await reader(feed), await reader(words)
        self._pipes = [feed_pipe, words_pipe]
        readers = []
        for seat, (own, _) in seats.items():
            said, self._writers[seat] = await asyncio.open_unix_connection(sock=own, limit=LONGEST)
            readers.append(self._hear(seat, said))
            name = self.sitting.chairs[seat].name
            await self._send(seat, {"type": "hello", "protocol": 1, "name": name, "version": VERSION})
        streams = [*readers, self._told(child), self._see(frames_in), self._overhear(words_in)]
        self._tasks = [asyncio.create_task(stream) for stream in streams]
        self._tasks.append(asyncio.create_task(self._see_the_end(child, self._tasks.copy())))

    async def stop(self) -> None:
        """Leave the match, for good or for a while: all bots end, the record stays. May be called again."""
        child, self._child = self._child, None
        if child is not None:
            child.told.close()
            for writer in self._writers.values():
                writer.close()
            await child.close()
            for pipe in self._pipes:
                pipe.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()

    async def _send(self, seat: int, message: Mapping[str, object]) -> None:
        writer = self._writers[seat]
        with suppress(ConnectionError):  # the end of the referee is told by itself
            writer.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
            await writer.drain()

    async def _hear(self, seat: int, reader: asyncio.StreamReader) -> None:
        """Take the messages to a seat."""
        with suppress(ConnectionError):
            while line := await reader.readline():
                message = json.loads(line)
                match message["type"]:
                    case "welcome":
                        self.welcomes[seat] = message
                    case "decide":
                        self._take(Question(seat, message, self.sitting.limit))
                    case "refused":
                        self._refused(seat, str(message["text"]))

    async def _told(self, child: AsyncioChild) -> None:
        """Take the messages of the referee about the match."""
        async for kind, told in child.heard:
            match kind:
                case "preparing":
                    self._take(Preparing(told["text"]))
                case "began":
                    self.record = told["record"]
                    self._began()
                case "over":
                    self._end = Over(told["facts"])
                case "broken":
                    self._end = Broken(told["text"], told["record"])

    async def _see(self, reader: asyncio.StreamReader) -> None:
        """Take the public frames."""
        async for _, text in heard(reader):
            self._take(frames.read(json.loads(text)))

    async def _overhear(self, reader: asyncio.StreamReader) -> None:
        while data := await reader.read(65536):
            self._words = (self._words + data)[-_LAST_WORDS:]

    async def _see_the_end(self, child: AsyncioChild, streams: list["asyncio.Task[None]"]) -> None:
        """Tell how it ended, after everything else."""
        await asyncio.gather(*streams, return_exceptions=True)
        for seconds in child.ending():
            await asyncio.sleep(seconds)
        if self._end is None:
            words = self._words.decode("utf-8", "replace").strip().rpartition("\n")[2]
            self._end = Broken(f"{PEOPLE.name} {child.wait()}{': ' if words else ''}{words}", self.record)
        self._take(self._end)
