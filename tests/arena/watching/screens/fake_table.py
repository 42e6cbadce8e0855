"""A table without processes: the rules in this process ask people, and bots take the first option."""

import random
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from bullring.arena.games.rules.game import Batch, Shuffle
from bullring.arena.games.rules.registry import find
from bullring.arena.watching.people.messages import News, Over, Question, Remark
from bullring.arena.watching.people.sitting import Sitting
from bullring.arena.watching.picture.reducer import Reducer


class FakeTable:
    """Stands in for `people.client.Table`. Answers are kept in `answers`."""

    def __init__(self, sitting: Sitting, seed: int = 1) -> None:
        self.sitting = sitting
        self.record = ""
        self.welcomes: Mapping[int, dict[str, Any]] = {seat: {"type": "welcome"} for seat in sitting.people}
        self.answers: list[tuple[int, str, Any]] = []
        self.fell_back: list[int] = []
        self.left = False
        self.seconds: float | None = None
        self._random = random.Random(seed)
        self._reducer = Reducer(addressed=True)
        self._news: list[News] = []
        self._open: Question | None = None
        self._given: dict[int, Any] = {}
        self._wakes: Any = None
        self._ids = 0
        names = [chair.name or f"bot {seat}" for seat, chair in enumerate(sitting.chairs)]
        head = {"bullring": 2, "game": sitting.game, "options": dict(sitting.options), "start": 0, "seats": names}
        limits = {"card_us": 1, "row_us": 1, "other_us": 1, "bank_us": 0}
        self._feed({**head, "commitment": "", "limits": limits, "people": list(sitting.people)})

    async def __aenter__(self) -> Self:
        import asyncio

        self._wakes = asyncio.Event()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.left = True

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> News:
        while not self._news:
            if self._open is not None:
                self._wakes.clear()
                await self._wakes.wait()
            elif self._reducer.picture.over:
                raise StopAsyncIteration
            else:
                self._go_on()
        news = self._news.pop(0)
        if isinstance(news, Question):
            self._open = news
        return news

    def _feed(self, entry: dict[str, Any]) -> None:
        self._news += self._reducer.feed(entry)

    def _go_on(self) -> None:
        replay = self._reducer.replay
        game, pending = replay.game, replay.state.pending
        if pending is None:
            scores = list(replay.state.scores)
            ranks = [1 + sum(other < score for other in scores) for score in scores]
            self._feed({"end": {"scores": scores, "ranks": ranks, "void": None}})
            self._news.append(Over({"names": replay.names, "deals": []}))
        elif isinstance(pending, Shuffle):
            cards = self._random.sample(pending.deck, len(pending.deck))[: pending.cards]
            self._feed({"deal": cards})
        else:
            self._ask(game, pending)

    def _ask(self, game: Any, pending: Batch) -> None:
        for at, seat in enumerate(pending.seats):
            if seat in self.sitting.people and seat not in self._given:
                self._ids += 1
                options = [list(one) if isinstance(one, tuple) else one for one in pending.options[at]]
                view = game.view(self._reducer.replay.state, seat)
                message = {"type": "decide", "id": self._ids, "kind": pending.kind, "options": options, "view": view}
                self._news.append(Question(seat, message, self.seconds))
                return
        answers = [
            self._given.get(seat, options[0]) for seat, options in zip(pending.seats, pending.options, strict=True)
        ]
        self._given.clear()
        plain = [list(answer) if isinstance(answer, tuple) else answer for answer in answers]
        self._feed({"answers": plain, "us": [1000] * len(plain)})

    async def answer(self, seat: int, id: int, option: Any) -> None:
        question = self._open
        assert question is not None
        assert (question.seat, question.id) == (seat, id)
        assert question.allows(option), option
        self.answers.append((seat, question.kind, option))
        self._given[seat] = tuple(option) if isinstance(option, list) else option
        self._open = None
        self._wakes.set()

    async def fall_back(self, seat: int) -> None:
        question = self._open
        assert question is not None
        self.fell_back.append(seat)
        self._news.append(Remark(seat, "the referee moved for you"))
        self._given[seat] = tuple(question.options[0]) if isinstance(question.options[0], list) else question.options[0]
        self._open = None
        self._wakes.set()

    def start_clock(self) -> None:
        """Nothing runs."""

    def time_left(self) -> float | None:
        return self.seconds if self._open is not None else None

    async def leave(self) -> None:
        self.left = True


def one_against(count: int, game: str = "standard", **options: Any) -> FakeTable:
    """A table of one person, Ann, and bots."""
    from bullring.arena.watching.people.sitting import Chair

    chairs = (Chair("Ann"), *(Chair(bot="@greedy") for _ in range(count)))
    find(game)(1 + count, options)
    return FakeTable(Sitting(chairs, game=game, options=options))
