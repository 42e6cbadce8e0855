"""The page of a bot: its rating, versions, places, rivals one by one, and its last matches, which can be opened."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say, spoken
from bullring.arena.watching.display import career
from bullring.arena.watching.display.blocks import Block
from bullring.arena.watching.display.career import Result, Rival
from bullring.arena.watching.display.elo import provisional
from bullring.arena.watching.display.lines import chart, scale
from bullring.arena.watching.screens import PACE
from bullring.arena.watching.screens.profile import Profile
from bullring.errors import BullringError
from bullring.ladder.standings.columns import Row, rating_text
from bullring.ladder.standings.history import Point
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import ListRow
from bullring.ladder.watching.display.plots import Course, whole
from bullring.ladder.watching.screens.match import Table
from bullring.ladder.watching.screens.reader import results

POINTS = 40
"""Points of the course."""

SETTLED = 2
"""An interval that is wider than this many times the last one is left out: of few lines, it would take all."""


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
            sum(one.settled is not None for one in rows),
            sorted(versions, key=lambda one: -one.version),
            sorted(rivals, key=lambda pair: -pair["share"]),
            places,
            standings.history(ids[name], POINTS),
            results(store, list_.id, ids, ids[name]),
        )


class BotPage(Profile):
    """Shows a bot, as of the moment at which it is opened."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "watch.keys.back", key_display="Esc")]
    KEYS = (("Esc", "back"), *Profile.KEYS)

    def __init__(self, home: Home, list_: ListRow, name: str, *, pace: float = PACE) -> None:
        super().__init__(name)
        self.about: About | None = None
        self._home = home
        self._list = list_
        self._bot = name
        self._pace = pace
        self._trouble = ""

    def on_mount(self) -> None:
        # A thread that is not joined: the page may be left while a long list is being rated.
        threading.Thread(target=self._read, daemon=True).start()

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
            self.draw()

    def action_back(self) -> None:
        if self.is_current:
            self.dismiss()

    def opened(self, match: int) -> None:
        self.app.push_screen(Table(self._home, match, live=False, pace=self._pace))

    def named(self) -> Text:
        return Text(harmless(self._bot, 40), "bold")

    def drawn(self, width: int, height: int) -> Block | Text:
        found = self.about
        if found is None:
            told = harmless(self._trouble, 400) or say("watch.bot.reading", name=harmless(self._bot, 40))
            return Text(told, style="dim")

        def course(wide: int, high: int) -> Block:
            return _course(found.course, wide, high)

        def versions(wide: int) -> Block:
            return Block(_versions(found), wide)

        rivals = [Rival(pair["other"], pair["share"], pair["matches"]) for pair in found.rivals]
        return career.page([*_told(found.row, found.placed)], course, found.places, versions, rivals, width, height)


def _course(points: Sequence[Point], width: int, height: int) -> Block:
    """The course of a rating with its intervals, from where they tell something; empty while there is hardly one."""
    course = Course.of("", points).settled(SETTLED)
    if len(course.points) < 2:
        return Block([])
    low, high, ticks = scale(*whole([course]), height - 2)
    bands = [(max(low, one), min(high, other)) for _, _, one, other in course.points]
    ratings = [rating for _, rating, _, _ in course.points]
    lines = chart(ratings, width, height - 2, low=low, high=high, ticks=ticks, bands=bands)
    first, last = (spoken().number(course.points[at][0], ",") for at in (0, -1))
    axis = Text(f"{first}{last:>{max(1, width - len(first) - 5)}}", "dim")
    axis.pad_left(5)
    title = Text(say("watch.bot.course"), style="bold")
    title.truncate(width, overflow="ellipsis")
    return Block([title, *lines, axis], width) if lines else Block([])


def _versions(found: About) -> Iterator[Text]:
    if len(found.versions) < 2:
        return
    yield Text(say("watch.bot.versions"), style="bold")
    for one in found.versions:
        state = say(f"watch.bot.states.{one.state}")
        yield Text(f"  {harmless(one.bot, 24):<24} {_rating(one)}  {state}", style="bold" * (one is found.row))


def _told(row: Row, placed: int) -> Iterator[Text]:
    place = say("watch.bot.place", place=row.settled, count=placed) if row.settled else say("watch.bot.no_place")
    yield Text(f"{place}, {_rating(row)}", style="bold")
    yield career.told(row.matches, row.wins, row.heads)


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
