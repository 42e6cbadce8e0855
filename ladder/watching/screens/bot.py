"""The page of a bot: its rating, versions, places, rivals one by one, and its last matches, which can be opened."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say, spoken
from bullring.arena.watching.display.blocks import Block, above, beside
from bullring.arena.watching.display.elo import provisional
from bullring.arena.watching.display.lines import chart
from bullring.arena.watching.screens import PACE
from bullring.arena.watching.screens.shell import key_name
from bullring.errors import BullringError
from bullring.ladder.standings.columns import Row, rating_text
from bullring.ladder.standings.history import Point
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import ListRow
from bullring.ladder.watching.display.plots import Course, steps, window
from bullring.ladder.watching.screens.match import Table
from bullring.ladder.watching.screens.reader import Result, results
from bullring.ladder.watching.screens.results import Results

WIDE = 100
"""Columns from which on the last matches are beside the rest."""

PLACES = 40
"""Most columns of the places beside the course of the rating."""

PLACED = ("green", "cyan", "yellow", "red")
"""The colours of places, the last one also for those behind it."""

COURSE = (7, 30)
"""Fewest and most lines of the course of the rating."""

POINTS = 30
"""Points of the course."""


@dataclass(frozen=True)
class About:
    """What is known of a bot in a list."""

    row: Row
    placed: int
    """The number of bots with a place."""
    versions: Sequence[Row]
    """All versions of the bot, the newest first."""
    rivals: Sequence[Mapping[str, Any]]
    """Its pairs, the best one first (`Standings.pairs`)."""
    places: Sequence[int]
    """How often it has ended in each place, from the first one."""
    course: Sequence[Point] = ()
    """Its rating after so many matches of the list."""
    results: Sequence[Result] = field(default_factory=tuple)


def about(home: Home, list_: ListRow, name: str) -> About:
    """Read what is known of a bot. Raises `LadderError`, `StoreError`."""
    with closing(home.store(read_only=True)) as store:
        standings = Standings(store, list_)
        rows = standings.rows()
        row = next(row for row in rows if row.bot == name)
        versions = [one for one in rows if (one.name or one.bot) == (row.name or row.bot)]
        rivals = [pair for pair in standings.pairs() if pair["bot"] == name and pair["share"] is not None]
        ids = {bot.name: bot.id for bot in store.bots()}
        places = [0] * list_.seats
        for match in store.briefs(list_.id):
            if match.counted:
                for bot, rank in zip(match.bots, match.ranks, strict=True):
                    places[rank - 1] += bot == ids[name]
        return About(
            row,
            sum(one.place is not None for one in rows),
            sorted(versions, key=lambda one: -one.version),
            sorted(rivals, key=lambda pair: -pair["share"]),
            places,
            standings.history(ids[name], POINTS),
            results(store, list_.id, ids, ids[name]),
        )


class BotPage(Screen[None]):
    """Shows a bot, as of the moment at which it is opened. Enter or a click opens one of its last matches."""

    DEFAULT_CSS = """
    BotPage { layout: vertical; }
    BotPage #title, BotPage #foot { height: 1; }
    BotPage #middle { height: 1fr; layout: vertical; }
    BotPage VerticalScroll { height: auto; max-height: 65%; scrollbar-size-vertical: 1; padding: 0 1; }
    BotPage VerticalScroll { scrollbar-background: ansi_default; scrollbar-color: ansi_bright_black; }
    BotPage VerticalScroll Static { height: auto; }
    BotPage #recent { height: 1fr; }
    BotPage #told { height: 1; text-style: bold; padding: 0 1; }
    BotPage.side #middle { layout: horizontal; }
    BotPage.side VerticalScroll { width: 1fr; height: 1fr; max-height: 100%; }
    BotPage.side #recent { width: 1fr; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "choose(1)", "watch.keys.after", key_display="↓ ↑"),
        Binding("up", "choose(-1)"),
        Binding("enter", "open", "watch.keys.open"),
        Binding("pagedown", "scroll(1)", "watch.keys.scroll", key_display="PgDn PgUp"),
        Binding("pageup", "scroll(-1)"),
        Binding("escape", "back", "watch.keys.back", key_display="Esc"),
    ]

    def __init__(self, home: Home, list_: ListRow, name: str, *, pace: float = PACE) -> None:
        super().__init__()
        self.about: About | None = None
        self._home = home
        self._list = list_
        self._bot = name
        self._pace = pace
        self._trouble = ""
        self._title = Static(id="title")
        self._scroll = VerticalScroll(can_focus=False)
        self._facts = Static()
        self._results = Results(name)
        self._foot = Static(id="foot")

    def compose(self) -> ComposeResult:
        yield self._title
        with Container(id="middle"):
            with self._scroll:
                yield self._facts
            with Container(id="recent"):
                yield Static(say("watch.bot.recent"), id="told")
                yield self._results
        yield self._foot

    def on_mount(self) -> None:
        # A thread that is not joined: the page may be left while a long list is being rated.
        threading.Thread(target=self._read, daemon=True).start()
        self.on_resize()

    def on_resize(self) -> None:
        self.set_class(self.app.size.width >= WIDE, "side")
        self._draw()

    def _read(self) -> None:
        found, trouble = None, ""
        try:
            found = about(self._home, self._list, self._bot)
        except BullringError as error:
            trouble = str(error)
        try:
            self.app.call_from_thread(self._take, found, trouble)
        except RuntimeError:
            return  # the screen was left at this moment

    def _take(self, found: About | None, trouble: str) -> None:
        self.about, self._trouble = found, trouble
        if found is not None:
            self._results.show(found.results)
            self._results.choose(0 if found.results else None)
        if self.is_mounted:
            self._draw()

    def action_choose(self, by: int) -> None:
        at = self._results.at
        if at is not None:
            self._results.choose(max(0, min(at + by, len(self._results.results) - 1)))

    def action_open(self) -> None:
        if self._results.chosen is not None:
            self._open(self._results.chosen)

    def on_results_opened(self, opened: Results.Opened) -> None:
        self._open(opened.match)

    def _open(self, match: int) -> None:
        self.app.push_screen(Table(self._home, match, live=False, pace=self._pace))

    def action_scroll(self, by: int) -> None:
        if by > 0:
            self._scroll.scroll_page_down(animate=False)
        else:
            self._scroll.scroll_page_up(animate=False)

    def action_back(self) -> None:
        if self.is_current:
            self.dismiss()

    def _draw(self) -> None:
        name = harmless(self._bot, 40)
        self._title.update(Text.assemble((" bullring ", "bold reverse"), f"  {name}", style="bold"))
        found = self.about
        if found is None:
            told = harmless(self._trouble, 400) or say("watch.bot.reading", name=name)
            self._facts.update(Text(told, style="dim"))
        else:
            (width, height), side = self.app.size, self.has_class("side")
            self._facts.update(
                _page(found, (width // 2 if side else width) - 4, height - 2 if side else height * 6 // 10)
            )
        keys = [("Esc", "back"), ("Enter", "open"), ("↑↓", "choose"), ("?", "keys"), ("q", "quit")]
        foot = Text(" ", no_wrap=True, overflow="ellipsis")
        for key, what in keys:
            foot.append_text(Text.assemble((key_name(key), "bold"), (f" {say(f'watch.foot.{what}')}  ", "dim")))
        self._foot.update(foot)


def _page(found: About, width: int, height: int) -> Block:
    """Everything that is known of a bot; the course of its rating takes the lines that are left."""
    top = [*_told(found.row, found.placed), Text()]
    below = [*_versions(found), *_rivals(found, width)]
    places = Block(_places(found, min(PLACES, width // 2 - 2)))
    room = width - places.width - 3
    lines = max(COURSE[0], min(COURSE[1], height - len(top) - len(below) - 1))
    course = _course(found.course, room, max(lines, places.height))
    middle = beside([course, places], 3) if course.height else places
    return above([Block(top), middle, Block([Text(), *below])], width)


def _course(points: Sequence[Point], width: int, height: int) -> Block:
    """The course of a rating with its intervals; empty while there is hardly one."""
    course = Course.of("", points)
    if len(course.points) < 2:
        return Block([])
    low, high = window([course])
    bands = [(max(low, one), min(high, other)) for _, _, one, other in course.points]
    ratings = [rating for _, rating, _, _ in course.points]
    ticks = steps(low, high, max(2, height // 3))
    lines = chart(ratings, width, height - 2, low=low, high=high, ticks=ticks, bands=bands)
    first, last = (spoken().number(course.points[at][0], ",") for at in (0, -1))
    axis = Text(f"{first}{last:>{max(1, width - len(first) - 5)}}", "dim")
    axis.pad_left(5)
    return Block([Text(say("watch.bot.course"), style="bold"), *lines, axis], width) if lines else Block([])


def _versions(found: About) -> Iterator[Text]:
    if len(found.versions) < 2:
        return
    yield Text(say("watch.bot.versions"), style="bold")
    for one in found.versions:
        state = say(f"watch.bot.states.{one.state}")
        yield Text(f"  {harmless(one.bot, 24):<24} {_rating(one)}  {state}", style="bold" * (one is found.row))
    yield Text()


def _places(found: About, width: int) -> Iterator[Text]:
    """How often the bot has ended in each place."""
    if not sum(found.places):
        return
    yield Text(say("watch.bot.places"), style="bold")
    widest = len(str(max(found.places)))
    for place, count in enumerate(found.places, 1):
        share = spoken().number(count / sum(found.places), ".0%")
        yield Text.assemble(
            f"{place:>2}. ",
            (f"{share:>4} ", "bold"),
            *_track(count / max(found.places), width - 10 - widest, PLACED[min(place, len(PLACED)) - 1]),
            (f" {count:>{widest}}", "dim"),
        )


def _rivals(found: About, width: int) -> Iterator[Text]:
    """The shares of points against each other bot, above and below one half."""
    if not found.rivals:
        return
    yield Text(say("watch.bot.rivals"), style="bold")
    behind = [say("watch.bot.matches", count=pair["matches"]) for pair in found.rivals]
    name = min(20, max(len(harmless(pair["other"], 20)) for pair in found.rivals))
    room = max(8, width - name - 9 - max(map(len, behind)))
    for pair, matches in zip(found.rivals, behind, strict=True):
        share = pair["share"]
        yield Text.assemble(
            f" {harmless(pair['other'], 20):<{name}} ",
            (f"{spoken().number(share, '.0%'):>4} ", "bold"),
            *_track(share, room, "green" if share >= 0.5 else "red"),
            (f" {matches}", "dim"),
        )


def _track(share: float, width: int, style: str) -> Iterator[tuple[str, str]]:
    """A share, 0 to 1, as a line that is filled so far: bars of neighbouring lines stay apart."""
    full = max(0, min(width, round(share * width)))
    yield "━" * full, style
    yield "─" * max(0, width - full), "bright_black"


def _told(row: Row, placed: int) -> Iterator[Text]:
    place = say("watch.bot.place", place=row.settled, count=placed) if row.settled else say("watch.bot.no_place")
    yield Text(f"{place}, {_rating(row)}", style="bold")
    parts = [say("watch.bot.matches", count=row.matches)]
    if row.wins is not None:
        parts.append(say("watch.bot.wins", share=row.wins))
    if row.heads is not None:
        parts.append(say("watch.bot.heads", heads=row.heads))
    yield Text(", ".join(parts))


def _rating(row: Row) -> str:
    """A rating with its interval, as far as it is known."""
    if row.rating is None:
        return say("watch.bot.unrated")
    if row.error is None and not row.anchor:
        if row.low is not None:
            return say("watch.bot.over", low=row.low)
        if row.high is not None:
            return say("watch.bot.under", high=row.high)
    if provisional(0.0 if row.anchor else row.error):
        return say("watch.bot.provisional", rating=rating_text(row))
    return say("watch.bot.rating", rating=row.rating, error=row.error or 0.0)
