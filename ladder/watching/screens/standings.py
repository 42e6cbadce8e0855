"""The tables of a ladder, its standings, and the last results; each bot, table and match can be opened."""

import math
import os
import threading
import time
from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal

from rich.console import Group, RenderableType
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.arena.watching.display.blocks import Block, above
from bullring.arena.watching.display.small import height
from bullring.arena.watching.screens import PACE
from bullring.arena.watching.screens.results import Results
from bullring.arena.watching.screens.shell import key_name
from bullring.errors import BullringError
from bullring.ladder.run.progress import Running, RunningMatch, running
from bullring.ladder.standings.lines import lines_of
from bullring.ladder.store.home import Home
from bullring.ladder.watching.display.plots import meetings_map
from bullring.ladder.watching.display.progress import fitted, noted, parts, whole
from bullring.ladder.watching.display.tables import live_notes, standings_table
from bullring.ladder.watching.screens.boards import GAP, LARGE, LARGEST, WIDTH, Boards, Plan, planned
from bullring.ladder.watching.screens.bot import BotPage
from bullring.ladder.watching.screens.match import Table
from bullring.ladder.watching.screens.matches import Tables
from bullring.ladder.watching.screens.reader import Chooser, News, read_on

LOOK = 0.5
"""Seconds between two looks at what is being played."""

MOVE = 1.0
"""Seconds of a step of the boards, and between two drawings of them."""

SHARE = 0.015
"""Share of the time of all cores that drawing may take beside a run; where it would be more, boards are drawn less often."""

WIDE = 150
"""Columns from which on the standings are beside the tables."""

LARGER = 3 * (WIDTH + GAP) + 2
"""Columns of the tables where there is room for three small boards side by side, and for a large one with its history."""

LISTS = 76
"""Columns of the standings and the results, at least, beside so many tables."""

LOW = 24
"""Lines below which there are lists instead of boards, and below 20, no results."""

SPARE = 30
"""Lines from which on parts are set apart by blank lines."""

TALL = 36
"""Lines from which on there is room for some more results."""

ROOMY = 6
"""Further results that come before the map of pairs."""

STANDINGS = 7
"""Lines of the standings that no board takes away from them."""

AROUND = 3
"""Lines of the title, the heading of the tables, and the keys."""

CORES = len(os.sched_getaffinity(0))

Part = Literal["bots", "tables", "boards", "results"]
"""Parts of the screen with something to choose."""


class StandingsScreen(Screen[None]):
    """Waits for a ladder, and shows it. Enter or a click opens a bot, a table or a match."""

    DEFAULT_CSS = """
    StandingsScreen { layout: vertical; }
    StandingsScreen #title, StandingsScreen #about, StandingsScreen #foot, StandingsScreen #results { height: 1; }
    StandingsScreen #middle, StandingsScreen #right { height: 1fr; }
    StandingsScreen #left { height: auto; }
    StandingsScreen.spare VerticalScroll, StandingsScreen.spare #results { margin-top: 1; }
    StandingsScreen.wide #middle { layout: horizontal; }
    StandingsScreen.wide #left { height: 100%; }
    StandingsScreen.wide #right { width: 1fr; }
    StandingsScreen VerticalScroll {
        padding: 0 1; scrollbar-size-vertical: 1; scrollbar-background: ansi_default; scrollbar-color: ansi_bright_black;
    }
    StandingsScreen VerticalScroll Static { height: auto; }
    StandingsScreen #notices { height: auto; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "choose(1)", "watch.keys.after", key_display="↓ ↑"),
        Binding("up", "choose(-1)"),
        Binding("tab", "part(1)", "watch.keys.group"),
        Binding("shift+tab", "part(-1)"),
        Binding("enter", "open", "watch.keys.open"),
        Binding("v", "versions", "watch.keys.versions"),
        Binding("pagedown", "scroll(1)", "watch.keys.scroll", key_display="PgDn PgUp"),
        Binding("pageup", "scroll(-1)"),
    ]

    ends = "quit"
    """The text for the key that ends it."""
    waits = "no_ladder"
    """The text for the time before a run plays."""

    def __init__(self, home: Home, choose: Chooser, *, pace: float = PACE, metrics: Sequence[str] = ()) -> None:
        super().__init__()
        self.news = News()
        self._home = home
        self._choose = choose
        self._pace = pace
        self._metrics = metrics
        self._now: Running | None = None
        """What is being played; None: nothing."""
        self._versions = False
        """Whether all versions are shown."""
        self._part: Part | None = None
        """The part in which something was chosen last."""
        self._bot: str | None = None
        """The bot that is chosen, or was last."""
        self._since, self._spent = -math.inf, 0.0
        """The moment at which boards last went on, and the processor time of this thread up to then."""
        self._shown: int | None = None
        """The list of the small boards."""
        self._stopped = threading.Event()
        self._title = Static(id="title")
        self._scroll = VerticalScroll(can_focus=False)
        self._standings = Static()
        self._about = Static(id="about")
        self._beside = Container(id="left")
        self._tables = Tables()
        self._boards = Boards(home, MOVE)
        self._told = Static(id="results")
        self._results = Results()
        self._notices = Static(id="notices")
        self._foot = Static(id="foot")

    def compose(self) -> ComposeResult:
        yield self._title
        with Container(id="middle"):
            with self._beside:
                yield self._about
                yield self._tables
                yield self._boards
            with Container(id="right"):
                with self._scroll:
                    yield self._standings
                yield self._told
                yield self._results
                yield self._notices
        yield self._foot

    def on_mount(self) -> None:
        # A thread that is not joined: the screen may be left while a long list is being rated.
        threading.Thread(
            target=read_on, args=(self._home, self._choose, self._take_from_thread, self._stopped), daemon=True
        ).start()
        self.look()
        self.set_interval(LOOK, self.look)
        self.set_interval(MOVE, self._advance)

    def on_unmount(self) -> None:
        self._stopped.set()

    def on_resize(self) -> None:
        self._draw()

    def _take_from_thread(self, news: News) -> None:
        if not self._stopped.is_set():
            try:
                self.app.call_from_thread(self.take, news)
            except RuntimeError:
                self._stopped.set()  # the screen was left at this moment

    def take(self, news: News) -> None:
        """Show the standings."""
        self.news = news
        if news.list is not None and news.list.id != self._shown:
            try:
                self._boards.begin(self._home.store(read_only=True), news.list.id, news.list.seats, self._rating)
                self._shown = news.list.id
            except BullringError:
                return  # there is no store any more
        self._results.show(news.results)
        if self.is_mounted:
            self._draw()

    def _rating(self, bot: int) -> float | None:
        names = {id: name for name, id in self.news.ids.items()}
        return next((row.rating for row in self.news.rows if row.bot == names.get(bot)), None)

    def look(self) -> None:
        """See what is being played."""
        before, now = self._now, running(self._home)
        if now == before:
            return
        self._now = now
        self._tables.show([] if now is None else now.matches[: now.tables])
        if now is None or before is None or now.notices != before.notices or self._tables.display:
            self._draw()
        else:
            self._about.update(fitted(self._heading(), self._left))

    def _advance(self) -> None:
        """Go on with the boards, unless what was drawn since the last time has taken too much of the run's time.

        Reading the standings, in another thread, has a budget of its own.
        """
        now, spent = time.monotonic(), time.thread_time()
        if self._now is not None and spent - self._spent > SHARE * CORES * (now - self._since):
            return
        self._since, self._spent = now, spent
        if self.is_current:
            self._boards.advance(now, [match.id for match in self._playing])
            if bool(self._boards.shown) == self._tables.display:
                self._draw()

    @property
    def _playing(self) -> Sequence[RunningMatch]:
        """The matches that were given to referee processes."""
        return () if self._now is None else self._now.matches

    # Choosing

    @property
    def part(self) -> Part:
        """The part in which something is chosen."""
        shown = self._parts()
        return self._part if self._part in shown else next(iter(shown), "bots")

    def _bots(self) -> Sequence[str]:
        """The bots as they are listed."""
        lines = lines_of(self.news.rows)
        return [row.bot for line in lines for row in (line.row, *(line.folded if self._versions else ()))]

    def _parts(self) -> list[Part]:
        """The parts that have something to choose, from the top."""
        full: dict[Part, bool] = {
            "tables": bool(self._tables.playing) and bool(self._tables.display),
            "boards": bool(self._boards.shown) and bool(self._boards.display),
            "bots": bool(self.news.rows),
            "results": bool(self._results.results) and bool(self._results.display),
        }
        return [part for part, is_full in full.items() if is_full]

    def action_choose(self, by: int) -> None:
        """Choose the next line; beyond the last one of a part, the next part follows."""
        part = self.part
        at, count = self._at(part)
        if 0 <= at + by < count:
            self._go(part, at + by)
        else:
            self.action_part(by, around=False)

    def action_part(self, by: int, *, around: bool = True) -> None:
        parts = self._parts()
        if not parts:
            return
        at = parts.index(self._part) + by if self._part in parts else 0
        if around:
            self._go(parts[at % len(parts)], 0)
        elif 0 <= at < len(parts):
            self._go(parts[at], 0 if by > 0 else self._at(parts[at])[1] - 1)

    def _at(self, part: Part) -> tuple[int, int]:
        """The line that is chosen in a part, and the number of its lines."""
        if part == "bots":
            names = self._bots()
            return names.index(self._bot) if self._bot in names else -1, len(names)
        if part == "tables":
            return -1 if self._tables.at is None else self._tables.at, len(self._tables.playing)
        if part == "boards":
            return -1 if self._boards.at is None else self._boards.at, len(self._boards.shown)
        return -1 if self._results.at is None else self._results.at, len(self._results.results)

    def _go(self, part: Part, at: int) -> None:
        self._part = part
        self._results.choose(at if part == "results" else None)
        self._boards.choose(at if part == "boards" else None)
        self._tables.choose(at if part == "tables" else None)
        if part == "bots":
            self._bot = self._bots()[at]
            self._scroll.scroll_to(y=max(0, at - self._scroll.size.height // 2), animate=False)
        self._draw()

    # Opening

    def action_open(self) -> None:
        part, table = self.part, self._tables.chosen
        matches = {
            "tables": None if table is None else table.id,
            "boards": self._boards.chosen,
            "results": self._results.chosen,
        }
        match = matches.get(part)
        if match is not None:
            self._open(match)
        elif part == "bots" and self._bot is not None:
            self._open_bot(self._bot)
        else:
            self.action_choose(1)  # nothing is chosen yet

    def on_tables_opened(self, opened: Tables.Opened) -> None:
        self._open(opened.match)

    def on_boards_opened(self, opened: Boards.Opened) -> None:
        self._open(opened.match)

    def on_results_opened(self, opened: Results.Opened) -> None:
        self._open(opened.match)

    def on_click(self, event: events.Click) -> None:
        """A click on a bot opens its page."""
        name = event.style.meta.get("bot")
        if name is not None:
            self._open_bot(name)

    def _open(self, match: int) -> None:
        live = any(one.id == match for one in self._playing)
        self.app.push_screen(Table(self._home, match, live=live, pace=self._pace))

    def _open_bot(self, name: str) -> None:
        if self.news.list is not None:
            self.app.push_screen(BotPage(self._home, self.news.list, name, pace=self._pace))

    def action_versions(self) -> None:
        self._versions = not self._versions
        self._draw()

    def action_scroll(self, by: int) -> None:
        if by > 0:
            self._scroll.scroll_page_down(animate=False)
        else:
            self._scroll.scroll_page_up(animate=False)

    # Drawing

    def _draw(self) -> None:
        news, size = self.news, self.app.size
        title = [Text(" bullring ", style="bold reverse")]
        if news.title:
            title += [Text(news.title, style="bold"), Text(say("watch.said.matches", count=news.matches), style="dim")]
        self._title.update(fitted(title, size.width))
        self._about.update(fitted(self._heading(), self._left))
        self._arrange()
        moves = [move.drawn() for move in {move.bot: move for move in news.moves[::-1]}.values()][::-1]
        told = Text(say("watch.said.results"), style="bold")
        self._told.update(Text(" ") + fitted([told, *moves], self._right - 1, "   "))
        self._foot.update(self._keys())

    @property
    def _left(self) -> int:
        """The columns of the tables."""
        width = self.app.size.width
        if width < WIDE:
            return width
        return LARGER if width - LARGER >= LISTS else width * 55 // 100

    @property
    def _right(self) -> int:
        """The columns of the standings and the results."""
        width = self.app.size.width
        return width - self._left if width >= WIDE else width

    def _arrange(self) -> None:
        """Give each part the lines that there are.

        All have some: the results a few, the standings `STANDINGS` or what they need, and boards the rest, so that the first one is
        large if that is enough.
        """
        lines, seats = self.app.size.height, self.news.list.seats if self.news.list is not None else 2
        wide, spare = self.app.size.width >= WIDE, lines >= SPARE
        self.set_class(wide, "wide")
        self._beside.styles.width = self._left
        self.set_class(spare, "spare")
        free = lines - AROUND + wide - (0 if wide else 2 * spare)
        notices = whole(noted(() if self._now is None else self._now.notices), self._right - 2, 1 + 2 * spare)
        self._notices.update(Text("\n").join(Text(" ") + line for line in notices))
        free -= len(notices)
        news = self.news
        results = 0 if lines < LOW - 4 else min(len(news.results), 5 if lines >= TALL else 3)
        self._results.display = self._told.display = results > 0
        free -= results + (results > 0)
        table, rows, notes = self._table()
        natural = rows + 1
        if wide:
            plan = planned(self._left - 2, lines - AROUND, seats)
            standings = free
        else:
            plan = planned(self._left - 2, free - min(natural, STANDINGS), seats) if lines >= LOW else Plan()
            if plan.large:
                plan = planned(self._left - 2, max(LARGE[1], min(LARGEST, free - natural - 2)), seats)
            elif plan.down > 1:
                plan = planned(self._left - 2, max(height(seats), free - natural - 2), seats)
            standings = free - plan.lines
        self._boards.fit(plan)
        self._boards.display = plan.lines > 0 and bool(self._boards.shown)
        self._tables.display = not self._boards.display
        if self._tables.display:
            self._tables.styles.max_height = most = max(1, min(4, free // 3))
            standings += plan.lines - min(most, len(self._tables.playing))
        said = whole(notes, self._right - 2, max(0, standings - natural))
        more = max(0, standings - natural - len(said))
        met = meetings_map(news.outlook.meetings, news.rows, self._right - 3)
        if met.height:
            met = above([Block([""]), met]) if more > met.height + ROOMY else Block([])
        self._results.styles.max_height = max(1, results + more - met.height)
        self._scroll.styles.height = max(1, min(standings, natural + len(said) + met.height))
        self._standings.update(Group(table, *said, *met.lines))

    def _table(self) -> tuple[RenderableType, int, Sequence[Text]]:
        """The standings, the number of their rows, and the notes below them."""
        news = self.news
        if not news.rows:
            return Text(harmless(news.trouble, 400) or say("watch.said.reading"), style="dim"), 1, ()
        marked = self._bot if self.part == "bots" else None
        width = self._right - 3
        table = standings_table(
            news.rows, live=True, metrics=self._metrics, width=width, versions=self._versions, marked=marked
        )
        return table, table.row_count, list(live_notes(news.rows, news.outlook))

    def _heading(self) -> Iterator[Text]:
        """The heading of the tables: the progress of the run, and how many there are."""
        if self._now is None:
            yield Text(f" {say(f'watch.said.{self.waits}')}", style="yellow")
        else:
            first, *more = parts(self._now.progress)
            yield Text.assemble(" ", (first.plain, first.style or "bold"))
            if self._now.tables:
                more.append(Text(say("watch.said.tables", count=self._now.tables)))
            yield from (Text(part.plain, part.style or "dim") for part in more)

    def _keys(self) -> Text:
        news, width = self.news, self.app.size.width
        if news.rows and news.trouble:
            return Text(f" {harmless(news.trouble, 400)}", style="red")
        keys = [
            ("Enter", "open"),
            ("↑↓", "choose"),
            ("?", "keys"),
            ("q", self.ends),
        ]  # first, what is needed on any terminal
        keys += [("Tab", "group")] if len(self._parts()) > 1 else []
        if any(line.folded for line in lines_of(news.rows)):
            keys.append(("v", "one_line" if self._versions else "versions"))
        told = [Text.assemble((key_name(key), "bold"), (f" {say(f'watch.foot.{what}')}", "dim")) for key, what in keys]
        if any(row.house for row in news.rows):
            told.append(Text(say("ladder.house"), style="dim"))
        return Text(" ") + fitted(told, width - 1)
