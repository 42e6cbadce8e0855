"""The table as the process of a person sees it: messages arrive in order, and answers go back.

::

    async with Table.begin(Sitting((Chair("Anna"), Chair(bot="@greedy")))) as table:
        async for news in table:
            match news:
                case Question(seat=seat):
                    await table.answer(seat, news.id, news.options[0])

The match is played by a process of its own (`people.referee`), which ends with this one, whatever ends it. This process gets the
messages to its seats and the public frames, and nothing else. It needs asyncio.

Frames come some milliseconds after the question that they lead to, so both are put in order here, and one question is handed out
at a time: several people share a screen. The clock of a person starts when they see the question.
"""

import asyncio
import json
import os
import socket
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from bullring.arena.cells.processes.kinds import PEOPLE
from bullring.arena.cells.processes.with_asyncio import AsyncioChild, heard, reader
from bullring.arena.watching.people.messages import Broken, News, Over, Preparing, Question, Remark
from bullring.arena.watching.people.sitting import Sitting, played
from bullring.arena.watching.picture import frames_json as frames
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.steps import Asked
from bullring.installation import VERSION

LONGEST = 1 << 26
"""Bytes of the longest line that is read."""

_LAST_WORDS = 2000
"""Bytes of the referee's stderr that are kept."""


class Table:
    """A match with people, for the process in which they sit. Made by `Table.begin` and `played.Left.resume`.

    As an async context manager it starts the referee, and ends it when it is left. As an async iterator it gives the news; it ends
    after `Over` or `Broken`.
    """

    def __init__(self, sitting: Sitting, record: str = "") -> None:
        """With a `record`, the match that was left there goes on."""
        self.sitting = sitting
        self.record = record
        """The path of the record, once the match has begun."""
        self.welcomes: dict[int, dict[str, Any]] = {}
        """The message `welcome` of SPEC.md to each seat of a person, with which the match begins: hints need it."""
        self._child: AsyncioChild | None = None
        self._pipes: list[asyncio.ReadTransport] = []
        self._news: asyncio.Queue[News | None] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._writers: dict[int, asyncio.StreamWriter] = {}
        self._came: dict[int, deque[Question]] = {seat: deque() for seat in sitting.people}
        """Questions whose frame has not come yet."""
        self._asked: deque[int] = deque()
        """The seats of people in the order in which the frames say that they are asked."""
        self._due: deque[Question] = deque()
        """Questions that wait until the one before is answered."""
        self._open: Question | None = None
        self._answered: dict[int, Question] = {}
        """The last question of each seat, in case its answer is refused."""
        self._deadline: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._end: Over | Broken | None = None
        self._said_end = False
        self._words = b""
        """The last words of the referee on stderr."""

    @classmethod
    def begin(cls, sitting: Sitting) -> "Table":
        """A new match."""
        return cls(replace(sitting, cwd=sitting.cwd or str(Path.cwd()), folder=sitting.folder or str(played())))

    async def __aenter__(self) -> "Table":
        await self._start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.leave()

    def __aiter__(self) -> "Table":
        return self

    async def __anext__(self) -> News:
        news = None if self._said_end and self._news.empty() else await self._news.get()
        if news is None:
            raise StopAsyncIteration
        if isinstance(news, Question) and news is self._open and self._deadline is None:
            self.start_clock()
        self._said_end = self._said_end or isinstance(news, Over | Broken)
        return news

    async def answer(self, seat: int, id: int, option: object) -> None:
        """Answer the open question. An answer that is not legal is refused: a `Remark` says why, and the question comes again.

        Raises `ValueError` if this is not the open question.
        """
        plain = list(option) if isinstance(option, tuple) else option
        question = self._must_be_open(seat, id)
        if not question.allows(plain):  # the referee would say so as well, but by then others are asked
            self._news.put_nowait(Remark(seat, f"{plain!r:.40} is not one of the options"))
            self._news.put_nowait(question)
            return
        self._close(question)
        await self._send(seat, {"type": "choice", "id": id, "option": plain})

    async def fall_back(self, seat: int) -> None:
        """Leave the open question of this seat to the referee, which makes the fallback move of the game. Raises `ValueError`."""
        question = self._must_be_open(seat)
        self._close(question)
        await self._send(seat, {"type": "fall_back", "id": question.id})

    def start_clock(self) -> None:
        """Let the clock of the open question begin now: it begins by itself when the question is handed out, and again here, for
        example when a person has come to a table at which several people take turns."""
        self._stop_clock()
        question = self._open
        if question is None or question.limit is None:
            return
        loop = asyncio.get_running_loop()
        self._deadline = loop.time() + question.limit
        if self.sitting.falls_back:
            self._timer = loop.call_at(self._deadline, self._time_is_over, question)

    def time_left(self) -> float | None:
        """Seconds left for the open question; negative when its time is over, None if no clock runs."""
        if self._deadline is None:
            return None
        return self._deadline - asyncio.get_running_loop().time()

    async def leave(self) -> None:
        """Leave the table, for good or for a while: all bots end, the record stays. May be called again."""
        self._stop_clock()
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
        self._news.put_nowait(None)

    # The referee

    async def _start(self) -> None:
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
                        self._came[seat].append(Question(seat, message, self.sitting.limit))
                        self._hand_out()
                    case "refused":
                        self._news.put_nowait(Remark(seat, str(message["text"])))
                        self._due.appendleft(self._answered[seat])
                        self._hand_out()

    async def _told(self, child: AsyncioChild) -> None:
        """Take the messages of the referee about the match."""
        async for kind, told in child.heard:
            match kind:
                case "preparing":
                    self._news.put_nowait(Preparing(told["text"]))
                case "began":
                    self.record = told["record"]
                case "over":
                    self._end = Over(told["facts"])
                case "broken":
                    self._end = Broken(told["text"], told["record"])

    async def _see(self, reader: asyncio.StreamReader) -> None:
        """Take the public frames."""
        async for _, text in heard(reader):
            frame: Frame = frames.read(json.loads(text))
            self._news.put_nowait(frame)
            if isinstance(frame.step, Asked):
                self._asked.extend(seat for seat in frame.step.seats if seat in self._came)
                self._hand_out()

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
        self._open = None
        self._stop_clock()
        self._news.put_nowait(self._end)

    # Questions

    def _hand_out(self) -> None:
        """Hand out the next question, if its frames have come and no other one is open."""
        while self._asked and self._came[self._asked[0]]:
            self._due.append(self._came[self._asked.popleft()].popleft())
        if self._open is None and self._due:
            self._open = self._due.popleft()
            self._news.put_nowait(self._open)

    def _must_be_open(self, seat: int, id: int | None = None) -> Question:
        """The open question, which must be one to this seat and with this id. Raises `ValueError`."""
        question = self._open
        if question is None or question.seat != seat or id not in (None, question.id):
            asked = "nobody is asked" if question is None else f"seat {question.seat} is asked question {question.id}"
            raise ValueError(f"{asked}, so seat {seat} cannot answer {'' if id is None else f'question {id}'}".rstrip())
        return question

    def _close(self, question: Question) -> None:
        """The open question is answered."""
        self._stop_clock()
        self._answered[question.seat], self._open = question, None
        self._hand_out()

    def _stop_clock(self) -> None:
        self._deadline = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_is_over(self, question: Question) -> None:
        """The person wished that the referee moves for them then."""
        if self._open is question:
            self._news.put_nowait(Remark(question.seat, "the time is over: the referee moves"))
            self._tasks.append(asyncio.create_task(self.fall_back(question.seat)))
