"""The table as the process of a person sees it: messages arrive in order, and answers go back.

::

    async with Table.begin(Sitting((Chair("Anna"), Chair(bot="@greedy")))) as table:
        async for news in table:
            match news:
                case Question(seat=seat):
                    await table.answer(seat, news.id, news.options[0])

Frames come some milliseconds after the question that they lead to, so both are put in order here, and one question is handed out
at a time: several people share a screen. The clock of a person starts when they see the question: `Table.start_clock`.
"""

import asyncio
from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import Any

from bullring.arena.games.rulebook.language import say
from bullring.arena.watching.people.connected import Connected
from bullring.arena.watching.people.messages import Broken, News, Over, Question, Remark
from bullring.arena.watching.people.sitting import Sitting, played
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.steps import Asked


class Table(Connected):
    """A match with people who share a screen. Made by `Table.begin` and `played.Left.resume`.

    As an async context manager it starts the referee, and ends it when it is left. As an async iterator it gives the news; it ends
    after `Over` or `Broken`.
    """

    def __init__(self, sitting: Sitting, record: str = "") -> None:
        """With a `record`, the match that was left there goes on."""
        super().__init__(sitting, record)
        self._news: asyncio.Queue[News | None] = asyncio.Queue()
        self._came: dict[int, deque[Question]] = {seat: deque() for seat in sitting.people}
        """Questions whose frame has not come yet."""
        self._asked: deque[int] = deque()
        """The seats of people in the order in which the frames say that they are asked."""
        self._due: deque[Question] = deque()
        """Questions that wait until the one before is answered."""
        self._open: Question | None = None
        self._answered: dict[int, Question] = {}
        """The last question of each seat, in case its answer is refused."""
        self.held: Any = None
        """The answer to the open question that the person holds: it is sent when their time is over, instead of a fallback move."""
        self._deadline: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._said_end = False

    @classmethod
    def begin(cls, sitting: Sitting) -> "Table":
        """A new match."""
        return cls(replace(sitting, cwd=sitting.cwd or str(Path.cwd()), folder=sitting.folder or str(played())))

    async def __aenter__(self) -> "Table":
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.leave()

    def __aiter__(self) -> "Table":
        return self

    async def __anext__(self) -> News:
        news = None if self._said_end and self._news.empty() else await self._news.get()
        if news is None:
            raise StopAsyncIteration
        self._said_end = self._said_end or isinstance(news, Over | Broken)
        return news

    async def answer(self, seat: int, id: int, option: object) -> None:
        """Answer the open question. An answer that is not legal is refused: a `Remark` says why, and the question comes again.

        Raises `ValueError` if this is not the open question.
        """
        plain = list(option) if isinstance(option, tuple) else option
        question = self._must_be_open(seat, id)
        if not question.allows(plain):  # the referee would say so as well, but by then others are asked
            self._news.put_nowait(Remark(seat, say("screens.refusals.option", given=f"{plain!r:.40}")))
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
        """Let the clock of the open question begin now: the person sees it."""
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
        await self.stop()
        self._news.put_nowait(None)

    def _take(self, news: News) -> None:
        match news:
            case Question(seat=seat):
                self._came[seat].append(news)
            case Over() | Broken():
                self._open = None
                self._stop_clock()
                self._news.put_nowait(news)
                return
            case _:
                self._news.put_nowait(news)
        if isinstance(news, Frame) and isinstance(news.step, Asked):
            self._asked.extend(seat for seat in news.step.seats if seat in self._came)
        self._hand_out()

    def _refused(self, seat: int, text: str) -> None:
        self._news.put_nowait(Remark(seat, text))
        self._due.appendleft(self._answered[seat])
        self._hand_out()

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
        self._answered[question.seat], self._open, self.held = question, None, None
        self._hand_out()

    def _stop_clock(self) -> None:
        self._deadline = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_is_over(self, question: Question) -> None:
        """The person wished that the referee moves for them then."""
        if self._open is not question:
            return
        if self.held is not None:
            moves = self.answer(question.seat, question.id, self.held)
        else:
            self._news.put_nowait(Remark(question.seat, say("screens.refusals.time")))
            moves = self.fall_back(question.seat)
        self._tasks.append(asyncio.create_task(moves))
