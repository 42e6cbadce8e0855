"""The match of a table at which each person has a screen, as the process of the table sees it."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bullring.arena.watching.people.connected import Connected
from bullring.arena.watching.people.messages import News, Question
from bullring.arena.watching.people.sitting import Sitting
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.steps import Asked, Thinking


@dataclass(frozen=True)
class Put:
    """A question, with the number of the frame that tells viewers of it: a page shows what comes before it first."""

    question: Question
    after: int


class Match(Connected):
    """A match whose questions are put to their seats side by side."""

    def __init__(
        self,
        sitting: Sitting,
        take: Callable[[News | Put], None],
        refused: Callable[[int], None],
        began: Callable[[str], None],
    ) -> None:
        """`take` is given all news, and questions as they are put; `refused` the seat whose answer was none, `began` the record."""
        super().__init__(sitting)
        self._taken = take
        self._was_refused = refused
        self._has_begun = began
        self.frames = 0
        """Frames that viewers have got."""
        self._came: dict[int, deque[Question]] = {seat: deque() for seat in sitting.people}
        """Questions whose frame has not come yet."""
        self._asked: dict[int, deque[int]] = {seat: deque() for seat in sitting.people}
        """The numbers of frames that ask a seat, whose question has not come yet."""

    def choose(self, seat: int, id: int, option: Any) -> None:
        """Answer a question."""
        self._later(self._send(seat, {"type": "choice", "id": id, "option": option}))

    def fall_back(self, seat: int, id: int) -> None:
        """Leave a question to the referee."""
        self._later(self._send(seat, {"type": "fall_back", "id": id}))

    def _later(self, sending: Any) -> None:
        task = asyncio.create_task(sending)
        self._tasks.append(task)
        task.add_done_callback(self._tasks.remove)

    def _take(self, news: News) -> None:
        match news:
            case Question(seat=seat):
                self._came[seat].append(news)
                self._put(seat)
                return
            case Frame(step=step) if not isinstance(step, Thinking):
                self.frames += 1
                for seat in step.seats if isinstance(step, Asked) else ():
                    if seat in self._asked:
                        self._asked[seat].append(self.frames)
        self._taken(news)
        if isinstance(news, Frame):
            for seat in self._came:
                self._put(seat)

    def _put(self, seat: int) -> None:
        came, asked = self._came[seat], self._asked[seat]
        if came and asked:
            self._taken(Put(came.popleft(), asked.popleft()))

    def _began(self) -> None:
        self._has_begun(self.record)

    def _refused(self, seat: int, text: str) -> None:
        self._was_refused(seat)
