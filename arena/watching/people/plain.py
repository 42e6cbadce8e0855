"""A table in lines of text, for screen readers and any terminal: steps are told in sentences, and answers are typed."""

import asyncio
import os
import shutil
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from bullring.arena.games.rulebook.language import Reader, say, spoken
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.board import OpenHands, Pool, Rows, Stacks, Waiting
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.registry import find
from bullring.arena.games.rules.sayings import Count, Heads, cards_text
from bullring.arena.study.hints.adviser import Adviser
from bullring.arena.study.reasons import why
from bullring.arena.watching.display.text import hint_text, option_text
from bullring.arena.watching.people.client import Table
from bullring.arena.watching.people.messages import Broken, Over, Preparing, Question, Remark
from bullring.arena.watching.people.sending import Send
from bullring.arena.watching.picture import steps
from bullring.arena.watching.picture.picture import Frame, Picture
from bullring.arena.watching.picture.sentences import told
from bullring.arena.watching.picture.teacher import Teacher
from bullring.errors import HostError

END = "q"
"""Typed to leave the table."""

HINTED = "i"
"""Typed for a hint."""

FEW = 12
"""Options that are listed; more of them lie on the table anyway."""

Answer = int | str | list[int]


class Typed:
    """Lines that are typed, without stopping the event loop."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        self._put: Callable[[str | None], object] = lambda line: loop.call_soon_threadsafe(self._lines.put_nowait, line)
        threading.Thread(target=self._read, daemon=True).start()

    async def line(self) -> str | None:
        """The next line without its end; None when the input has ended."""
        return await self._lines.get()

    def _read(self) -> None:
        # `os.read` holds no lock of Python's, so the process can end while it waits.
        data = b""
        with suppress(RuntimeError):  # the event loop is gone
            with suppress(OSError):  # the terminal is gone
                while more := os.read(sys.stdin.fileno(), 4096):
                    *lines, data = (data + more).split(b"\n")
                    for line in lines:
                        self._put(line.decode("utf-8", "replace").strip())
            if data:
                self._put(data.decode("utf-8", "replace").strip())
            self._put(None)


class Plain:
    """A match in lines of text."""

    def __init__(self, table: Table, *, send: Send = Send.HELD, teach: bool = False, hint: bool = False) -> None:
        """Where input is not typed, every choice is sent at once: the next line is for the next question."""
        self.table = table
        self.send = send if sys.stdin.isatty() else Send.AT_ONCE
        self.hint = hint
        sitting = table.sitting
        self.game: Game[Any] = find(sitting.game)(len(sitting.chairs), sitting.options)
        alone = sitting.people[0] if len(sitting.people) == 1 else None
        self._teacher = Teacher(self.game, alone) if teach else None
        self._several = len(sitting.people) > 1
        self._adviser: Adviser | None = None
        self._picture = Picture()

    async def play(self) -> Over | Broken | None:
        """Play until the match is over. Returns how it ended; None if the person has left."""
        typed = Typed()
        try:
            if self.hint:
                with suppress(HostError):  # said when there should be a hint
                    await self._get_adviser()
            async with self.table as table:
                async for news in table:
                    match news:
                        case Preparing(text):
                            self._say(text)
                        case Remark(_, text):
                            self._say(text)
                        case Question():
                            if not await self._ask(news, typed):
                                return None
                        case Over() | Broken():
                            return news
                        case Frame():
                            self._tell(news)
        finally:
            if self._adviser is not None:
                await self._adviser.stop()
        return None

    def _tell(self, frame: Frame) -> None:
        self._picture = frame.picture
        lesson = self._teacher.feed(frame) if self._teacher else None
        if lesson:
            self._say(self._text("lesson", text=lesson))
        if not isinstance(frame.step, steps.Thinking | steps.Asked) and (text := told(frame)):
            self._say(text)

    async def _ask(self, question: Question, typed: Typed) -> bool:
        """Ask until there is an answer. Returns False if the person leaves."""
        name = self.table.sitting.chairs[question.seat].name
        if not self._several:
            self.table.start_clock()
        else:
            self._say("\n" * shutil.get_terminal_size().lines + self._text("next", name=name))
            if await typed.line() is None:
                return False
            self.table.start_clock()
        self._say("\n".join(["", *lines(self._picture)]))
        self._say(self._text("hand", cards=worth_text(question.view.get("hand", ()), self._picture.bears)))
        options = question.options
        numbered = not all(isinstance(option, int) for option in options)
        if numbered and len(options) > FEW:
            numbered = False
            self._say(self._text("such_as", example=option_text(options[0])))
        elif numbered:
            self._say("\n".join(f"{number}: {self._told(question, one)}" for number, one in enumerate(options, 1)))
        elif question.kind != "card" and len(options) <= FEW:
            self._say(self._text("options", options=spoken().listed(options)))
        if self.hint:
            await self._advise(question)
        instead: str | None = None
        while True:
            line, instead = (await self._typed(question, typed) if instead is None else instead), None
            if line is None or line.lower() == END:
                return False
            if line.lower() == HINTED:
                await self._advise(question)
                continue
            if line == "?":
                self._say(self._text("help"))
                continue
            answer = chosen(line, options, numbered=numbered)
            if answer is None:
                known = range(1, len(options) + 1) if numbered else options if len(options) <= FEW else ()
                listed = self._text("options", options=spoken().listed(map(option_text, known))) if known else ""
                self._say(self._text("wrong", typed=repr(line[:40]), options=listed).rstrip())
                continue
            if (instead := await self._hold(self._words(question, answer), answer, typed)) is not None:
                continue
            if self._teacher:
                self._teacher.chose(question.view, question.kind, tuple(answer) if isinstance(answer, list) else answer)
            with suppress(ValueError):  # the clock was faster
                await self.table.answer(question.seat, question.id, answer)
            return True

    async def _typed(self, question: Question, typed: Typed) -> str | None:
        """The next line; None when the input has ended."""
        left = self.table.time_left()
        purpose = wording(type(self.game)).purpose(question.kind)
        self._say(f"{purpose}{f' ({left:.0f} s)' if left is not None else ''}>", end=" ")
        line = await typed.line()
        if not sys.stdin.isatty():  # a terminal shows what is typed
            self._say(line or "")
        return line

    def _told(self, question: Question, option: Any) -> str:
        """An option as it is typed if it is a card, else in words."""
        card = isinstance(option, int) and self.game.decision(question.kind).names == "card"
        return option_text(option) if card else self._words(question, option)

    def _words(self, question: Question, option: Any) -> str:
        """An option in words that follow "you"."""
        plain = tuple(option) if isinstance(option, list) else option
        return wording(type(self.game)).told(question.kind, plain, Reader())

    async def _hold(self, told: str, answer: Answer, typed: Typed) -> str | None:
        """Hold a choice as long as it can be taken back. Returns the line that was typed instead, or None to send it."""
        seconds = self.send.seconds(self.table.time_left(), falls_back=self.table.sitting.falls_back)
        if seconds == 0:
            return None
        self._say(self._text("confirm" if seconds is None else "held", choice=told))
        self.table.held = answer
        try:
            line = await asyncio.wait_for(typed.line(), seconds)
        except TimeoutError:
            return None
        self.table.held = None
        return line or (END if line is None else None)

    async def _advise(self, question: Question) -> None:
        """Give a hint of the strongest built-in bot."""
        welcome = self.table.welcomes.get(question.seat)
        if welcome is None:
            return
        try:
            thoughts = await (await self._get_adviser()).thoughts(welcome, question.message)
        except HostError as error:
            self._say(str(error))
            return
        self._say(hint_text(thoughts, partial(self._told, question)))
        if thoughts.best is not None:
            reasons = why(self.game, question.view, question.kind, thoughts.best)
            if reasons:
                self._say(self._text("because", option=self._told(question, thoughts.best), reasons=reasons))

    async def _get_adviser(self) -> Adviser:
        """The adviser, which gets ready meanwhile. Raises `HostError`."""
        if self._adviser is None:
            self._adviser = Adviser()
            await self._adviser.start()
        return self._adviser

    def _text(self, key: str, /, **values: object) -> str:
        return spoken().say(f"screens.plain.{key}", **values)

    def _say(self, text: str, end: str = "\n") -> None:
        width = max(20, shutil.get_terminal_size().columns)
        wrapped = [textwrap.fill(line, width, break_on_hyphens=False) for line in text.split("\n")]
        sys.stdout.write("\n".join(wrapped) + end)
        sys.stdout.flush()


def lines(picture: Picture) -> Iterator[str]:
    """The cards on the table, and the scores, in lines of text."""
    for part in picture.board:
        match part:
            case Rows(rows, heads):
                for number, (row, worth) in enumerate(zip(rows, heads, strict=True), 1):
                    yield say("screens.plain.row", number=number, cards=cards_text(row) or "-", heads=Heads(worth))
            case Stacks(stacks):
                for number, stack in enumerate(stacks, 1):
                    top = stack[-1] if stack else "-"
                    yield say("screens.plain.stack", number=number, top=top, cards=Count(len(stack)))
            case Pool(cards):
                yield say("screens.plain.pool", cards=cards_text(cards))
            case Waiting(cards):
                shown = ", ".join(f"{card} ({picture.seats[seat].name})" for seat, card in cards)
                yield say("screens.plain.waiting", cards=shown)
            case OpenHands(_, hands):
                for seat, cards in enumerate(hands):
                    if cards:
                        yield say("screens.plain.known", name=picture.seats[seat].name, cards=cards_text(cards))
    yield say("screens.plain.scores", scores=", ".join(f"{seat.name} {seat.score}" for seat in picture.seats))


def worth_text(cards: Sequence[int], bears: Sequence[int]) -> str:
    """Cards with the heads that they bear, if these are more than one: "13, 22 (5), 60 (3)"."""
    return ", ".join(f"{card} ({bears[card]})" if bears[card] > 1 else str(card) for card in cards)


def chosen(line: str, options: Sequence[Any], *, numbered: bool) -> Answer | None:
    """The option that was typed: as it stands, or by its number where options are numbered; None if it is none of them."""
    words = line.replace(",", " ").split()
    found = [option for option in options if words and words == option_text(option).split()]
    if numbered and len(words) == 1 and words[0].isdecimal():  # then a number is that of a line
        found = [option for number, option in enumerate(options, 1) if number == int(words[0])]
    return next((list(option) if isinstance(option, list | tuple) else option for option in found), None)
