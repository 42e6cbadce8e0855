"""The start page: it asks for the name, the game and the opponents. Enter, Enter, Enter begins the match."""

from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, Static

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.watching.people.opponents import named
from bullring.arena.watching.people.sitting import Sitting
from bullring.arena.watching.screens.start_choices import DELETE, Choosing
from bullring.errors import UsageError

SIDE = 110
"""Columns from which on the rules of the game are shown beside the page."""


class _List(Widget, can_focus=True):
    """Lines with a cursor."""

    DEFAULT_CSS = "_List { background: ansi_default; color: ansi_default; }"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "keys.line_above"),
        Binding("down", "move(1)", "keys.line_below"),
        Binding("enter", "done", "keys.go_on", priority=True),
    ]

    class Done(Message):
        """Enter was pressed."""

    class Changed(Message):
        """Something was chosen, or the cursor moved; `note` is the reason if that was not possible."""

        def __init__(self, note: str = "") -> None:
            super().__init__()
            self.note = note

    def __init__(self, choosing: Choosing, *, id: str) -> None:
        super().__init__(id=id)
        self.choosing = choosing
        self.at = 0

    def count(self) -> int:
        """The number of lines."""
        raise NotImplementedError

    def line(self, number: int, width: int) -> Text:
        """A line, drawn."""
        raise NotImplementedError

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self.count()

    def render(self) -> Text:
        width, height = self.size
        first = max(0, min(self.at - height // 2, self.count() - height))
        lines = []
        for number in range(first, min(self.count(), first + height)):
            line = self.line(number, width)
            line.truncate(width, overflow="ellipsis", pad=True)
            if number == self.at and self.has_focus:
                line.stylize("reverse")
            line.apply_meta({"line": number})
            lines.append(line)
        return Text("\n", no_wrap=True).join(lines)

    def action_move(self, by: int) -> None:
        """Move the cursor."""
        self.at = max(0, min(self.at + by, self.count() - 1))
        self.changed()

    def action_done(self) -> None:
        """Go on."""
        self.post_message(self.Done())

    def changed(self, note: str = "") -> None:
        """Draw again, and tell the page."""
        self.at = max(0, min(self.at, self.count() - 1))
        self.refresh(layout=True)
        self.post_message(self.Changed(note))


class Settings(_List):
    """The game, the seats and the options of the game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "change(1)", "keys.next_value"),
        Binding("left", "change(-1)", "keys.value_before"),
        Binding("space", "change(1)", "keys.next_value"),
    ]

    def count(self) -> int:
        return len(self.choosing.settings())

    def line(self, number: int, width: int) -> Text:
        setting = self.choosing.settings()[number]
        wide = max(len(one.label) for one in self.choosing.settings())
        line = Text(f" {setting.label:<{wide}}  ")
        line.append("‹ ", Style(dim=True, meta={"change": -1}))
        line.append(setting.value, Style(bold=True))
        line.append(" ›", Style(dim=True, meta={"change": 1}))
        if number:
            line.append(f"  {setting.help}", Style(dim=True))
        return line

    def action_change(self, by: int) -> None:
        """Take the next value, or the one before."""
        self.choosing.settings()[self.at].change(by)
        self.changed()

    def on_key(self, event: events.Key) -> None:
        if event.key == "backspace" or (event.character or "").isdecimal():
            self.choosing.settings()[self.at].type(DELETE if event.key == "backspace" else str(event.character))
            event.stop()
            self.changed()

    def on_click(self, event: events.Click) -> None:
        self.at = event.style.meta.get("line", self.at)
        if "change" in event.style.meta:
            self.action_change(event.style.meta["change"])
        self.changed()


class Guests(_List):
    """The bots that can be invited."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "invite", "keys.invite"),
        Binding("plus", "more", "keys.more", key_display="+"),
    ]

    def count(self) -> int:
        return len(self.choosing.opponents)

    def line(self, number: int, width: int) -> Text:
        one = self.choosing.opponents[number]
        times = self.choosing.guests.count(one)
        mark = " · " if not times else " ✓ " if times == 1 else f" {times} "
        names = max(12, min(24, max(len(other.name) + 1 for other in self.choosing.opponents)))
        own = "@" if one.source == "built-in" else ""
        line = Text(mark, Style(bold=bool(times)))
        line.append(f"{harmless(own + one.name, names):<{names}}", Style(bold=bool(times)))
        line.append(f" {'' if one.rating is None else one.rating:>5}")
        if width >= 60:
            line.append(f"{f' ± {one.error}' if one.error else '':<6}", Style(dim=True))
        if width >= 50:
            line.append(f"  {harmless(one.language, 10):<10}")
        line.append(f"  {harmless(one.lacks or one.about, 200)}", Style(dim=True))
        return line

    def action_invite(self) -> None:
        """Invite a bot, or take it away."""
        self.changed(self.choosing.toggle(self.choosing.opponents[self.at]))

    def action_more(self) -> None:
        """Invite a bot once more."""
        self.changed(self.choosing.add(self.choosing.opponents[self.at]))

    def on_click(self, event: events.Click) -> None:
        if "line" in event.style.meta:
            self.at = event.style.meta["line"]
            self.action_invite()


class Start(Screen[Sitting | None]):
    """Asks for people, game and opponents. Gives a sitting, or None without a match."""

    DEFAULT_CSS = """
    Start { layout: vertical; background: ansi_default; color: ansi_default; }
    Start Horizontal { height: 1; }
    Start #page { height: 1fr; }
    Start #left { width: 1fr; }
    Start #about { display: none; width: 40%; padding: 1 2; height: 1fr; }
    Start.side #about { display: block; }
    Start .label { width: auto; padding: 0 1; }
    Start Input, Start Input:focus { width: 1fr; height: 1; border: none; padding: 0; background: ansi_default;
        color: ansi_default; text-style: bold; }
    Start Settings { height: auto; max-height: 40%; }
    Start Guests { height: 1fr; min-height: 3; }
    Start.airy .gap { display: block; }
    Start .gap { display: none; height: 1; }
    Start #sit { width: auto; padding: 0 2; text-style: bold reverse; }
    Start #told { width: 1fr; padding: 0 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "keys.leave"),
        Binding("ctrl+s", "sit", "keys.sit", key_display="Ctrl-S"),
        Binding("tab", "app.focus_next", "keys.next_field", show=False),
    ]

    def __init__(self, choosing: Choosing) -> None:
        super().__init__()
        self.choosing = choosing

    def compose(self) -> ComposeResult:
        say = self.choosing.say
        yield Static(Text.assemble((" bullring ", "bold reverse"), f" {say('title')}"), classes="title")
        with Horizontal(id="page"):
            with Vertical(id="left"):
                yield Static(classes="gap")
                with Horizontal():
                    yield Static(say("name"), classes="label")
                    yield Input(self.choosing.names, id="names")  # what is typed replaces the name of last time
                yield Static(classes="gap")
                yield Settings(self.choosing, id="settings")
                yield Static(classes="gap")
                yield Static(id="chosen", classes="label")
                yield Guests(self.choosing, id="guests")
                with Horizontal():
                    yield Static(say("own"), classes="label")
                    yield Input(placeholder=say("path"), id="own")
            yield Static(id="about")
        with Horizontal():
            yield Static(id="told")
            yield Static(say("sit"), id="sit")

    def on_mount(self) -> None:
        self.query_one("#names", Input).focus()
        self._show()

    def on_resize(self) -> None:
        self.set_class(self.app.size.width >= SIDE, "side")
        self.set_class(self.app.size.height >= 22, "airy")

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input.id == "names":
            self.choosing.rename(event.value)
        self._show()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == "names":
            self.query_one(Settings).focus()
        elif not event.value.strip():
            self.action_sit()
        else:
            self._add(event.value.strip())

    def _add(self, text: str) -> None:
        """Invite the bot that was typed."""
        try:
            note = self.choosing.add(named(text))
        except UsageError as error:
            self._show(harmless(error, 400))
            return
        if not note:
            self.query_one("#own", Input).value = ""
        self._show(note)

    def on__list_done(self, event: Settings.Done) -> None:
        if self.query_one(Settings).has_focus:
            self.query_one(Guests).focus()
        else:
            self.action_sit()

    def on__list_changed(self, event: Settings.Changed) -> None:
        self._show(event.note)

    def on_descendant_focus(self) -> None:
        self._show()

    def on_click(self, event: events.Click) -> None:
        if event.widget is not None and event.widget.id == "sit":
            self.action_sit()

    def action_leave(self) -> None:
        """Leave without a match."""
        self.dismiss(None)

    def action_sit(self) -> None:
        """Begin the match."""
        problem = self.choosing.problem()
        if problem:
            self._show(problem)
        else:
            self.dismiss(self.choosing.sitting())

    def _show(self, note: str = "") -> None:
        """Draw everything that depends on the choices; `note` is the answer to the last key."""
        if not self.is_mounted:
            return
        choosing, say = self.choosing, self.choosing.say
        for one in self.query(_List):
            one.refresh(layout=True)
        names = choosing.language.listed(one.name for one in choosing.guests) if choosing.guests else "-"
        self.query_one("#chosen", Static).update(Text(harmless(say("against", names=names), 400), no_wrap=True))
        self.query_one("#about", Static).update(self._described())
        told = note or choosing.problem()
        style = "bold" if told else "dim"
        self.query_one("#told", Static).update(Text(told or self._advice(), style, no_wrap=True, overflow="ellipsis"))

    def _described(self) -> Text:
        """The bot at the cursor, or else the game, in words."""
        guests = self.query_one(Guests)
        if guests.has_focus:
            one = self.choosing.opponents[guests.at]
            return Text.assemble((harmless(one.name, 80), "bold"), "\n\n", harmless(one.about, 400))
        choosing = self.choosing
        rules = "\n\n".join([choosing.about(), *choosing.course()])
        return Text.assemble((choosing.wording.title, "bold"), "\n\n", rules)

    def _advice(self) -> str:
        """The keys that work at the cursor."""
        say = self.choosing.say
        if self.query_one(Settings).has_focus:
            setting = self.query_one(Settings)
            about = (
                f" {self.choosing.settings()[setting.at].help}" if not setting.at and not self.has_class("side") else ""
            )
            return say("change") + about
        if self.query_one(Guests).has_focus:
            return say("invite")
        return say("names" if self.query_one("#names").has_focus else "own_help")
