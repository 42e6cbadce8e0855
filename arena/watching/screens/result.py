"""The result of a match, and what comes next. The analysis is made meanwhile, in a process of its own."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.geometry import Region
from textual.screen import Screen
from textual.widgets import Static

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import Reader, say
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.board import Sheet
from bullring.arena.games.rules.reasons import Reason
from bullring.arena.games.rules.registry import find
from bullring.arena.match.records.reader import Lines, read_lines
from bullring.arena.study.analysis.kept import beside, kept
from bullring.arena.study.analysis.process import Apart
from bullring.arena.study.analysis.result import Account, Analysis, Choice
from bullring.arena.study.reasons import Facts
from bullring.arena.watching.display import afterwards, decisions
from bullring.arena.watching.display.blocks import Block, above
from bullring.arena.watching.display.blocks import beside as side_by_side
from bullring.arena.watching.display.board import sheet_of
from bullring.arena.watching.page.file import write_page
from bullring.arena.watching.page.page import page
from bullring.arena.watching.people import history
from bullring.arena.watching.picture.picture import Picture
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.screens.replay import Replay
from bullring.arena.watching.screens.shell import TICK
from bullring.errors import BullringError

WORST, MORE = 3, 5
"""Costly cards that are shown, and those on a screen with at least"""

ROOMY = 50
"""lines."""

MATCHES = 20
"""Last matches of a person that are shown."""

SIDE = 110
"""Columns from which on the curve is beside everything else."""

WIDE = 200
"""Most columns that are used."""

READABLE = 90
"""Most columns of what is read beside a curve."""

CURVE = (6, 24)
"""Fewest and most lines of the curve."""

OPEN = 30
"""Lines above which all costly cards are explained, not only the one with the cursor."""

APART = 4
"""Columns between the seats and a curve beside them."""

AROUND = 4
"""Lines that are not scrolled: title and headline above, the news and the choices below."""


class Next(Enum):
    """A choice after a match."""

    AGAIN = "a"
    """The same table, a new deal."""
    SHARE = "s"
    """A page of the match."""
    LOOK = "l"
    CHANGE = "c"
    """To the start page."""
    STOP = "q"


class Result(Screen[Next]):
    """Shows a result, given as facts of `people.messages.Over`. Gives the next choice, except looking and sharing, done here."""

    DEFAULT_CSS = """
    Result { layout: vertical; background: ansi_default; color: ansi_default; }
    Result #headline { padding: 0 1; height: auto; }
    Result.tall #headline { margin: 0 0 1 0; }
    Result VerticalScroll { height: 1fr; background: ansi_default; scrollbar-size-vertical: 1; }
    Result #told { padding: 0 1; height: auto; }
    Result #news { padding: 0 1; height: auto; max-height: 3; min-height: 1; }
    Result #choices { padding: 0 1; height: auto; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "keys.line_above", key_display="↑", priority=True),
        Binding("down", "move(1)", "keys.line_below", key_display="↓", priority=True),
        Binding("enter", "there", "keys.there", priority=True),
        Binding("a", "take('a')", "keys.again", priority=True),
        Binding("s", "take('s')", "keys.share", priority=True),
        Binding("l", "take('l')", "keys.look", priority=True),
        Binding("c", "take('c')", "keys.change", priority=True),
        Binding("q,escape", "take('q')", "keys.quit", priority=True),
        Binding("pageup", "scroll(-1)", "keys.scroll_up", key_display="PgUp", priority=True),
        Binding("pagedown", "scroll(1)", "keys.scroll_down", key_display="PgDn", priority=True),
    ]

    def __init__(self, facts: Mapping[str, Any]) -> None:
        super().__init__()
        self.facts = facts
        self.record = Path(facts["record"])
        self.game = find(facts["game"])
        self.at = 0
        """The number of the costly card with the cursor."""
        self.analysis: Analysis | None = None
        self.making: Apart | None = None
        """The analysis that is being made."""
        self.news = ""
        """The answer to the last key, or the reason why there is no analysis."""
        self._reasons: Sequence[Mapping[int, Sequence[Reason]]] = ()
        """Of the costly cards, the facts that tell them from better ones, and"""
        self._moments: Sequence[Picture] = ()
        """the table when they were chosen."""
        self._lately: Sequence[Mapping[str, Any]] = ()
        people = facts["people"]
        self._alone = people[0] if len(people) == 1 else None

    @property
    def costly(self) -> Sequence[Choice]:
        """The costliest decisions of the people."""
        return self._costliest(MORE if self.app.size.height >= ROOMY else WORST)

    def _costliest(self, most: int) -> Sequence[Choice]:
        choices = self.analysis.worst(len(self.analysis.choices)) if self.analysis is not None else []
        return [choice for choice in choices if choice.seat in self.facts["people"]][:most]

    def compose(self) -> ComposeResult:
        yield Static(Text.assemble((" bullring ", "bold reverse"), (f" {wording(self.game).title}", "bold")))
        yield Static(afterwards.headline(self.facts), id="headline")
        with VerticalScroll(can_focus=False):
            yield Static(id="told")
        yield Static(id="news")
        yield Static(id="choices")

    def on_mount(self) -> None:
        if self._alone is not None:
            with suppress(OSError):
                self._lately = history.lately(self.record, self.facts["names"][self._alone], MATCHES)
        self._analyse()
        self.set_interval(TICK, self._follow)

    def on_unmount(self) -> None:
        self._break_off()

    def on_screen_resume(self) -> None:
        self._analyse()

    def on_resize(self) -> None:
        self.set_class(self.app.size.height > OPEN, "tall")
        self.at = min(self.at, max(0, len(self.costly) - 1))
        self.call_after_refresh(self.show)

    # The analysis

    def _analyse(self) -> None:
        """Begin the analysis, unless there is one."""
        if self.analysis is None and self.making is None and not self.facts["void"]:
            place = beside(self.record)
            try:
                found = kept(place, read_lines(self.record).seal or "")
                if found is None:
                    self.making = Apart(self.record, place)
                else:
                    self._judge(found)
            except (OSError, BullringError) as error:  # the record may be gone; what is shown does not need it
                self.news = say("screens.result.failed", text=harmless(error, 400))
        self.show()

    def _break_off(self) -> None:
        if self.making is not None:
            self.making.close()
            self.making = None

    def _follow(self) -> None:
        making = self.making
        if making is None or not making.read():
            return
        if making.over:
            self.making = None
        if making.analysis is not None:
            self._judge(making.analysis)
        elif making.error is not None:
            self.news = say("screens.result.failed", text=harmless(making.error, 400))
        self.show()

    def _judge(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.run_worker(self._explain())

    async def _explain(self) -> None:
        """Find out what spoke for and against the costly cards."""
        with suppress(BullringError):
            self._reasons, self._moments = await asyncio.to_thread(
                _explained, read_lines(self.record), self._costliest(MORE)
            )
        self.show()

    # Keys

    def action_move(self, by: int) -> None:
        """Go to another costly card."""
        self.at = max(0, min(self.at + by, len(self.costly) - 1))
        self.show()

    def action_there(self) -> None:
        """Look at the costly card with the cursor where it was played, or else at the match."""
        costly = self.costly
        self._look((costly[self.at].line, costly[self.at].seat) if costly else None)

    def action_take(self, key: str) -> None:
        """Take a choice by its key."""
        choice = Next(key)
        if not self.is_active:
            return
        if choice is Next.LOOK:
            self._look(None)
        elif choice is Next.SHARE:
            self.run_worker(self._share())
        else:
            self.dismiss(choice)

    def action_scroll(self, by: int) -> None:
        """Scroll by a page."""
        scroll = self.query_one(VerticalScroll)
        scroll.scroll_relative(y=by * max(1, scroll.size.height - 1), animate=False)

    def on_click(self, event: events.Click) -> None:
        meta = event.style.meta
        if "next" in meta:
            self.action_take(meta["next"])
        elif "choice" in meta:
            self.at = meta["choice"]
            self.action_there()

    def _look(self, begin: tuple[int, int] | None) -> None:
        if self.is_active:
            self._break_off()  # the replay makes it, too
            self.app.push_screen(Replay(self.record, beside(self.record), analyse=True, begin=begin))

    async def _share(self) -> None:
        """Write the page of the match beside its record."""
        self._tell(say("screens.result.sharing"))
        out = self.record.with_suffix(".html")
        try:
            await asyncio.to_thread(lambda: write_page(out, page(read_lines(self.record), self.analysis).encode()))
        except BullringError as error:
            self._tell(say("screens.result.unshared", text=harmless(error, 400)))
        else:
            self._tell(say("screens.result.shared", path=harmless(out, 400)))

    def _tell(self, text: str) -> None:
        self.news = text
        self.show()

    # Drawing

    def show(self) -> None:
        """Draw everything."""
        if not self.is_mounted:
            return
        width = min(WIDE, self.app.size.width - 3)
        told, cursor = self._drawn(width, self.app.size.height - AROUND - (self.app.size.height > OPEN))
        self.query_one("#told", Static).update(told)
        keys = say("screens.result.keys") if self.costly else ""
        self.query_one("#news", Static).update(Text(self.news or keys, "bold" if self.news else ""))
        self.query_one("#choices", Static).update(_choices(self.app.size.width))
        if cursor is not None:
            self.query_one(VerticalScroll).scroll_to_region(cursor, animate=False, force=True)

    def _drawn(self, width: int, height: int) -> tuple[Block, Region | None]:
        """Everything that is scrolled, and where the cursor is in it."""
        side = width >= SIDE
        wide = min(READABLE, max(70, width * 5 // 9)) if side else width
        accounts = self.analysis.accounts if self.analysis is not None else ()
        placing = afterwards.placing(self.facts, wide, accounts)
        parts = [placing]
        if "sheet" in self.facts:
            parts.append(sheet_of(self.facts["names"], Sheet(**self.facts["sheet"]), wide))
        top = sum(part.height for part in parts)
        words = self._words(accounts, wide)
        open = side or height > OPEN
        costly = self._costly(wide, open=open)
        last = afterwards.lately(self._lately, wide, open=open)
        free = height - top - len(words) - len(costly) - len(last)
        tight = None if side or free >= CURVE[0] else self._beside(placing, width)
        if tight is not None:
            parts[0], last = tight, last if free >= 0 else []
        elif not side:
            free -= CURVE[0]
        sections = [section for section in (words, costly, last) if section]
        gap = [Text()] if free > len(sections) else []
        body = [text for section in sections for text in (*gap, *section)] + gap
        parts.append(Block(body, wide))
        cursor = next((at for at, text in enumerate(body) if text.plain.startswith("▸")), None)
        region = None if cursor is None else Region(0, top + cursor, 1, 1)
        if tight is not None:
            return above(parts, width), region
        if side:
            return side_by_side([above(parts, wide), self._aside(width - wide - 4, height - 1)], 4), region
        room = max(CURVE[0], min(CURVE[1], height - top - len(body)))
        return above([*parts, afterwards.curve(self.facts, width, room)], width), region

    def _beside(self, placing: Block, width: int) -> Block | None:
        """The seats and, beside them, the curve in their colours; None where there is no room for it."""
        used = max(cell_len(line.plain.rstrip()) for line in placing.lines)
        seats = Block([line[:used] for line in placing.lines], used)
        curve = afterwards.curve(self.facts, width - used - APART, placing.height, named=False)
        return side_by_side([seats, curve], APART) if curve.height else None

    def _aside(self, width: int, height: int) -> Block:
        """The curve, and below it the moment of the costly card with the cursor."""
        curve = afterwards.curve(self.facts, width, max(8, min(CURVE[1], height * 2 // 5)))
        if self.at >= min(len(self._moments), len(self.costly)):
            return curve
        picture, choice = self._moments[self.at], self.costly[self.at]
        moment = afterwards.moment(picture, choice.seat, width, height - curve.height - 1)
        return above([curve, Block([Text()], width), moment], width)

    def _words(self, accounts: Sequence[Account], width: int) -> list[Text]:
        """Luck and mistakes of the people, or how far the analysis is."""
        making = self.making
        if making is not None:
            count = making.decisions
            told = (
                say("screens.result.analysing", done=making.done, count=count)
                if count
                else say("screens.result.beginning")
            )
            filled = decisions.bar(making.done, count, 20)
            return [Text.assemble((f"{filled:─<20}", "cyan"), f" {told}")]
        lines: list[Text] = []
        for seat in self.facts["people"] if accounts else ():
            lines += Text(afterwards.fortune(accounts[seat], self._called(seat))).wrap(self.app.console, width)
        return lines

    def _costly(self, width: int, *, open: bool) -> list[Text]:
        if self.analysis is None:
            return []
        costly, alone = self.costly, self._alone
        told = (
            ("costly" if alone is not None else "all_costly")
            if costly
            else "flawless"
            if alone is not None
            else "flawless_all"
        )
        values = {"name": self._called(alone)} if alone is not None else {}
        title = say(f"screens.result.{told}", **({"count": len(costly)} if costly else {}), **values)
        names = () if alone is not None else self.facts["names"]
        cards = afterwards.costly(costly, self.game, width, at=self.at, names=names, reasons=self._reasons, open=open)
        return [Text(title, "bold"), *cards]

    def _called(self, seat: int) -> str:
        name = harmless(self.facts["names"][seat], 64)
        return Reader(name) if seat == self._alone else name


def _explained(
    lines: Lines, choices: Sequence[Choice]
) -> tuple[Sequence[Mapping[int, Sequence[Reason]]], Sequence[Picture]]:
    """Of each choice, the facts that tell it from a better one, and the table when it was made. Raises `RecordError`."""
    facts, reducer = Facts(lines), Reducer(opened=True)
    before: dict[int, Picture] = {}
    wanted = {choice.line for choice in choices}
    for number, entry in enumerate(lines.each(), 1):
        if number in wanted:
            before[number] = reducer.picture
        reducer.feed(entry)
    return [facts.apart(choice) for choice in choices], [before[choice.line] for choice in choices]


def _choices(width: int) -> Text:
    """The choices, each with its key."""
    line = Text(no_wrap=False)
    for choice in Next:
        style = Style.parse("bold black on green" if choice is Next.AGAIN else "reverse") + Style(
            meta={"next": choice.value}
        )
        line.append(f" {choice.value} ", style)
        line.append(f" {say(f'screens.result.{choice.name.lower()}')}", Style(meta={"next": choice.value}))
        line.append("   " if width >= 80 else " ")
    return line
