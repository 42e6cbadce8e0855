"""The process of a table with people: it holds their seats, and nothing that they may not see.

`python -m bullring.arena.watching.tables.table LINE` is told a sitting and the rules of the table on stdin, and speaks with the
steward on the socket `LINE` (`arena.watching.web.handing`):

======================================== ==========================================================================
``done`` 0 201 LINKS                     tells: the table is made; a token for each seat
``ask`` N ``sit`` BODY IS_FORM COOKIE    hears: a browser wants to take a seat (`wish.Claim`)
``done`` N STATUS FACTS COOKIE           tells: the answer, and the cookie by which it is known from now on
``seat`` COOKIE HEAD, with a descriptor  hears: a connection that wants to become that of a seat
``waits`` FACTS                          tells: who is missing, and how those on their seats are called
``began`` RECORD                         tells: the match has begun
``over`` FINISHED                        tells: nothing more will happen; whether the match was played to its end
======================================== ==========================================================================

A table ends with its steward, and its referee with it. The match is then left, as one of `bullring play`, and can go on there.
"""

import asyncio
import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from bullring.arena.cells.processes.frames import Ear
from bullring.arena.cells.processes.inside import end_with_parent, ends
from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import LANGUAGES, in_all, say, speaking
from bullring.arena.games.rules.decision import Decision
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.registry import find
from bullring.arena.study.hints.adviser import Adviser
from bullring.arena.study.reasons import why
from bullring.arena.watching.people.messages import Broken, News, Over, Preparing
from bullring.arena.watching.people.sitting import Sitting
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.teacher import Teacher
from bullring.arena.watching.tables.line import OVER, Line
from bullring.arena.watching.tables.match import Match, Put
from bullring.arena.watching.tables.seat import Seat
from bullring.arena.watching.tables.wish import Claim, Rules
from bullring.arena.watching.web.handing import hand, take
from bullring.errors import HostError, UsageError

ALONE = 600.0
"""Seconds without anybody, after which a table ends."""

LINGER = 60.0
"""Seconds after the end in which those who are away may come back to hear of it."""

PATIENCE = 5.0
"""Seconds for the last messages to be sent."""

Answer = tuple[int, dict[str, Any], str]
"""The status and the facts of an answer, and the cookie to set, if any."""


class Table:
    """A table. `run` ends with it."""

    def __init__(self, key: str, sitting: Sitting, rules: Rules, tell: Callable[..., None]) -> None:
        self.key = key
        self.sitting = sitting
        self.rules = rules
        self.seats = {number: Seat(number) for number in sitting.people}
        self._tell = tell
        self._game: Game[Any] = find(sitting.game)(len(sitting.chairs), sitting.options)
        self._names: list[str] = []
        """Who sits where, as the match calls them."""
        self._match: Match | None = None
        self._preparing: dict[str, str] | None = None
        self._end: dict[str, Any] | None = None
        """The message with which the match has ended."""
        self._ended = asyncio.Event()
        self._alone_since = self._now()
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._teachers: dict[int, dict[str, Teacher]] = {}
        self._adviser: Adviser | None = None
        self._advising = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def links(self) -> list[dict[str, Any]]:
        """A link for each seat, with its token: once."""
        path = f"/tables/{self.key}/sit#"
        return [
            {"seat": seat.number, "name": self._name(seat), "link": path + seat.token.give()}
            for seat in self.seats.values()
        ]

    async def run(self) -> None:
        """Until the match is over and everybody knows, or nobody has been there for long."""
        self._tell_viewers()
        try:
            while not self._ended.is_set() and (rest := self._rest()) > 0:
                with suppress(TimeoutError):
                    async with asyncio.timeout(rest):
                        await self._ended.wait()
            self._tell("over", self._end is not None and self._end["is_"] == "over")
            if self._end is not None and not all(seat.here for seat in self.seats.values()):
                await asyncio.sleep(LINGER)
            for seat in self.seats.values():
                if seat.line is not None:
                    seat.line.close(OVER)
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=PATIENCE)
        finally:
            if self._match is not None:
                await self._match.stop()
            if self._adviser is not None:
                await self._adviser.stop()

    def _rest(self) -> float:
        """Seconds until the table ends, as far as is known now."""
        if any(seat.here for seat in self.seats.values()):
            return ALONE
        if all(seat.left for seat in self.seats.values()):
            return 0.0
        return self._alone_since + ALONE - self._now()

    # Taking a seat

    def sit(self, body: bytes, is_form: bool, cookie: str) -> Answer:
        """A browser, which had this cookie, wants a seat."""
        try:
            claim = Claim.of(body, is_form)
        except UsageError:
            return _refused(422, "unreadable")
        fitting = [seat for seat in self.seats.values() if seat.token.fits(claim.token)]
        seat = fitting[0] if fitting else None
        if seat is None:
            return _refused(403, "no_seat")
        own = self._seat_of(cookie)
        if own is not seat and (own is not None or seat.cookie.given):
            return _refused(409, "seat_taken" if own is None else "second_seat")
        if claim.name and self._match is None:
            try:
                self._rename(seat, claim.name)
            except UsageError:
                return 422, {"error": in_all(self._refusal, seat, claim.name)}, ""
        facts = {"seat": seat.number, "name": self._name(seat)}
        return 200, facts, "" if own is seat else seat.cookie.give()

    def _rename(self, seat: Seat, name: str) -> None:
        """Raises `UsageError`."""
        chairs = [*self.sitting.chairs]
        chairs[seat.number] = replace(chairs[seat.number], name=name)
        self.sitting = replace(self.sitting, chairs=tuple(chairs))
        self._introduce()
        self._tell_viewers()

    def _refusal(self, seat: Seat, name: str) -> str:
        try:
            self._rename(seat, name)
        except UsageError as error:
            return str(error)
        return ""

    def _seat_of(self, cookie: str) -> Seat | None:
        fitting = [seat for seat in self.seats.values() if seat.cookie.fits(cookie)]
        return fitting[0] if fitting else None

    def _name(self, seat: Seat) -> str:
        return self.sitting.chairs[seat.number].name

    # Connections

    def connect(self, cookie: str, head: bytes, fd: int) -> None:
        """Take a connection that the server has handed over."""
        self._start(self._serve(self._seat_of(cookie), head, fd))

    async def _serve(self, seat: Seat | None, head: bytes, fd: int) -> None:
        line = await Line.greeted(fd, head, welcome=seat is not None)
        if line is None or seat is None:
            return
        seat.connect(line)
        self._welcome(seat)
        self._attend()
        async for message in line.messages():
            if seat.line is line:
                self._heard(seat, line, message)
        if seat.line is line:
            seat.line, seat.since = None, self._now()
            self._alone_since = self._now()
            self._attend()

    def _welcome(self, seat: Seat) -> None:
        """Tell a seat all that holds now."""
        self._introduce(seat)
        if self._end is not None:
            seat.send(**self._end)
        elif self._match is None:
            seat.send("waiting", **{"for": self._awaited()})
        elif seat.put is not None:
            self._ask(seat, seat.put)
        elif self._preparing is not None:
            seat.send("preparing", text=self._preparing)

    def _tell_viewers(self) -> None:
        """Tell those who look on who is missing."""
        self._tell("waits", {"names": self._shown_names(), "people": [*self.seats], "missing": self._awaited()})

    def _shown_names(self) -> list[str]:
        return self._names or [harmless(chair.name or chair.bot) for chair in self.sitting.chairs]

    def _introduce(self, *to: Seat) -> None:
        names = self._shown_names()
        for seat in to or self.seats.values():
            seat.send(
                "seat",
                seat=seat.number,
                names=names,
                hand=seat.hand,
                people=[*self.seats],
                game=self.sitting.game,
                rules=self.rules.facts(),
                events=f"/tables/{self.key}/events",
                table=f"/tables/{self.key}",
            )

    def _attend(self) -> None:
        """Somebody has come or gone."""
        if self._match is None and self._end is None:
            awaited = self._awaited()
            self._all("waiting", **{"for": awaited})
            self._tell_viewers()
            if not awaited:
                self._begin()
        else:
            self._all("left", seats=[seat.number for seat in self.seats.values() if not seat.here])
        for seat in self.seats.values():
            self._wind(seat)
        if not any(seat.here for seat in self.seats.values()) and all(seat.left for seat in self.seats.values()):
            self._ended.set()

    def _awaited(self) -> list[int]:
        return [seat.number for seat in self.seats.values() if not seat.came]

    def _all(self, is_: str, **message: Any) -> None:
        for seat in self.seats.values():
            seat.send(is_, **message)

    def _heard(self, seat: Seat, line: Line, message: dict[str, Any]) -> None:
        """Take what a browser says. What is no answer to the open question is old, and nothing is owed for it."""
        put = seat.put
        match message:
            case {"leave": True}:
                seat.left = True
                line.close(OVER)
            case {"choose": choice, "id": int(id)} if put is not None and put.question.id == id and self._match:
                if not put.question.allows(choice):
                    given = f"{choice!r:.40}"
                    seat.send("remark", text=in_all(say, "screens.refusals.option", given=given))
                    self._ask(seat, put)
                    return
                # Of what is equal, the option itself: in JSON, true is not 1.
                option = next(one for one in put.question.options if one == choice)
                for code, teacher in self._teachers.get(seat.number, {}).items():
                    with speaking(code):
                        plain = tuple(option) if isinstance(option, list) else option
                        teacher.chose(put.question.view, put.question.kind, plain)
                self._close(seat)
                played = _cards(self._game.decision(put.question.kind), option)
                seat.hand = [card for card in seat.hand if card not in played]
                self._match.choose(seat.number, id, option)
                seat.send("taken", id=id)
            case {"fall back": True, "id": int(id)} if put is not None and put.question.id == id and self._match:
                self._close(seat)
                self._match.fall_back(seat.number, id)
                seat.send("taken", id=id)
            case {"hint": int(id)} if put is not None and put.question.id == id and self.rules.hints:
                if seat.hint is not None and seat.hint[0] == id:
                    seat.send("hint", **seat.hint[1])
                elif not seat.hinting:
                    seat.hinting = True
                    self._start(self._advise(seat, put))

    # The match

    def _begin(self) -> None:
        """All people are there."""
        if self.rules.lessons:
            self._teachers = {
                number: {code: Teacher(self._game, number) for code in LANGUAGES} for number in self.seats
            }
        self._match = Match(self.sitting, self._take, self._reopen, partial(self._tell, "began"))
        self._start(self._match.start())

    def _take(self, news: News | Put) -> None:
        match news:
            case Preparing():
                self._preparing = in_all(say, "screens.table.setting")
                self._all("preparing", text=self._preparing)
            case Put():
                seat = self.seats[news.question.seat]
                self._preparing = None
                seat.put, seat.asked = news, self._now()
                seat.hand = [*news.question.view.get("hand", ())]
                self._ask(seat, news)
                self._wind(seat)
            case Frame():
                self._see(news)
            case Over(facts):
                shown = {key: facts[key] for key in ("seats", "deals", "names", "void")}
                self._finish({"is_": "over", **shown, "page": f"/tables/{self.key}"})
            case Broken(text):
                sys.stderr.write(f"table {self.key}: {harmless(text, 2000)}\n")
                self._finish({"is_": "broken", "text": in_all(say, "screens.refusals.broken_table")})

    def _see(self, frame: Frame) -> None:
        assert self._match is not None
        if not self._names:
            self._names = [seat.name for seat in frame.picture.seats]
            self._introduce()
        for number, teachers in self._teachers.items():
            said = {}
            for code, teacher in teachers.items():
                with speaking(code):
                    said[code] = teacher.feed(frame)
            if all(said.values()):
                self.seats[number].send("lesson", text=said, after=self._match.frames)

    def _finish(self, message: dict[str, Any]) -> None:
        self._end = message
        for seat in self.seats.values():
            self._close(seat)
            seat.send(**message)
        self._ended.set()

    # Questions

    def _ask(self, seat: Seat, put: Put) -> None:
        question = put.question
        limit = self.rules.limit
        left = None if limit is None else round(max(0.0, seat.asked + limit - self._now()), 2)
        seat.send(
            "question",
            id=question.id,
            after=put.after,
            kind=question.kind,
            options=question.options,
            view=question.view,
            lands=self._lands(question.view),
            limit=limit,
            left=left,
        )

    def _lands(self, view: dict[str, Any]) -> dict[str, list[list[Any]]]:
        """By card of a hand: the rows in which it would lie if it were laid now, with their heads, and whether at the left end."""
        found = {str(card): self._game.landings(view, card) for card in view.get("hand", ())}
        return {card: [[*landing] for landing in landings] for card, landings in found.items() if landings}

    def _close(self, seat: Seat) -> None:
        """The question of a seat was answered."""
        seat.answered, seat.put = seat.put, None
        self._wind(seat)

    def _reopen(self, number: int) -> None:
        """The answer of a seat was refused."""
        seat = self.seats[number]
        seat.put = seat.answered
        if seat.put is not None:
            self._ask(seat, seat.put)
            self._wind(seat)

    def _wind(self, seat: Seat) -> None:
        """Set the clock of a seat: by the limit of the table, or, where others wait for somebody who is away, by its patience."""
        timer = self._timers.pop(seat.number, None)
        if timer is not None:
            timer.cancel()
        if seat.put is None:
            return
        waited_for = not seat.here and any(other.here for other in self.seats.values())
        if seat.left and waited_for:
            deadline = self._now()
        elif self.rules.limit is not None:
            deadline = seat.asked + self.rules.limit
        elif waited_for:
            deadline = max(seat.asked, seat.since) + self.rules.away
        else:
            return
        loop = asyncio.get_running_loop()
        self._timers[seat.number] = loop.call_at(deadline, self._time_is_over, seat, seat.put)

    def _time_is_over(self, seat: Seat, put: Put) -> None:
        if seat.put is put and self._match is not None:
            self._close(seat)
            self._match.fall_back(seat.number, put.question.id)
            seat.send("taken", id=put.question.id, by="fallback")

    async def _advise(self, seat: Seat, put: Put) -> None:
        """Give a hint, made of nothing but what the seat knows."""
        try:
            async with self._advising:  # one after the other: an adviser thinks about the newest question only
                if self._match is None or seat.put is not put:
                    return
                if self._adviser is None:
                    self._adviser = Adviser()
                    await self._adviser.start()
                question = put.question
                thoughts = await self._adviser.thoughts(self._match.welcomes[seat.number], question.message)
            because = None
            if thoughts.best is not None:
                because = in_all(why, self._game, question.view, question.kind, thoughts.best)
            facts = {
                "id": question.id,
                "costs": [[one.option, one.heads, one.error] for one in thoughts.options],
                "best": thoughts.best,
                "by": thoughts.by,
                "why": because if because and all(because.values()) else None,
            }
            seat.hint = question.id, facts
            if seat.put is put:
                seat.send("hint", **facts)
        except HostError:
            self._adviser = None
            seat.send("remark", text=in_all(say, "screens.refusals.no_hints"))
        finally:
            seat.hinting = False

    # Beneath

    def _start(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


def _refused(status: int, text: str) -> Answer:
    return status, {"error": in_all(say, f"screens.refusals.{text}")}, ""


def _cards(decision: Decision, option: Any) -> list[int]:
    """The cards that an answer names."""
    if not isinstance(option, list):
        return [option] if decision.names == "card" else []
    things = decision.each if len(decision.each) > 1 else decision.each * len(option)
    return [value for thing, value in zip(things, option, strict=False) if thing == "card"]


async def keep(order: dict[str, Any], line: socket.socket) -> None:
    """Keep a table until it ends."""
    line.setblocking(False)

    def tell(*message: Any) -> None:
        with suppress(OSError):  # the steward has ended, and this process does, too
            hand(line, *message)

    table = Table(order["key"], Sitting.of(order["sitting"]), Rules(**order["rules"]), tell)

    def hear() -> None:
        with suppress(BlockingIOError):
            while (came := take(line)) is not None:
                match came:
                    case ["ask", number, "sit", body, is_form, cookie], []:
                        tell("done", number, *table.sit(body, is_form, cookie))
                    case ["seat", cookie, head], [fd]:
                        table.connect(cookie, head, fd)
            loop.remove_reader(line)

    loop = asyncio.get_running_loop()
    tell("done", 0, 201, {"links": table.links()}, "")
    loop.add_reader(line, hear)
    await table.run()


def main() -> int:
    """Run the program. Returns the exit code."""
    source, sink = ends()
    os.close(sink)
    line = socket.socket(fileno=int(sys.argv[1]))
    line.set_inheritable(False)
    order = next(iter(Ear(source)), None)
    if order is not None:
        end_with_parent(source)
        asyncio.run(keep(order[1], line))
    return 0


if __name__ == "__main__":
    sys.exit(main())
