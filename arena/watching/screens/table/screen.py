"""The table at which people play: the picture of the table, the hand below it, and the choices."""

import asyncio
import time
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import ceil, inf
from string import ascii_uppercase
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text as Words
from textual import events
from textual.app import ComposeResult, RenderResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import spoken
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.board import Pool
from bullring.arena.games.rules.decision import Thing
from bullring.arena.games.rules.game import TAKEN, Game, Landing, Option
from bullring.arena.games.rules.registry import find
from bullring.arena.study.hints.adviser import Adviser
from bullring.arena.study.hints.thoughts import Thought, Thoughts
from bullring.arena.study.reasons import reasons
from bullring.arena.watching.display.blocks import Block, whole
from bullring.arena.watching.display.board import Mark
from bullring.arena.watching.display.cards import AIMED, FRESH, Size, back, heads_mark
from bullring.arena.watching.display.decisions import option_bars
from bullring.arena.watching.display.playing import Note, Plan, planned, playing
from bullring.arena.watching.display.text import HINTED, option_text
from bullring.arena.watching.people.client import Table
from bullring.arena.watching.people.messages import Broken, Over, Preparing, Question, Remark
from bullring.arena.watching.people.sending import HOLD, Send
from bullring.arena.watching.picture.picture import Frame, Picture
from bullring.arena.watching.picture.sentences import told
from bullring.arena.watching.picture.steps import Faulted
from bullring.arena.watching.picture.teacher import Teacher
from bullring.arena.watching.screens import PACE
from bullring.arena.watching.screens.pace import Pacing
from bullring.arena.watching.screens.shell import TICK, Dialog, TableView
from bullring.arena.watching.screens.table.choice import Choice, Item
from bullring.arena.watching.screens.table.deciding import Deciding
from bullring.arena.watching.screens.table.hand import drawn, laid, offered, pointed, starred
from bullring.errors import BullringError

SOON = 10.0
"""Seconds left from which the clock is shown in red."""

End = Over | Broken | None
"""The end of a match on the screen; None if the person has left it."""

SAND, SAND_GONE = "▰▰▰▰▰▰", "▱▱▱▱▱▱"
"""The time for which a choice is held, and how much of it is over."""

CALL = 3
"""Lines of the frame in which somebody is called to the keyboard."""

NAMED = 20
"""Letters of a name that are shown to whoever is called to the keyboard."""

KEYS = "itfq"
"""Letters that are keys of the table."""

FULL_HAND = 10
"""Cards for which there is room in the hand of a game that does not say how many it deals."""

_ON_TABLE: tuple[Thing, ...] = ("row", "stack", "seat")


class Play(Screen[End]):
    """A match with people. Ends with how the match ended, or None if the person has left it."""

    DEFAULT_CSS = """
    Play { layout: vertical; }
    Play #said, Play #foot { height: 1; }
    Play #said { text-align: center; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", "keys.before", priority=True),
        Binding("right", "move(1)", "keys.after", priority=True),
        Binding("up", "jump(-1)", "keys.up", priority=True),
        Binding("down", "jump(1)", "keys.down", priority=True),
        Binding("enter", "choose", "keys.play", priority=True),
        Binding("space", "mark", "keys.mark", priority=True),
        Binding("escape,backspace", "back", "keys.back", priority=True),
        Binding("end", "latest", "keys.latest", priority=True),
        Binding("plus,equals_sign", "faster", "keys.faster", key_display="+", priority=True),
        Binding("minus", "slower", "keys.slower", key_display="-", priority=True),
        Binding("i", "hint", "keys.hint", priority=True),
        Binding("t", "teach", "keys.teach", priority=True),
        Binding("f", "fall_back", "keys.fall_back", priority=True),
        Binding("q", "leave", "keys.leave_table", priority=True),
        *(Binding(digit, f"digit('{digit}')", priority=True) for digit in "0123456789"),
    ]

    def __init__(
        self,
        table: Table,
        *,
        send: Send = Send.HELD,
        hint: bool = False,
        teach: bool = False,
        pace: float = PACE,
        adviser: Adviser | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`pace` is in seconds a step."""
        super().__init__()
        self.table = table
        self.now = clock
        self.hint = hint
        self.teach = teach
        sitting = table.sitting
        self.game: Game[Any] = find(sitting.game)(len(sitting.chairs), sitting.options)
        self.words = wording(type(self.game))
        self.deciding = Deciding(self.game, self.words, Pacing(pace), self, self.text, send, sitting.falls_back)
        self.whose: int | None = None
        """The seat whose hand is shown."""
        self.thoughts: Thoughts | None = None
        self._opinions: tuple[tuple[Item, ...], dict[Item, Thought]] | None = None
        """What was chosen at the last look, and the same by item."""
        self.end: Over | Broken | None = None
        self._preparing = ""
        """Why the match has not begun yet."""
        self._several = len(sitting.people) > 1
        own = sitting.people[0] if not self._several else None
        self._teacher = Teacher(self.game, own)
        self._lessons: dict[int, str] = {}
        """The lessons by the frames that they are about."""
        self._adviser = adviser or Adviser()
        self._advises = False
        """Whether the adviser has been started."""
        self._known: dict[Option, str] = {}
        """What speaks for or against options of the question."""
        self._asking: asyncio.Task[None] | None = None
        self._curtain: Question | None = None
        """The question to a person who must come to the keyboard first."""
        self.plan: Plan | None = None
        self._ticked = ""
        """The clock as it is shown."""
        self._gone = False

    def compose(self) -> ComposeResult:
        yield Tabletop(self)
        yield Static(id="said")
        yield Hand(self)
        yield Static(id="notes")
        yield Static(id="foot")

    def on_mount(self) -> None:
        self.set_interval(TICK, self._tick)
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
        """Give everything its place: it depends on nothing else, so nothing moves while people play."""
        self.plan = plan = self.plan_of(*self.app.size)
        self.styles.padding = (0, (self.app.size.width - plan.width) // 2)
        places = {
            "Tabletop": plan.title + plan.seats + plan.middle,
            "#said": 1,
            "Hand": plan.hand_lines,
            "#notes": plan.notes,
            "#foot": plan.foot,
        }
        for name, lines in places.items():
            place = self.query_one(name)
            place.styles.height = lines
            place.display = lines > 0
        self.show()

    def plan_of(self, width: int, height: int) -> Plan:
        """The places on a terminal of this size."""
        columns, full = self.game.columns(self.game.new()).keys() - {TAKEN}, self.game.figures().get("hand")
        hand = full if isinstance(full, int) else FULL_HAND
        hand *= 1 + ("hand" in columns)  # where hands are counted, they grow
        return planned(width, height, self.game.seats, hand, figures=bool(columns))

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
                self._preparing = harmless(text, 400)
            case Frame(picture=picture):
                self.pacing.add([replace(news, picture=_for_players(picture))], self.now())
                if (lesson := self._teacher.feed(news)) is not None:
                    self._lessons[len(self.pacing.frames) - 1] = lesson
            case Question():
                self._ask(news)
            case Remark(_, text):
                self.deciding.forget()
                self.deciding.said = harmless(text, 400)
            case Over() | Broken():
                self.end = news
                self.deciding.forget()
                self._close()
        self.look()

    @property
    def pacing(self) -> Pacing:
        """The frames, of which one is shown."""
        return self.deciding.pacing

    @property
    def lesson(self) -> str:
        """The lesson of the last turn that was seen whole."""
        return next((text for at, text in reversed(self._lessons.items()) if at <= self.pacing.at), "")

    def _ask(self, question: Question) -> None:
        self.deciding.take(question)
        if self._several and question.seat != self.whose:
            self.deciding.hand, self.whose = (), None

    def _open(self, question: Question) -> None:
        """Show a question to the person at its seat, whose clock begins now."""
        if question is not self.deciding.ready():
            return  # it was withdrawn while a curtain hid it
        self.whose = question.seat
        self.table.start_clock()
        self.deciding.open(self.now())
        self.thoughts = None
        self._known.clear()
        if self.hint:
            self._advise()
        self.show()

    def _draw_curtain(self, question: Question) -> None:
        self._curtain = question
        self.deciding.forget_ahead()
        seats = self.table.sitting.people
        names = [harmless(self.table.sitting.chairs[seat].name, NAMED) for seat in seats]
        name, letter = names[seats.index(question.seat)], letters(names)[seats.index(question.seat)]
        give, come = self.text("give", name=name), self.text("come", name=name, letter=letter)
        cards = len(question.view.get("hand", ()))
        self.app.push_screen(Curtain(letter, give, come, cards, self), lambda _: self._open(question))

    def _close(self) -> None:
        """Nobody is asked any more."""
        self.thoughts = self.table.held = None
        if self._asking is not None:
            self._asking.cancel()
        if self._several:
            self.deciding.hand = ()

    # Answers, as `Deciding` gives them

    def sent(self, question: Question, option: Any) -> None:
        """Send an answer."""
        self._close()
        self._teacher.chose(question.view, question.kind, option)
        self.run_worker(self._send(self.table.answer(question.seat, question.id, option)))

    def falls_back(self, question: Question) -> None:
        """Leave a move to the referee."""
        self._close()
        self.run_worker(self._send(self.table.fall_back(question.seat)))

    def left(self) -> float | None:
        """Seconds left for the open question."""
        return self.table.time_left()

    async def _send(self, answer: Coroutine[Any, Any, None]) -> None:
        with suppress(ValueError):  # the clock was faster
            await answer

    # Keys. All of them have priority: those that go to the screen first would be overtaken by those that do not.

    def action_move(self, by: int) -> None:
        """Move the cursor among the items that can be chosen."""
        self.deciding.move(by, self.now())
        self.look()

    def action_jump(self, by: int) -> None:
        """Move the cursor up or down."""
        self.deciding.jump(by, self.now())
        self.look()

    def action_digit(self, digit: str) -> None:
        """Type a number."""
        self.deciding.digit(digit, self.now())
        self.look()

    def action_choose(self) -> None:
        """Choose the item at the cursor, or send what is held."""
        if self.end is not None and self.pacing.latest:
            self._leave(self.end)
        else:
            self.deciding.enter(self.now())
            self.look()

    def action_mark(self) -> None:
        """Choose the item at the cursor or take it back, without playing it."""
        self.deciding.mark(self.now())
        self.look()

    def action_back(self) -> None:
        """Take the choice back; if there is none, show the latest step."""
        self.deciding.back(self.now())
        self.look()

    def action_fall_back(self) -> None:
        """Let the referee move, if the key is pressed twice."""
        self.deciding.fall_back()
        self.look()

    def on_click(self, event: events.Click) -> None:
        """Choose the item that was clicked on."""
        if self.end is not None and self.pacing.latest:
            self._leave(self.end)
            return
        self.deciding.click(self._clicked(event.style.meta), self.now())
        self.look()

    def _clicked(self, meta: dict[str, Any]) -> Item | None:
        choice = self.deciding.choice
        if choice is None:
            return None
        if "item" in meta:
            items = offered(choice)
            return items[meta["item"]] if meta["item"] < len(items) else None
        found = [Item("card", meta["pick"])] if "pick" in meta else []
        found += [Item(kind, meta[kind]) for kind in _ON_TABLE if kind in meta]
        ready = [item for item in found if item in choice.open or item in choice.chosen]
        return next(iter([*ready, *(item for item in found if item in choice.items), *found[:1]]), None)

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
        question = self.deciding.question
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
            self.deciding.said = str(error)
        else:
            if self.deciding.question is question:
                self.thoughts, self._opinions = thoughts, None
        self.show()

    @staticmethod
    def _by_item(thoughts: Thoughts, choice: Choice) -> Iterator[tuple[Item, Thought]]:
        """The thoughts that go with what is chosen, by item, the best ones last."""
        for one in sorted(thoughts.options, key=lambda one: -one.heads):
            items = choice.made_of(one.option)
            if choice.complete or {*choice.chosen} <= {*items}:
                yield from ((item, one) for item in items)

    # The picture

    def action_latest(self) -> None:
        """Show the latest step."""
        self.pacing.skip(self.now())
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
        """Let time pass, and draw."""
        self._pass_time()
        self.show()

    def _tick(self) -> None:
        """Let time pass, and draw if something has changed."""
        moved = self._pass_time()
        if self._ticked != (shown := self._saying().plain):
            self._ticked, moved = shown, True
        if moved:
            self.show()

    def _pass_time(self) -> bool:
        """Show the frame that is due, the question that it leads to, and send what was held long enough."""
        if not self.query(Tabletop):
            return False  # the screen is being taken away, and its clock ticks once more
        now, deciding = self.now(), self.deciding
        moved = self.query_one(Tabletop).follow(self.pacing, now)
        moved |= deciding.tick(now)
        question = deciding.ready()
        if question is not None and self._several and question.seat != self.whose:
            if question is not self._curtain:
                self._draw_curtain(question)
        elif question is not None:
            self._open(question)
        choice = deciding.choice
        self.table.held = (
            choice.options[choice.answer] if choice and deciding.held and choice.answer is not None else None
        )
        return moved

    def show(self) -> None:
        """Draw the table, the hand and the lines of words."""
        if not self.is_mounted or self._gone:
            return
        self.query_one(Tabletop).refresh()
        self.query_one(Hand).refresh()
        self.query_one("#said", Static).update(self._saying())
        self.query_one("#notes", Static).update(Words("\n").join(self._notes_below()))
        self.query_one("#foot", Static).update(Words(self.text("keys"), no_wrap=True, overflow="ellipsis"))

    def _saying(self) -> Words:
        """The clock, and the task of the person, or the answer to the last key."""
        clock, deciding = self._clock(), self.deciding
        texts, style = self._to_do()
        if deciding.said:
            texts, style = (deciding.said,), "bold magenta"
        elif self._several and self.whose is not None and deciding.question is not None:
            texts = [f"{self.table.sitting.chairs[self.whose].name}: {text}" for text in texts] + list(texts)
        room = (self.plan.width if self.plan is not None else self.app.size.width) - clock.cell_len
        text = next((text for text in texts if cell_len(text) <= room), texts[-1])
        return Words.assemble(clock, (text, style), no_wrap=True, overflow="ellipsis")

    def _to_do(self) -> tuple[Sequence[str], str]:
        """What the person has to do, or waits for, in as many words as possible and in fewer, with its style."""
        deciding = self.deciding
        if isinstance(self.end, Broken):
            return (self.text("broken", text=harmless(self.end.text, 400)),), "red"
        if not self.pacing.frames:
            return (self._preparing or self.text("setting"),), ""
        if deciding.question is not None and deciding.choice is not None:
            return self._asked(deciding.question, deciding.choice), "bold"
        if not self.pacing.latest:
            frame = self.pacing.frames[max(0, self.pacing.at)]
            return ("" if isinstance(frame.step, Faulted) else told(frame),), ""
        if self.end is not None:
            return (self.text("over"),), "bold green"
        return (self._waiting(),), ""

    def _asked(self, question: Question, choice: Choice) -> Sequence[str]:
        deciding = self.deciding
        if deciding.due is not None and choice.answer is not None:
            left = deciding.due - self.now()
            full = ceil(max(0.0, min(1.0, left / HOLD)) * len(SAND))
            told = choice.told(choice.options[choice.answer])
            sand = SAND[:full] + SAND_GONE[full:]
            keys = ("confirm", "confirm_short") if left == inf else ("held", "held_short")
            return [self.text(key, choice=told, sand=sand) for key in keys]
        if foresight := self._foresight():
            return foresight
        text = self.words.asks(question.kind)
        heads = question.view.get("row_heads", ())
        if choice.items and all(item.kind == "row" for item in choice.items) and len(heads) == choice.sight.rows:
            costs = "  ".join(f"{item.value}: {heads_mark(heads[int(item.value) - 1])}" for item in choice.items)
            text = f"{text}  {costs}"
        return (text,)

    def _waiting(self) -> str:
        picture = self.pacing.frames[-1].picture
        names = spoken().listed(seat.name for seat in picture.seats if seat.asked)
        if not names:
            return ""
        down = any(picture.seats[seat].down for seat in self.table.sitting.people)
        return self.text("hidden" if down else "wait", names=names)

    def notes(self) -> Sequence[Note]:
        """What is told beside the board; the last is the history, which the table has itself.

        While the keyboard is handed over, there is nobody to be told anything else.
        """
        if self._several and self.whose is None:
            return (Note(self.text("history")),)
        return (
            Note(
                self._hint_title(),
                self._advice() if self.hint else "",
                "cyan",
                self.hint,
                fixed=True,
                off=self.text("hint_off"),
                bars=self._bars,
            ),
            Note(
                self.text("lesson_title"),
                self.lesson if self.teach else "",
                "green",
                self.teach,
                off=self.text("lesson_off"),
            ),
            Note(self.text("history")),
        )

    def _notes_below(self) -> Sequence[Words]:
        """The lines of what is told, where it has no panel beside the board."""
        plan = self.plan
        told = [note for note in self.notes() if note.text]
        if plan is None or not told:
            return ()
        lines = plan.notes // len(told) or 1
        return [Words(line) for note in told for line in whole(note.text, plan.width, lines)]

    def _hint_title(self) -> str:
        by = self.thoughts.by if self.hint and self.thoughts is not None else ""
        return self.text("hint_by", by=by) if by else self.text("hint_title")

    def _advice(self) -> str:
        """The hint, and what speaks for or against the option at the cursor, or else the one of the hint."""
        question, thoughts = self.deciding.question, self.thoughts
        if question is None:
            return ""
        if len(question.options) < 2:
            return self.text("only_one")
        if thoughts is None:
            return self.text("thinking")
        if thoughts.best is None or self.plan is None:
            return self.text("no_hint")
        own = {one.option: one for one in thoughts.options}
        aimed = self.opinions.get(self.deciding.cursor) if self.deciding.cursor else None
        about = aimed.option if aimed is not None else thoughts.best
        lines = [self._valued(thoughts.best, own.get(thoughts.best), "best")]
        if about != thoughts.best:
            lines.append(self._valued(about, own.get(about), "valued"))
        lines.append(self._about(question, about))
        if self.plan.hand < Size.BOX:  # the numbers are on no cards
            others = sorted(thoughts.options, key=lambda one: one.heads)[1:HINTED]
            lines.append("; ".join(self._valued(one.option, one, "valued") for one in others))
        return "\n".join(filter(None, lines))

    def _bars(self, width: int, height: int) -> Words:
        """The heads to expect of all choices, and what they cost against the best one."""
        thoughts, cursor = self.thoughts, self.deciding.cursor
        found = () if thoughts is None else sorted(thoughts.options, key=lambda one: one.heads)
        options = [one.option for one in found]
        if thoughts is None or thoughts.best not in options or len(options) < 2 or self.deciding.question is None:
            return Words()
        aimed = self.opinions.get(cursor) if cursor else None
        return option_bars(
            [option_text(option) for option in options],
            [one.heads for one in found],
            best=options.index(thoughts.best),
            cursor=options.index(aimed.option) if aimed is not None else None,
            width=width,
            height=height,
        )

    def _valued(self, option: Option, thought: Thought | None, key: str) -> str:
        """An option with the heads to expect, if the bot has such numbers."""
        choice = self.deciding.choice
        items = choice.made_of(option) if choice is not None else ()
        cards = choice is None or all(item.kind == "card" for item in items)
        shown = option_text(option) if cards or choice is None else choice.told(option)
        if thought is None:
            return self.text(f"{key}_bare", option=shown)
        return self.text(key, option=shown, heads=thought.heads)

    def _about(self, question: Question, option: Option) -> str:
        """What speaks for or against an option, which is found once for each question."""
        if option not in self._known:
            facts = reasons(self.game, question.view, question.kind, option)
            self._known[option] = "; ".join(self.words.reasons([fact]) for fact in facts)
        return self._known[option]

    @property
    def opinions(self) -> Mapping[Item, Thought]:
        """By item, what the hint thinks of the best option that it belongs to, together with what is chosen."""
        choice, thoughts = self.deciding.choice, self.thoughts
        if choice is None or thoughts is None:
            return {}
        chosen = tuple(choice.chosen)
        if self._opinions is None or self._opinions[0] != chosen:
            self._opinions = chosen, dict(self._by_item(thoughts, choice))
        return self._opinions[1]

    def worth(self) -> dict[Item, str]:
        """The worth of each item by the hints: the fewest heads of the options that it belongs to."""
        return {item: spoken().number(thought.heads, ".1f") for item, thought in self.opinions.items()}

    def advised(self) -> Collection[Item]:
        """The items of the option that the hint would choose."""
        choice, thoughts = self.deciding.choice, self.thoughts
        return () if choice is None or thoughts is None else choice.made_of(thoughts.best)

    def landings(self) -> Sequence[Landing]:
        """Where the card at the cursor would go if it were laid now, before all others."""
        deciding = self.deciding
        if deciding.question is None or deciding.cursor is None or deciding.cursor.kind != "card":
            return ()
        return self.game.landings(deciding.question.view, int(deciding.cursor.value))

    def marks(self) -> dict[int, Mark]:
        """What the person is told of rows: where the card at the cursor would go, and where the cursor is."""
        cursor = self.deciding.cursor
        aimed = {int(cursor.value)} if cursor is not None and cursor.kind == "row" else set[int]()
        worth = {int(item.value): heads for item, heads in self.worth().items() if item.kind == "row"}
        if aimed or worth:
            return {row: Mark(words=worth.get(row, ""), aimed=row in aimed) for row in {*worth, *aimed}}
        landings = self.landings()
        if cursor is None or len(landings) != 1:
            return {}
        (lands,) = landings
        risk = self._risk()
        words = f"+{heads_mark(lands.heads)}" if lands.heads else "" if risk is None else f"{risk:.0%}"
        return {lands.place: Mark(None if lands.left or lands.heads else int(cursor.value), words)}

    def _risk(self) -> float | None:
        """How likely the card at the cursor takes cards in this turn, by the hint's playouts."""
        thought = self.opinions.get(self.deciding.cursor) if self.deciding.cursor else None
        return None if thought is None else thought.takes

    def _foresight(self) -> Sequence[str]:
        """In words, how likely the card at the cursor takes cards, and where it would go; then in fewer words."""
        landings, cursor, risk = self.landings(), self.deciding.cursor, self._risk()
        if cursor is None or not landings:
            return self._only(cursor)
        least = min(landings, key=lambda one: one.heads)
        key = "lands_nowhere" if len(landings) > 1 and least.heads else "lands_on" if least.heads else "lands"
        places, heads = spoken().listed(one.place for one in landings), spoken().heads(least.heads)
        short = self.text(key, row=places, heads=heads)
        long = short + self.text("laid_first") if self._together() and key != "lands_nowhere" else short
        if risk is None:
            return [f"{cursor.value}: {told}" for told in (long, short)]
        thought, share = self.opinions[cursor], f"{100 * risk:.0f}"
        others = [one for one in thought.option if one != cursor.value] if isinstance(thought.option, tuple) else []
        card = self.text("with", card=cursor.value, others=spoken().listed(others)) if others else f"{cursor.value}"
        return [
            f"{card}: {self.text('risk', share=share)}; {long}",
            f"{card}: {self.text('risk', share=share)}; {short}",
            f"{cursor.value}: {self.text('risk_short', share=share)}; {short}",
        ]

    def _only(self, cursor: Item | None) -> Sequence[str]:
        """The only option that the thing at the cursor belongs to, in words, with what speaks for or against it."""
        question, choice = self.deciding.question, self.deciding.choice
        options = choice.options_with(cursor) if choice is not None and cursor is not None else ()
        if question is None or choice is None or len(options) != 1:
            return ()
        told = self.text("only_option", choice=choice.told(options[0]))
        about = self._about(question, options[0])
        return [f"{told}: {about}", told] if about else [told]

    def _together(self) -> bool:
        """Whether others play at the same time, so that a card is not laid at once."""
        picture = self.pacing.frames[-1].picture
        return sum(seat.asked or seat.down for seat in picture.seats) > 1

    def undealt(self) -> int:
        """The cards that the person's hand will still get, while hands are drafted."""
        full = self.game.figures().get("hand")
        drafts = (
            any(isinstance(part, Pool) for part in self.pacing.frames[-1].picture.board)
            if self.pacing.frames
            else False
        )
        return full - len(self.deciding.hand) if drafts and isinstance(full, int) else 0

    def style_of(self, kind: str, number: int) -> Style | str:
        """The mark of a thing on the table."""
        choice = self.deciding.choice
        if choice is None:
            return ""
        item = Item(kind, number)  # type: ignore[arg-type]  # the keys of the drawing are kinds
        if kind == "card":
            return ""  # its edge says it
        if item == self.deciding.cursor:
            return Style(reverse=True)
        return Style(bold=True, underline=True) if item in choice.chosen else ""

    def edges(self) -> dict[int, str]:
        """The edges of open cards that are chosen, or at the cursor."""
        choice, cursor = self.deciding.choice, self.deciding.cursor
        if choice is None:
            return {}
        found = {int(item.value): FRESH for item in choice.chosen if item.kind == "card"}
        if cursor is not None and cursor.kind == "card":
            found[int(cursor.value)] = AIMED
        return {number: edge for number, edge in found.items() if number in choice.sight.pool}

    def _clock(self) -> Words:
        """The time that is left for the open question; red when it is nearly over."""
        left = self.table.time_left() if self.deciding.question is not None else None
        if left is None:
            return Words("")
        text = self.text("left" if left >= 0 else "late", seconds=f"{abs(left):.0f}")
        return Words.assemble((f" {text} ", "bold bright_white on red" if left < SOON else "reverse"), "  ")

    def text(self, key: str, /, **values: object) -> str:
        """A text in the person's language."""
        return spoken().say(f"screens.table.{key}", **values)


def _for_players(picture: Picture) -> Picture:
    """The picture without what only the authors of programs want to know: limits, times and faults."""
    seats = tuple(replace(seat, us=None, times=(), faults=0) for seat in picture.seats)
    return replace(picture, limit_us=None, seats=seats)


class Tabletop(TableView):
    """The table as a player sees it, with marks on what can be chosen there."""

    def __init__(self, play: Play) -> None:
        super().__init__()
        self._play = play

    def render(self) -> Block | Words:
        play = self._play
        if self.frame is None or play.plan is None:
            return Words("")
        queue, marks = play.text("queue"), play.marks()
        table = playing(
            self.frame, play.plan, play.notes(), queue=queue, marks=marks, edges=play.edges(), phase=self.phase
        )
        choice = play.deciding.choice
        open_cards = () if choice is None else [item for item in play.advised() if item.value in choice.sight.pool]
        return starred(pointed(table, play.style_of), open_cards)


class Hand(Widget):
    """The hand of the person who is asked."""

    def __init__(self, play: Play) -> None:
        super().__init__()
        self._play = play

    def render(self) -> RenderResult:
        play, deciding = self._play, self._play.deciding
        if play.plan is None:
            return Words("")
        return drawn(
            deciding.hand,
            deciding.choice,
            deciding.cursor,
            play.game.heads,
            *self.size,
            max(play.plan.hand, Size.BOX),  # a hand may be smaller than the one that has its place
            leaving=deciding.leaving() if deciding.held else (),
            extra=play.text("from"),
            worth=play.worth(),
            advised=play.advised(),
            free=play.undealt(),
        ).fitted(*self.size)


def letters(names: Sequence[str]) -> Sequence[str]:
    """For each name a letter for its owner: the first of the name that is neither another's nor a key of the table."""
    found: list[str] = []
    for name in names:
        own = [letter for letter in name.upper() if letter.isalpha()]
        free = (one for one in (*own, *ascii_uppercase) if one not in found and one.lower() not in KEYS)
        found.append(next(free))
    return found


class Curtain(Dialog[None]):
    """Lies over everything below the board until the person who is asked has come, and types a letter.

    One Enter or click too many shows no hand, and the letter that does chooses nothing.
    """

    DEFAULT_CSS = """
    Curtain { align: center bottom; }
    Curtain Static { width: 100%; text-align: center; background: ansi_default; }
    """

    def __init__(self, letter: str, give: str, come: str, cards: int, play: Play) -> None:
        super().__init__()
        self._letter = letter
        self._give = give
        self._come = come
        self._cards = cards
        self._play = play

    def compose(self) -> ComposeResult:
        yield Static()

    def on_resize(self) -> None:
        """Take the place of all that is below the board."""
        width, height = self.app.size
        plan = self._play.plan_of(width, height)
        lines = height - plan.title - plan.seats - plan.middle
        hand = Block([])
        for size in (size for size in reversed(Size) if size <= plan.hand):
            hand = laid([back(size)] * self._cards, size, width)
            if hand.height <= lines - CALL:
                break
        shown = self.query_one(Static)
        shown.styles.height = lines
        words = [*self._call(), *hand.lines[: max(0, lines - CALL)]]
        shown.update(Words("\n", no_wrap=True, overflow="ellipsis").join(words))

    def _call(self) -> Sequence[Words]:
        """Who is called, in a frame: what to do before, and what to do then."""
        wide = max(cell_len(self._give) + 2, cell_len(self._come)) + 2
        rest = "─" * (wide - cell_len(self._give) - 3)
        return [
            Words.assemble("╭─", (f" {self._give} ", "bold reverse"), rest, "╮", style="bold cyan"),
            Words.assemble("│", (self._come.center(wide), "bold default"), "│", style="bold cyan"),
            Words(f"╰{'─' * wide}╯", "bold cyan"),
        ]

    def on_key(self, event: events.Key) -> None:
        if (event.character or "").upper() == self._letter:
            event.stop()
            self.close()
