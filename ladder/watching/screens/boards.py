"""Tables as boards side by side: those that are being played and can be followed, else the last matches once more.

Where there is room, the first of them is large, with cards, and the others are beside it or below.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget

from bullring.arena.games.rulebook.language import say
from bullring.arena.watching.display.blocks import Block, above, beside
from bullring.arena.watching.display.small import height, small
from bullring.arena.watching.picture.picture import Picture
from bullring.ladder.store.home import Home
from bullring.ladder.store.store import Store
from bullring.ladder.watching.display.featured import Featured, Rating

WIDTH = 38
"""Columns of a small board."""

LARGE = (60, 14)
"""Columns and lines of a large one, at least."""

LARGEST = 34
"""Lines of a large one, at most, as long as there are lines for small ones below it."""

GAP = 2
"""Columns between two boards."""

SPREAD = 7
"""Turns by which the first replays of neighbouring boards are apart, so that not all begin with empty rows."""

CALM = 2
"""How many times as long small boards show a step as a large one: many that move at once are neither read nor cheap to draw."""

MOST = 12
"""Most boards."""


class Boards(Widget):
    """Shows as many tables as fit into its width and its lines. A click opens one."""

    DEFAULT_CSS = "Boards { height: auto; padding: 0 1; background: ansi_default; color: ansi_default; }"

    class Opened(Message):
        """Somebody wants to see a table."""

        def __init__(self, match: int) -> None:
            super().__init__()
            self.match = match

    def __init__(self, home: Home, pace: float) -> None:
        super().__init__()
        self._home = home
        self._pace = pace
        self._all: list[Featured] = []
        self._seats = 0
        self._playing: Collection[int] = ()
        self._plan = Plan()
        self._kept: dict[int, tuple[Picture, object, Block]] = {}
        """The boards as they were drawn last, by their places, with what they show and how."""
        self.at: int | None = None
        """The board that is chosen; None: none."""

    def begin(self, store: Store, list_: int, seats: int, rating: Rating) -> None:
        """Show tables of this list from now on."""
        self._seats = seats
        self._all = [
            Featured(
                self._home,
                store,
                list_,
                rating,
                self._pace * (CALM if number else 1),
                elsewhere=lambda: self._shown_now(),
                skip=number % SPREAD,
            )
            for number in range(MOST)
        ]

    @property
    def shown(self) -> Sequence[Featured]:
        """The tables that are shown, from left to right and from the top."""
        return [one for one in self._all[: self._plan.boards] if one.picture is not None]

    @property
    def chosen(self) -> int | None:
        """The match that is chosen."""
        return self.shown[self.at].match if self.at is not None and self.at < len(self.shown) else None

    def fit(self, plan: "Plan") -> None:
        """Show boards by this plan."""
        if plan != self._plan:
            self._plan = plan
            self.refresh(layout=True)

    def choose(self, at: int | None) -> None:
        """Choose this board, or none. Its match stays on it."""
        self.at = at
        for number, one in enumerate(self.shown):
            one.stays = number == at
        self.refresh()

    def _shown_now(self) -> Collection[int]:
        return {one.match for one in self._all[: self._plan.boards]}

    def advance(self, now: float, playing: Collection[int]) -> None:
        """Go on with what moves."""
        before, self._playing = len(self.shown), playing
        moved = [one.advance(now, playing) for one in self._all[: self._plan.boards]]
        if any(moved):
            self.refresh(layout=len(self.shown) != before)

    def render(self) -> Block:
        plan, drawn = self._plan, [self._board(at, one) for at, one in enumerate(self.shown)]
        large, rest = drawn[: plan.large > 0], drawn[plan.large > 0 :]
        rows = [beside(rest[first : first + plan.across], GAP) for first in range(0, len(rest), plan.across)]
        column = above([part for row in rows for part in (row, Block([""]))][:-1])
        parts = [beside([*large, column], GAP)] if plan.beside else [*large, *([Block([""])] * len(large)), column]
        return above(parts, self.size.width).fitted(self.size.width, plan.lines)

    def _board(self, at: int, one: Featured) -> Block:
        picture, plan = one.picture, self._plan
        assert picture is not None
        how = say(f"watch.said.{'again' if not one.live else 'live' if one.match in self._playing else 'over'}")
        large = plan.large if at == 0 else 0
        before, drawn = self._kept.get(at), (one.match, how, at == self.at, large, plan.wide)
        if before is not None and before[0] is picture and before[1] == drawn and not (large and one.live):
            return before[2]
        title = Text.assemble(
            (say("watch.said.table", match=one.match), "bold reverse" if at == self.at else "bold"), (f"  {how}", "dim")
        )
        board = (
            Block([title, *one.drawn(plan.wide, large).lines[1:]], plan.wide) if large else small(picture, title, WIDTH)
        )
        for line in board.lines:
            line.apply_meta({"board": one.match})
        self._kept[at] = picture, drawn, board
        return board

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return self._plan.lines if self.shown else 0

    def on_click(self, event: events.Click) -> None:
        if "board" in event.style.meta:
            self.post_message(self.Opened(event.style.meta["board"]))


@dataclass(frozen=True)
class Plan:
    """Which boards have which room."""

    lines: int = 0
    """The lines of all."""
    wide: int = 0
    """The columns of the large one."""
    large: int = 0
    """Its lines; 0: there is none."""
    beside: bool = False
    """Whether the small ones are beside it, in a column."""
    across: int = 1
    """Small boards side by side."""
    down: int = 0
    """Small boards below each other."""

    @property
    def boards(self) -> int:
        """The number of boards."""
        return min(MOST, (self.large > 0) + self.across * self.down)


def planned(width: int, lines: int, seats: int) -> Plan:
    """The best use of a room for tables of so many seats; not all lines are used if small boards do not fill them."""
    each = height(seats) + 1
    across = max(1, (width + GAP) // (WIDTH + GAP))
    if width < LARGE[0] or lines < LARGE[1]:
        down = (lines + 1) // each if width >= WIDTH else 0
        return Plan(max(0, down * each - 1), across=across, down=down)
    if lines <= LARGEST and width >= LARGE[0] + GAP + WIDTH:
        return Plan(lines, width - GAP - WIDTH, lines, beside=True, down=(lines + 1) // each)
    down = max(0, -(-(lines - LARGEST) // each))
    return Plan(lines, width, lines - down * each, across=across, down=down)
