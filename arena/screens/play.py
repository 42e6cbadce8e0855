"""The table at which a person plays: what happens, staged, and below it the hand and what can be answered."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

from rich.text import Text as Drawn
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from bullring.arena.display import worth
from bullring.arena.escaping import harmless
from bullring.arena.hints.adviser import Adviser
from bullring.arena.people.client import Table
from bullring.arena.people.news import Broken, Over, Preparing, Question, Remark
from bullring.arena.picture.picture import Frame
from bullring.arena.picture.teaching import Teacher
from bullring.arena.rulebook.language import LANGUAGES
from bullring.arena.rules.registry import find
from bullring.arena.rules.wording.text import Text
from bullring.arena.screens.hand import Hand
from bullring.arena.screens.pacing import PACE, Pacing
from bullring.arena.screens.shell import TICK, TableView
from bullring.errors import HostError

End = Over | Broken | None
"""How it ended; None if the person has left."""


class Play(Screen[End]):
    """A match with people. It dismisses itself with how the match ended.

    Frames are shown at their pace; a question is shown after everything that has led to it.
    """

    DEFAULT_CSS = """
    Play { layout: vertical; background: ansi_default; color: ansi_default; }
    Play #lesson { height: auto; max-height: 3; padding: 0 1; display: none; }
    Play #hint { height: auto; max-height: 8; padding: 0 1; display: none; }
    Play #told { height: 1; padding: 0 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "what the strongest built-in bot thinks"),
        Binding("t", "teach", "explain each turn, or not"),
        Binding("escape", "take_back", "take back what is not confirmed"),
        Binding("end", "latest", "to the latest step", key_display="End"),
        Binding("plus,equals_sign", "pace(1)", "faster", key_display="+"),
        Binding("minus", "pace(-1)", "slower", key_display="-"),
        Binding("q", "leave", "leave; the match can go on later"),
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
    ) -> None:
        """`confirm` asks again before an answer is given; `hint` shows one for each question; `pace` is in seconds a step."""
        super().__init__()
        self.table = table
        self.language = LANGUAGES[language]
        self.confirm = confirm
        self.hint = hint
        self.teach = teach
        self.pacing = Pacing(pace)
        self.question: Question | None = None
        """What is asked, once everything before it was shown."""
        self._next: Question | None = None
        """What is asked next."""
        self._chosen: Any = None
        """What waits for its confirmation."""
        self._present: int | None = None
        """The seat of the person before the screen."""
        self._end: Over | Broken | None = None
        self._said = ""
        sitting = table.sitting
        self._teacher = Teacher(find(sitting.game)(len(sitting.chairs), sitting.options), language)
        self._lessons: dict[int, str] = {}
        """Sentences by the number of the frame on which they are said."""
        self._adviser: Adviser | None = None

    def compose(self) -> ComposeResult:
        yield TableView()
        yield Static(id="lesson")
        yield Static(id="hint")
        yield Hand()
        yield Static(id="told")

    def on_mount(self) -> None:
        self.query_one(Hand).focus()
        self.run_worker(self._listen(), exclusive=True)
        self.set_interval(TICK, self._look)

    async def _listen(self) -> None:
        """Take the news."""
        try:
            async with self.table as table:
                async for news in table:
                    match news:
                        case Frame():
                            lesson = self._teacher.feed(news)
                            if lesson:
                                self._lessons[len(self.pacing.frames)] = lesson
                            picture = replace(news.picture, limit_us=None)  # that of bots
                            self.pacing.add([replace(news, picture=picture)], time.monotonic())
                        case Question():
                            self._next = news
                        case Preparing(text) | Remark(_, text):
                            self._say(text)
                        case Over() | Broken():
                            self._end = news
        finally:
            if self._adviser is not None:
                await self._adviser.stop()

    # What goes on by itself

    def _look(self) -> None:
        """Show what is due."""
        if not self.is_current:
            return
        now = time.monotonic()
        moved = self.pacing.advance(now)
        view = self.query_one(TableView)
        view.frame = self.pacing.frame
        if self.pacing.frame is not None:
            view.waited = int(self.pacing.waited(now))
            view.phase = self.pacing.phase(now)
        view.note = self._clock()
        if moved:
            self._teach()
        if self.pacing.latest or not self.pacing.frames:
            self._go_on()

    def _go_on(self) -> None:
        """All that has happened is shown: ask, or end."""
        if self._next is not None and self.question is None:
            question, self._next = self._next, None
            if len(self.table.sitting.people) > 1 and question.seat != self._present:
                self.query_one(Hand).ask(None)
                self.app.push_screen(
                    Curtain(self._sitter(question.seat), self.language.of(YOURS)), self._came(question)
                )
                return
            self._ask(question)
        elif self._end is not None and self._next is None and self.question is None:
            end, self._end = self._end, None
            self.dismiss(end)

    def _came(self, question: Question) -> Callable[[bool | None], None]:
        """The person at the next seat has come to the table."""

        def came(_: bool | None) -> None:
            self._present = question.seat
            self.table.start_clock()
            self._ask(question)

        self.question = question
        return came

    def _ask(self, question: Question) -> None:
        self.question, self._chosen, self._said = question, None, ""
        frame = self.pacing.frame
        self.query_one(Hand).ask(question, frame.picture.bears if frame else ())
        self._show_hint(None)
        self._advise()
        if self.hint:
            self.action_hint()

    def _clock(self) -> str:
        left = self.table.time_left()
        return "" if left is None else f"{max(0, left):.0f} s"

    def _teach(self) -> None:
        lesson = self._lessons.get(self.pacing.at)
        panel = self.query_one("#lesson", Static)
        if lesson and self.teach:
            panel.update(Drawn(lesson, "italic"))
        panel.display = self.teach and (panel.display or bool(lesson))

    # Answers

    def on_hand_taken(self, taken: Hand.Taken) -> None:
        if self.question is None:
            return
        if self.confirm and self._chosen != taken.option:
            self._chosen = taken.option
            self._say(self.language.of(CONFIRM))
            return
        self.run_worker(self._answer(self.question, taken.option))

    async def _answer(self, question: Question, option: Any) -> None:
        self.question = self._chosen = None
        self.query_one(Hand).ask(None)
        self._show_hint(None)
        self._say("")
        with suppress(ValueError):  # the clock was faster
            await self.table.answer(question.seat, question.id, option)

    def on_click(self, event: events.Click) -> None:
        """A click on a row, a stack or a card of the table answers where these are asked for."""
        meta, hand = event.style.meta, self.query_one(Hand)
        if self.question is None:
            return
        if self.question.kind == "row" and "row" in meta:
            hand.pick(meta["row"])
        elif "stack" in meta:
            hand.pick(meta["stack"])
        elif "pick" in meta:
            hand.pick(meta["pick"])

    def action_take_back(self) -> None:
        """Take back what is not confirmed."""
        self._chosen = None
        self._advise()

    # Keys

    def action_hint(self) -> None:
        """Ask the strongest built-in bot."""
        if self.question is not None:
            self.run_worker(self._think(self.question), group="hints", exclusive=True)

    async def _think(self, question: Question) -> None:
        welcome = self.table.welcomes.get(question.seat)
        if welcome is None:
            return
        try:
            if self._adviser is None:
                self._adviser = Adviser()
                await self._adviser.start()
            thoughts = await self._adviser.thoughts(welcome, question.message)
        except HostError as error:
            self._say(str(error))
            return
        if question is not self.question:
            return
        if not thoughts.by:
            self._show_hint(Drawn(self.language.of(NO_HINT)))
            return
        title = Drawn(
            self.language.of(HINT).format(by=thoughts.by, best=worth.option_text(thoughts.best or ())), "bold"
        )
        titles = [worth.option_text(one.option) for one in thoughts.options]
        if titles:
            heads = [one.heads for one in thoughts.options]
            best = next((at for at, one in enumerate(thoughts.options) if one.option == thoughts.best), 0)
            errors = [one.error for one in thoughts.options]
            room = 3 if self.app.size.height < 24 else 6
            bars = worth.option_bars(
                titles, heads, best=best, errors=errors, width=min(70, self.app.size.width - 4), height=room
            )
            title = Drawn("\n").join([title, bars])
        self._show_hint(title)

    def _show_hint(self, hint: Drawn | None) -> None:
        panel = self.query_one("#hint", Static)
        panel.update(hint or Drawn())
        panel.display = hint is not None

    def action_teach(self) -> None:
        """Explain each turn, or do not."""
        self.teach = not self.teach
        self._teach()
        self._say(self.language.of(TEACHING if self.teach else NOT_TEACHING))

    def action_latest(self) -> None:
        """Show the newest step."""
        if self.pacing.frames:
            self.pacing.skip(time.monotonic())

    def action_pace(self, by: int) -> None:
        """Faster or slower."""
        if by > 0:
            self.pacing.faster()
        else:
            self.pacing.slower()

    async def action_leave(self) -> None:
        """Leave the table; the match can go on later."""
        await self.table.leave()
        self.dismiss(None)

    # What is said

    def _sitter(self, seat: int) -> str:
        return self.table.sitting.chairs[seat].name

    def _advise(self) -> None:
        """Say what can be done."""
        if self.question is None:
            self._say("")
            return
        purpose = find(self.table.sitting.game).decision(self.question.kind).purpose
        name = f"{self._sitter(self.question.seat)}: "
        self._say(name + self.language.of(CHOOSE).format(what=purpose))

    def _say(self, text: str) -> None:
        self._said = text
        if self.is_mounted:
            self.query_one("#told", Static).update(Drawn(harmless(text, 400), no_wrap=True, overflow="ellipsis"))


class Curtain(ModalScreen[bool]):
    """Hides everything until the next person is there."""

    DEFAULT_CSS = "Curtain { align: center middle; background: ansi_default; } Curtain Static { width: auto; }"

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "come", "show the hand")]

    def __init__(self, name: str, words: str) -> None:
        super().__init__()
        self._text = words.format(name=name)

    def compose(self) -> ComposeResult:
        yield Static(Drawn(harmless(self._text, 200), "bold"))

    def action_come(self) -> None:
        """The person is there."""
        self.dismiss(True)

    def on_click(self) -> None:
        self.dismiss(True)


YOURS = Text("{name}, it is your turn: press Enter", "{name}, du bist dran: Drücke Enter")
CONFIRM = Text("Enter once more confirms it, Esc takes it back", "Noch einmal Enter bestätigt, Esc nimmt zurück")
CHOOSE = Text(
    "←→ or digits, Enter: {what}   h hint   t teach   ? keys   q leave",
    "←→ oder Ziffern, Enter: spielen   h Rat   t erklären   ? Tasten   q gehen",
)
HINT = Text("{by} would choose {best}", "{by} würde {best} wählen")
NO_HINT = Text("no built-in bot has an opinion here", "dazu hat kein eingebauter Bot eine Meinung")
TEACHING = Text("each turn is explained", "jede Runde wird erklärt")
NOT_TEACHING = Text("turns are not explained any more", "Runden werden nicht mehr erklärt")
