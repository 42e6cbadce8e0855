"""The start page: matches to go on with, and everything that a table needs, line by line. Enter, Enter, Enter begins a match."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.console import Console
from rich.console import Group as Stacked
from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.geometry import Region
from textual.screen import Screen
from textual.widgets import Static

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rules.game import Batch, Game, Shuffle
from bullring.arena.watching.display.board import board
from bullring.arena.watching.display.elo import rated
from bullring.arena.watching.people.how import How
from bullring.arena.watching.people.sitting import Sitting
from bullring.arena.watching.people.unfinished import Left
from bullring.arena.watching.picture.picture import Picture, SeatPicture
from bullring.arena.watching.screens.start_choices import DELETE, Choosing, Line
from bullring.errors import BullringError

SIDE = 100
"""Columns from which on the game is shown beside the lines."""

FOOT = 4
"""Lines of the page that are always there: the title, two about the line with the cursor, and the keys."""

PAGE = (160, 48)
"""Most columns and lines of the page, which is in the middle of the terminal: longer lines are hard to read."""

TURNS = 5
"""Turns that were played on the picture of a game."""

STOPS = ("left", "people", "against", "game")
"""The parts of the page at which Enter stops on its way to the match."""


_CONSOLE = Console()
"""Wraps texts; it prints nothing."""


@dataclass(frozen=True)
class Chosen:
    """The choice of the people: a new match or one that was left, and how they want to play."""

    table: Sitting | Left
    how: How


class Start(Screen[Chosen | None]):
    """Asks for people, game and opponents. Gives what was chosen, or None without a match."""

    DEFAULT_CSS = """
    Start { layout: vertical; background: ansi_default; color: ansi_default; align: center middle; }
    Start #left { width: 1fr; }
    Start.side #left { width: 58; }
    Start #lines { scrollbar-size-vertical: 0; background: ansi_default; }
    Start #form { height: auto; }
    Start #more { height: 1; padding: 0 2; }
    Start #about { display: none; width: 1fr; height: 1fr; padding: 0 1 0 3; }
    Start.side #about { display: block; }
    Start #told { height: 2; padding: 0 2; }
    Start #foot { height: 1; padding: 0 2; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,shift+tab", "move(-1)", "keys.line_above", key_display="↑"),
        Binding("down,tab", "move(1)", "keys.line_below", key_display="↓"),
        Binding("left", "change(-1)", "keys.value_before", key_display="←"),
        Binding("right", "change(1)", "keys.next_value", key_display="→"),
        Binding("enter", "go_on", "keys.go_on"),
        Binding("ctrl+s", "sit", "keys.sit", key_display="Ctrl-S"),
        Binding("escape", "leave", "keys.leave", key_display="Esc"),
    ]

    def __init__(self, choosing: Choosing) -> None:
        super().__init__()
        self.choosing = choosing
        self.at = 0
        """The number of the line with the cursor."""

    def compose(self) -> ComposeResult:
        with Vertical(id="page"):
            yield Static(id="title")
            with Horizontal():
                with Vertical(id="left"):
                    with VerticalScroll(id="lines", can_focus=False):
                        yield Static(id="form")
                    yield Static(id="more")
                    yield Static(id="told")
                    yield Static(id="foot")
                yield Static(id="about")

    def on_mount(self) -> None:
        self.show()

    def on_resize(self) -> None:
        self.set_class(self.app.size.width >= SIDE, "side")
        page = self.query_one("#page").styles
        page.width, page.height = (min(most, size) for most, size in zip(PAGE, self.app.size, strict=True))
        self.call_after_refresh(self.show)

    # Keys

    async def on_key(self, event: events.Key) -> None:
        """Deal with a key before the next one is looked at: what is typed and what moves the cursor keep their order."""
        event.stop()
        if not self.is_active:  # it came in one burst with the key that has left this page
            self.app.post_message(events.Key(event.key, event.character))
            return
        line, typed = self.line, DELETE if event.key == "backspace" else event.character or ""
        bound = self.active_bindings.get(event.key)
        if typed == DELETE or (typed.isprintable() and typed and (line.typed is not None or bound is None)):
            self._type(typed)
        elif bound is not None:
            await self.app.run_action(bound.binding.action, bound.node)

    def on_paste(self, event: events.Paste) -> None:
        if self.line.typed is not None:
            for character in filter(str.isprintable, event.text):
                self.line.type(character)
            self.show()

    @property
    def line(self) -> Line:
        """The line with the cursor."""
        lines = self.choosing.lines()
        return lines[min(self.at, len(lines) - 1)]

    def _type(self, typed: str) -> None:
        line = self.line
        told = line.change(1) if typed == " " and line.values else line.type(typed)
        self.show(told)

    def action_move(self, by: int) -> None:
        """Go to another line."""
        self.at = max(0, min(self.at + by, len(self.choosing.lines()) - 1))
        self.show()

    def action_change(self, by: int) -> None:
        """Take the next value, or the one before."""
        self.show(self.line.change(by))

    def action_go_on(self) -> None:
        """Go to the next part of the page, and from the last one to the table."""
        line, lines = self.line, self.choosing.lines()
        if line.left is not None:
            self.dismiss(Chosen(line.left, self.choosing.how))
        elif line.group == "against" and (line.typed or "").strip():
            self.show(self.choosing.add_typed())
        elif line.group in STOPS[:-1]:
            later = STOPS[STOPS.index(line.group) + 1 :]
            self.at = next(at for at, other in enumerate(lines) if other.group in later)
            self.show()
        else:
            self.action_sit()

    def action_leave(self) -> None:
        """Leave without a match."""
        self.dismiss(None)

    def action_sit(self) -> None:
        """Begin the match."""
        problem = self.choosing.problem()
        if problem:
            self.show(problem)
        else:
            self.dismiss(Chosen(self.choosing.sitting(), self.choosing.how))

    def on_click(self, event: events.Click) -> None:
        """Take what was clicked on."""
        meta = event.style.meta
        if "sit" in meta:
            self.action_sit()
        elif "line" in meta:
            self.at = meta["line"]
            line, told = self.line, ""
            if line.left is not None:
                self.action_go_on()
                return
            if "value" in meta:
                told = line.change(meta["value"] - line.at)
            elif "change" in meta or line.bot is not None:
                told = line.change(meta.get("change", 0))
            self.show(told)

    # Drawing

    def show(self, told: str = "") -> None:
        """Draw the page; `told` is the answer to the last key."""
        if not self.is_mounted or not self.is_current:
            return
        choosing, say, lines = self.choosing, self.choosing.say, self.choosing.lines()
        self.at = min(self.at, len(lines) - 1)
        self.query_one("#title", Static).update(
            Text.assemble((" bullring ", "bold reverse"), (f" {say('title')}", "bold"))
        )
        self._draw(lines)
        line = lines[self.at]
        told = told or choosing.problem()
        help = Text.assemble((told or line.help, "bold magenta" if told else ""), overflow="fold")
        self.query_one("#told", Static).update(help)
        enter = "resumes" if line.left else "next" if line.group in STOPS[:-1] else "begins"
        if line.group == "against" and (line.typed or "").strip():
            enter = "invites"
        button = Style.parse("bold black on green") + Style(meta={"sit": True})
        keys = say("keys", enter=say(enter))
        foot = Text.assemble((f" {say('sit')} ", button), "  ", (keys, "dim"), no_wrap=True)
        self.query_one("#foot", Static).update(foot)
        if self.has_class("side"):
            about = self.query_one("#about", Static)
            about.update(_about(choosing, line, *about.content_size))

    def _draw(self, lines: Sequence[Line]) -> None:
        scroll = self.query_one("#lines", VerticalScroll)
        width, height = scroll.size.width, min(PAGE[1], self.app.size.height) - FOOT
        wide = max((len(line.label) for line in lines if line.bot is None), default=0) + 2
        drawn = [list(_drawn(line, number, wide, width, here=number == self.at)) for number, line in enumerate(lines)]
        breaks = [
            number for number in range(len(lines)) if not number or lines[number].group != lines[number - 1].group
        ]
        free = height - sum(map(len, drawn))
        spread = free >= len(lines) + len(breaks)
        shown: list[Text] = []
        tops = []
        for number, texts in enumerate(drawn):
            blank = number in breaks and breaks.index(number) < free - 1
            shown += [Text()] * (blank + (spread and number > 0 and _apart(lines, number)))
            tops.append(len(shown))
            shown += texts
        if free > 0:
            shown.append(Text())
        hides = len(shown) > height
        scroll.styles.height = height = min(len(shown), height - hides)
        self.query_one("#form", Static).update(Text("\n", no_wrap=True).join(shown))
        scroll.scroll_to_region(Region(0, tops[self.at], 1, len(drawn[self.at])), animate=False, force=True)
        more = self.query_one("#more", Static)
        more.display = hides
        first = scroll.scroll_target_y
        below = [line.label for line, top in zip(lines, tops, strict=True) if top >= first + height and line.label]
        signs = "▴ " * (first > 0) + "▾ " * (first + height < len(shown))
        more.update(Text.assemble((f"{signs}{' · '.join(below)}", "bold cyan"), no_wrap=True))


def _apart(lines: Sequence[Line], number: int) -> bool:
    """Whether a line is apart from the one before where there is room: bots of a list are not."""
    return lines[number].bot is None or lines[number - 1].bot is None


def _drawn(line: Line, number: int, wide: int, width: int, *, here: bool) -> Iterator[Text]:
    """A line of the page, with its note in further lines."""
    indent = wide + 2
    texts = list(_values(line, width - indent, here=here))
    label = Text.assemble(("▸ " if here else "  ", "bold cyan"), (f"{line.label:<{wide}}", "bold cyan" if here else ""))
    if line.note:
        texts += Text(line.note, "" if line.left else "dim").wrap(_CONSOLE, max(10, width - indent))
    for at, text in enumerate(texts):
        text.apply_meta({"line": number})
        yield Text.assemble(label if at == 0 else " " * indent, text)


def _values(line: Line, width: int, *, here: bool) -> Iterator[Text]:
    """What can be chosen, as much side by side as there is room."""
    chosen = "bold black on cyan" if here else "bold cyan underline"
    if line.typed is not None:
        yield Text.assemble((line.typed, "bold underline"), (" ", "reverse") if here else "")
    elif line.bot is not None:
        yield _bot(line, here=here)
    elif len(line.values) == 1:
        arrows = [Style(dim=not here, bold=here, meta={"change": by}) for by in (-1, 1)]
        yield Text.assemble(("‹ ", arrows[0]), (line.values[0], "bold"), (" ›", arrows[1]))
    elif line.values:
        row = Text()
        for at, value in enumerate(line.values):
            if row and row.cell_len + len(value) + 2 > width:
                yield row
                row = Text()
            style = Style.parse(chosen if at == line.at else "") + Style(meta={"value": at})
            row.append(f" {value} ", style)
        yield row


def _bot(line: Line, *, here: bool) -> Text:
    """A bot that can be invited."""
    one = line.bot
    assert one is not None
    mark = "·" if not line.times else "✓" if line.times == 1 else str(line.times)
    own = "@" if one.source == "built-in" else ""
    text = Text.assemble((f"{mark} ", "bold green" if line.times else "dim"))
    name = harmless(own + one.name, 20)
    text.append(name, "bold reverse" if here else "bold" if line.times else "")
    text.append(" " * (20 - len(name)))
    text.append(
        f" {'' if one.rating is None else rated(one.rating, one.error):>5}", "" if here or line.times else "dim"
    )
    text.append(f"  {harmless(one.language, 12)}", "dim")
    return text


def _about(choosing: Choosing, line: Line, width: int, height: int) -> Stacked:
    """The bot of the line, or else the game: a picture of it, and as many of its rules as there is room for."""
    if line.bot is not None:
        return Stacked(Text(harmless(line.bot.name, 80), "bold"), Text(), Text(choosing.about_bot(line.bot)))
    words = choosing.wording
    picture = _picture(choosing.game, choosing.seats, choosing.options)
    drawn = list(board(picture, width, height * 3 // 4).lines) if picture is not None else []
    while drawn and not drawn[-1].plain.strip():
        drawn.pop()  # the place of cards that wait
    parts = [Text(words.title, "bold"), Text(), *drawn] if drawn else [Text(words.title, "bold")]
    rest = Text(f"▾ bullring rules {choosing.game.id}", "dim", no_wrap=True)
    left = height - len(parts) - 2  # room for the rest
    for section in ("about", "turn", "place", "special", "end"):
        for paragraph in words.rules(section):
            lines = Text(paragraph).wrap(_CONSOLE, width)
            left -= len(lines) + 1
            if left < 0:
                return Stacked(*parts, Text(), rest)
            parts += [Text(), Text("\n").join(lines)]
    return Stacked(*parts)


def _picture(game: type[Game[Any]], seats: int, options: Any) -> Picture | None:
    """A table of the game after some turns; None where these options do not go together."""
    draw = random.Random(game.id)
    try:
        rules = game(seats, options)
    except BullringError:
        return None
    state = rules.new()
    while not state.scores or state.turn <= TURNS:
        pending = state.pending
        if isinstance(pending, Shuffle):
            state, _ = rules.deal(state, draw.sample(pending.deck, len(pending.deck))[: pending.cards])
        elif isinstance(pending, Batch):
            state, _ = rules.apply(state, [draw.choice(options) for options in pending.options])
        else:
            break
    return Picture(bears=tuple(rules.heads), board=rules.board(state), seats=(SeatPicture(""),) * seats)
