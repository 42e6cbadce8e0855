"""The table at which people play: the picture of the table, the hand below it, and the choices."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from rich.style import Style
from rich.text import Text as Words
from textual import events
from textual.app import ComposeResult, RenderResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import DEFAULT, LANGUAGES
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.decision import Thing
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.registry import find
from bullring.arena.study.hints.adviser import Adviser
from bullring.arena.study.hints.thoughts import Thoughts
from bullring.arena.watching.display.blocks import Block
from bullring.arena.watching.display.cards import heads_mark
from bullring.arena.watching.display.text import hint_text
from bullring.arena.watching.people.client import Table
from bullring.arena.watching.people.messages import Broken, Over, Preparing, Question, Remark
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.teacher import Teacher
from bullring.arena.watching.screens import PACE
from bullring.arena.watching.screens.pace import Pacing
from bullring.arena.watching.screens.shell import TICK, Dialog, TableView
from bullring.arena.watching.screens.table.choice import DONE, Choice, Item, Sight, order
from bullring.arena.watching.screens.table.hand import drawn, needed, offered, pointed
from bullring.errors import BullringError

SOON = 10.0
"""Seconds left from which the clock is shown in red."""

End = Over | Broken | None
"""The end of a match on the screen; None if the person has left it."""

_ON_TABLE: tuple[Thing, ...] = ("row", "stack", "seat")

POOL_STEP = 8
"""Cards that the cursor passes when it goes up or down among open cards."""


class Play(Screen[End]):
    """A match with people. Ends with how the match ended, or None if the person has left it."""

    DEFAULT_CSS = """
    Play { layout: vertical; }
    Play #said, Play #clock { height: 1; }
    Play #told { height: auto; max-height: 3; }
    Play #foot { height: 1; }
    Play Hand { height: 4; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", "keys.before"),
        Binding("right", "move(1)", "keys.after"),
        Binding("up", "jump(-1)", "keys.up"),
        Binding("down", "jump(1)", "keys.down"),
        Binding("enter", "choose", "keys.play"),
        Binding("space", "mark", "keys.mark"),
        Binding("escape", "back", "keys.back"),
        Binding("end", "latest", "keys.latest"),
        Binding("plus,equals_sign", "faster", "keys.faster", key_display="+"),
        Binding("minus", "slower", "keys.slower", key_display="-"),
        Binding("i", "hint", "keys.hint"),
        Binding("t", "teach", "keys.teach"),
        Binding("f", "fall_back", "keys.fall_back"),
        Binding("q", "leave", "keys.leave_table"),
    ]

    def __init__(
        self,
        table: Table,
        language: str = "en",
        *,
        confirm: bool = False,
        hint: bool = False,
        teach: bool = False,
        pace: float = PACE,
        adviser: Adviser | None = None,
    ) -> None:
        """With `confirm`, a choice is made by a second Enter, and can be taken back until then. `pace` is in seconds a step."""
        super().__init__()
        self.table = table
        self.language = LANGUAGES[language]
        self.confirm = confirm
        self.hint = hint
        self.teach = teach
        sitting = table.sitting
        self.game: Game[Any] = find(sitting.game)(len(sitting.chairs), sitting.options)
        self.pacing = Pacing(pace)
        self.question: Question | None = None
        self.choice: Choice | None = None
        self.cursor: Item | None = None
        self.hand: tuple[int, ...] = ()
        """The cards that are shown as the hand."""
        self.whose: int | None = None
        """The seat whose hand is shown."""
        self.said = ""
        """The answer to the last key."""
        self.thoughts: Thoughts | None = None
        self.lesson = ""
        self.end: Over | Broken | None = None
        self._several = len(sitting.people) > 1
        own = sitting.people[0] if not self._several else None
        self.words = wording(type(self.game), language)
        self._teacher = Teacher(self.game, language, own)
        self._adviser = adviser or Adviser()
        self._advises = False
        """Whether the adviser has been started."""
        self._asking: asyncio.Task[None] | None = None
        self._typed = ""
        self._sure = False
        """Whether the wish for the referee's move needs only one more key."""
        self._next: Question | None = None
        """A question to a person who must come to the keyboard first."""
        self._ticked = ""
        """The clock as it is shown."""
        self._gone = False

    def compose(self) -> ComposeResult:
        yield Tabletop(self)
        yield Static(id="said")
        yield Hand(self)
        yield Static(id="told")
        yield Static(id="foot")

    def on_mount(self) -> None:
        self.set_interval(TICK, self.look)
        self.run_worker(self._follow(), exclusive=True)
        if self.hint:
            self.run_worker(self._ready())

    async def on_unmount(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
        if self._advises:
            await self._adviser.stop()
        await self.table.leave()

    def on_resize(self) -> None:
        self.show()

    # News

    async def _follow(self) -> None:
        """Take the news of the match."""
        try:
            async with self.table as table:
                async for news in table:
                    self._take(news)
        except BullringError as error:
            self.end = Broken(str(error))
        self.look()

    def _take(self, news: object) -> None:
        match news:
            case Preparing(text):
                self.said = harmless(text, 400)
            case Frame(picture=picture):
                # The limits in the picture are those of bots; people have a clock of their own.
                self.pacing.add([replace(news, picture=replace(picture, limit_us=None))], time.monotonic())
                if (lesson := self._teacher.feed(news)) is not None:
                    self.lesson = lesson
            case Question():
                self._ask(news)
            case Remark(_, text):
                self.said = harmless(text, 400)
            case Over() | Broken():
                self.end = news
                self._no_question()
        self.show()

    def _ask(self, question: Question) -> None:
        self.said = ""
        if self._several and question.seat != self.whose:
            self.hand, self.whose = (), None
            self._no_question()
            self._next = question  # the curtain waits until everybody has seen what has happened
        else:
            self._open(question)

    def _draw_curtain(self, question: Question) -> None:
        name = self.table.sitting.chairs[question.seat].name
        lines = self.text("give", name=name), self.text("come", name=name)
        self.app.push_screen(Curtain(*lines), lambda _: self._open(question))

    def _open(self, question: Question) -> None:
        """Show a question to the person at its seat."""
        if self._several:
            with suppress(ValueError):
                self.table.start_clock()
        self.question, self.whose = question, question.seat
        self.hand = tuple(sorted(question.view.get("hand", ())))
        decision, told = self.game.decision(question.kind), partial(self.words.told, question.kind)
        self.choice = Choice(question.options, decision, self._sight(question), told)
        self.cursor = next(iter(self.choice.open), None)
        self.thoughts, self._typed, self._sure = None, "", False
        if self.hint:
            self._advise()
        self.show()

    def _sight(self, question: Question) -> Sight:
        view = question.view
        return Sight(
            hand=frozenset(view.get("hand", ())),
            pool=frozenset(view.get("pool", ())),
            cards=len(self.game.heads) - 1,
            rows=len(view.get("rows", ())),
            stacks=len(view.get("stacks", ())),
            seats=self.game.seats,
        )

    def _no_question(self) -> None:
        self.question = self.choice = self.cursor = self.thoughts = None
        if self._asking is not None:
            self._asking.cancel()

    # Answers

    def action_move(self, by: int) -> None:
        """Move the cursor among the items that can be chosen."""
        self._typed, self.said = "", ""
        items = self._items()
        if items:
            at = items.index(self.cursor) if self.cursor in items else -1 if by > 0 else 0
            self.cursor = items[(at + by) % len(items)]
        self.show()

    def action_jump(self, by: int) -> None:
        """Move the cursor up or down: in a list and among rows one by one, else between the table and the hand."""
        items = self._items()
        if not items or self.cursor not in items:
            self.action_move(by)
            return
        at, kind = items.index(self.cursor), self.cursor.kind
        pool = self.choice is not None and kind == "card" and self.cursor.value in self.choice.sight.pool
        step = by * POOL_STEP if pool else by
        if (pool or kind in ("row", "option", "stack", "seat")) and 0 <= at + step < len(items):
            self.action_move(step)
            return
        others = items[at + 1 :] if by > 0 else items[at - 1 :: -1] if at else []
        self.cursor = next((item for item in others if item.kind != kind), self.cursor)
        self._typed = ""
        self.show()

    def action_choose(self) -> None:
        """Choose the item at the cursor, or confirm the choice."""
        if self.end is not None:
            self._leave(self.end)
        elif self.choice is not None and self.confirm and self.choice.complete:
            self._answer()
        elif self.cursor is not None:
            self._point(self.cursor)
        else:
            self.action_latest()

    def action_mark(self) -> None:
        """Choose the item at the cursor or take it back, without playing it."""
        if self.choice is not None and self.cursor is not None and self.cursor != DONE:
            self._point(self.cursor, play=False)

    def _point(self, item: Item, *, play: bool = True) -> None:
        choice = self.choice
        self._typed, self.said, self._sure = "", "", False
        if choice is None:
            return
        if choice.complete and item not in choice.chosen:
            choice.clear()  # another one instead
        if item not in choice.open and item not in choice.chosen:
            self.said = self._refusal(item)
        elif choice.point(item):
            if play and (not self.confirm or item == DONE):
                self._answer()
                return
        else:
            still = [other for other in choice.open if other != DONE] or choice.open
            self.cursor = item if item in choice.chosen and not still else next(iter(still), item)
        self.show()

    def _refusal(self, item: Item) -> str:
        """The reason why an item cannot be chosen now; empty if it can."""
        choice = self.choice
        if choice is None:
            return ""
        said = self.text("not_now", what=choice.label(item))
        return f"{said}: {choice.decision.options}" if self.language.code == DEFAULT else said

    def _answer(self) -> None:
        question, choice = self.question, self.choice
        if question is None or choice is None or choice.answer is None:
            return
        option = question.options[choice.answer]
        shows = choice.decision.shows
        shown = shows(choice.options[choice.answer]).split() if shows is not None else []
        hand = list(self.hand)
        for number in shown:
            if number.isdecimal() and int(number) in hand:
                hand.remove(int(number))
        self.hand = () if self._several else tuple(hand)
        self._no_question()
        self.run_worker(self._send(question, option))
        self.show()

    async def _send(self, question: Question, option: Any) -> None:
        with suppress(ValueError):  # the clock was faster
            await self.table.answer(question.seat, question.id, option)

    def action_back(self) -> None:
        """Take the choice back; if there is none, show the latest step."""
        self._typed, self.said, self._sure = "", "", False
        if self.choice is not None and self.choice.chosen:
            self.choice.clear()
            self.said = self.text("taken_back")
        else:
            self.action_latest()
        self.show()

    def action_fall_back(self) -> None:
        """Let the referee move, if the key is pressed twice."""
        question = self.question
        if question is None:
            return
        if not self._sure:
            self._sure, self.said = True, self.text("sure")
        else:
            self._no_question()
            self.said = ""
            self.run_worker(self._give_up(question))
        self.show()

    async def _give_up(self, question: Question) -> None:
        with suppress(ValueError):
            await self.table.fall_back(question.seat)

    def on_key(self, event: events.Key) -> None:
        """Type a number."""
        if self.choice is None or not (event.character or "").isdecimal():
            return
        event.stop()
        self.said = ""
        digit = event.character or ""
        for typed in (self._typed + digit, digit):  # a digit that continues nothing begins a new number
            if found := self._numbered(typed):
                self._typed, self.cursor = typed, found
                break
        else:
            self._type_refused(self._typed + digit)
        self.show()

    def _type_refused(self, typed: str) -> None:
        """Say why nothing has this number. That of a card that is not allowed now is typed to its end."""
        held = [number for number in self.hand if str(number).startswith(typed)]
        self._typed = typed if held else ""
        if held:
            number = int(typed) if int(typed) in held else held[0]
            self.said = self._refusal(Item("card", number))
        else:
            self.said = self.text("no_such", typed=typed)

    def _numbered(self, typed: str) -> Item | None:
        """The item with this number, or else the first whose number begins so."""
        numbers = {self._number(item): item for item in reversed(self._items())}
        return numbers.get(typed) or next((numbers[one] for one in reversed(numbers) if one.startswith(typed)), None)

    def _number(self, item: Item) -> str:
        """The number to type for an item; empty if it has none."""
        if isinstance(item.value, str) or item == DONE:
            return ""
        return str(item.value + 1) if item.kind == "option" else str(item.value)

    def on_click(self, event: events.Click) -> None:
        """Choose the item that was clicked on."""
        if self.end is not None:
            self._leave(self.end)
            return
        item = self._clicked(event.style.meta)
        if item is not None:
            self.cursor = item
            self._point(item)

    def _clicked(self, meta: dict[str, Any]) -> Item | None:
        choice = self.choice
        if choice is None:
            return None
        if "item" in meta:
            items = offered(choice)
            return items[meta["item"]] if meta["item"] < len(items) else None
        found = [Item("card", meta["pick"])] if "pick" in meta else []
        found += [Item(kind, meta[kind]) for kind in _ON_TABLE if kind in meta]
        ready = [item for item in found if item in choice.open or item in choice.chosen]
        return next(iter([*ready, *(item for item in found if item in choice.items), *found[:1]]), None)

    def _items(self) -> list[Item]:
        """The items that the cursor can be at."""
        if self.choice is None:
            return []
        return sorted({*self.choice.open, *self.choice.chosen}, key=order)

    # Hints and lessons

    def action_hint(self) -> None:
        """Show hints, or hide them."""
        self.hint = not self.hint
        if self.hint:
            self._advise()
        else:
            self.thoughts = None
        self.show()

    def action_teach(self) -> None:
        """Explain turns, or stop explaining."""
        self.teach = not self.teach
        self.show()

    def _advise(self) -> None:
        question = self.question
        if question is None or len(question.options) < 2:
            return
        if self._asking is not None:
            self._asking.cancel()
        self._asking = asyncio.get_running_loop().create_task(self._think(question))

    async def _ready(self) -> None:
        if not self._advises:
            self._advises = True
            with suppress(BullringError):  # who asks is told
                await self._adviser.start()

    async def _think(self, question: Question) -> None:
        welcome = self.table.welcomes.get(question.seat)
        try:
            await self._ready()
            thoughts = await self._adviser.thoughts(welcome or {}, question.message)
        except BullringError as error:
            self.said = str(error)
        else:
            if self.question is question:
                self.thoughts = thoughts
        self.show()

    # The picture

    def action_latest(self) -> None:
        """Show the latest step."""
        self.pacing.skip(time.monotonic())
        self.look()

    def action_faster(self) -> None:
        self.pacing.faster()

    def action_slower(self) -> None:
        self.pacing.slower()

    def action_leave(self) -> None:
        """Leave the table."""
        self._leave(self.end)

    def _leave(self, end: End) -> None:
        if not self._gone:
            self._gone = True
            self.dismiss(end)

    def look(self) -> None:
        """Draw the frame that is due."""
        if not self.query(Tabletop):
            return  # the screen is being taken away, and its clock ticks once more
        moved = self.query_one(Tabletop).follow(self.pacing, time.monotonic())
        if self._ticked != (clock := self._clock().plain):
            self._ticked = clock
            moved = True
        if self._next is not None and self.pacing.latest:
            question, self._next = self._next, None
            self._draw_curtain(question)
        if moved:
            self.show()

    def show(self) -> None:
        """Draw the hand and the lines of words."""
        if not self.is_mounted or self._gone:
            return
        width, height = self.app.size
        hand = self.query_one(Hand)
        hand.styles.height = needed(self.hand, self.choice, width, height)
        hand.refresh()
        view = self.query_one(Tabletop)
        view.refresh()
        self.query_one("#said", Static).update(self._saying())
        told = self.query_one("#told", Static)
        lines = list(self._telling())
        told.update(Words("\n").join(lines) if lines else Words(""))
        told.display = bool(lines)
        foot = self.query_one("#foot", Static)
        foot.update(Words(self.text("keys"), style="dim", no_wrap=True, overflow="ellipsis"))
        foot.display = height >= 15

    def _saying(self) -> Words:
        """The clock, and the task of the person, or the answer to the last key."""
        clock = self._clock()
        if self.said:
            return Words.assemble(clock, (self.said, "yellow"), no_wrap=True, overflow="ellipsis")
        text, style = "", "bold"
        if isinstance(self.end, Broken):
            text, style = self.text("broken", text=harmless(self.end.text, 400)), "red"
        elif self.end is not None:
            text, style = self.text("over"), "bold green"
        elif self.choice is not None and self.question is not None:
            text = self._asked(self.question, self.choice)
        elif self.pacing.frames:
            text, style = self._waiting(), ""
        else:
            text, style = self.text("setting"), "dim"
        return Words.assemble(clock, (text, style), no_wrap=True, overflow="ellipsis")

    def _asked(self, question: Question, choice: Choice) -> str:
        if choice.complete and self.confirm and choice.answer is not None:
            told = choice.told(choice.options[choice.answer])
            return self.text("confirm", choice=told)
        text = self.words.asks(question.kind)
        heads = question.view.get("row_heads", ())
        if choice.items and all(item.kind == "row" for item in choice.items) and len(heads) == choice.sight.rows:
            # What the rows cost now: the picture above may still be showing what has led here.
            costs = "  ".join(f"{item.value}: {heads_mark(heads[int(item.value) - 1])}" for item in choice.items)
            text = f"{text}  {costs}"
        return f"{text}  {self._typed}" if self._typed else text

    def _waiting(self) -> str:
        picture = self.pacing.frames[-1].picture
        if not self.pacing.latest:
            return ""
        names = self.language.listed(seat.name for seat in picture.seats if seat.asked)
        if not names:
            return ""
        down = any(picture.seats[seat].down for seat in self.table.sitting.people)
        return self.text("hidden" if down else "wait", names=names)

    def _telling(self) -> Iterator[Words]:
        """Hints and lessons."""
        if self.hint and self.question is not None and len(self.question.options) > 1:
            yield Words(self._advice(), style="cyan")
        if self.teach and self.lesson:
            yield Words(self.text("why", text=self.lesson), style="green")

    def _advice(self) -> str:
        thoughts, choice = self.thoughts, self.choice
        if thoughts is None or choice is None:
            return self.text("thinking")
        return hint_text(thoughts, self.text)

    def worth(self) -> dict[Item, str]:
        """The worth of each item by the hints: the fewest heads of the options that it belongs to."""
        found: dict[Item, float] = {}
        if self.hint and self.thoughts is not None and self.choice is not None:
            for one in self.thoughts.options:
                for item in self.choice.made_of(one.option):
                    found[item] = min(one.heads, found.get(item, one.heads))
        return {item: f"{heads:.1f}" for item, heads in found.items()}

    def style_of(self, kind: str, number: int) -> Style | str:
        """The mark of a thing on the table."""
        choice = self.choice
        if choice is None:
            return ""
        item = Item(kind, number)  # type: ignore[arg-type]  # the keys of the drawing are kinds
        if kind == "card" and number not in choice.sight.pool:
            return ""
        if item == self.cursor:
            return Style(reverse=True)
        return Style(bold=True, underline=True) if item in choice.chosen else ""

    def _clock(self) -> Words:
        """The time that is left for the open question; red when it is nearly over."""
        left = self.table.time_left() if self.question is not None else None
        if left is None:
            return Words("")
        text = self.text("left" if left >= 0 else "late", seconds=f"{abs(left):.0f}")
        return Words.assemble((f" {text} ", "bold bright_white on red" if left < SOON else "reverse"), "  ")

    def text(self, key: str, /, **values: object) -> str:
        """A text in the person's language."""
        return self.language.say(f"screens.table.{key}", **values)


class Tabletop(TableView):
    """The table, with marks on the items that can be chosen there."""

    def __init__(self, play: Play) -> None:
        super().__init__()
        self._play = play

    def render(self) -> Block | Words:
        table = super().render()
        return pointed(table, self._play.style_of) if isinstance(table, Block) else table


class Hand(Widget):
    """The hand of the person who is asked."""

    def __init__(self, play: Play) -> None:
        super().__init__()
        self._play = play

    def render(self) -> RenderResult:
        play = self._play
        name = "" if play.whose is None else harmless(play.table.sitting.chairs[play.whose].name)
        return drawn(
            play.hand,
            play.choice,
            play.cursor,
            play.game.heads,
            *self.size,
            title=play.text("hand", name=name) if name else "",
            extra=play.text("from"),
            worth=play.worth(),
        ).fitted(*self.size)


class Curtain(Dialog[None]):
    """Hides everything until the person who is asked has come."""

    DEFAULT_CSS = "Curtain { background: ansi_default; } Curtain Static { width: auto; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "open", "keys.open")]

    def __init__(self, *lines: str) -> None:
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        yield Static(Words("\n\n".join(map(harmless, self._lines)), justify="center", style="bold"))

    def action_open(self) -> None:
        """Show the hand."""
        self.close()

    def on_click(self) -> None:
        self.close()
