"""The live table: it takes the entries of a record and draws the state of the match with `rich`."""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import median

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from bullring.arena.clock.limits import MICRO, NO_CLOCK, Limits
from bullring.arena.display import parts
from bullring.arena.display.text import harmless
from bullring.arena.records.reading import Entry
from bullring.arena.records.replay import Answered, Began, Dealt, Ended, Faulted, Happening, Replay
from bullring.arena.rules.board import Board, OpenHands, Rows, Sheet, Stacks, Waiting
from bullring.arena.rules.events import Event
from bullring.arena.rules.game import TAKEN, Batch

NEWS = 4
"""Lines of news under the table."""


@dataclass
class SeatPicture:
    """The displayed data of one seat."""

    name: str
    short: str
    """The name, cut short for lines with other text."""
    played: str = ""
    """Its latest cards in this turn."""
    took: int = 0
    """Heads it took in this turn."""
    times: list[int] = field(default_factory=list)
    """The time of each decision made by the bot, in microseconds."""
    faults: int = 0
    out: bool = False
    """Whether the referee plays this seat."""
    rank: int | None = None


class LiveTable:
    """The display of a match, kept up to date by `feed`."""

    def __init__(self) -> None:
        self.replay = Replay(telling=True)
        self.seats: list[SeatPicture] = []
        self.news: deque[Text] = deque(maxlen=NEWS)
        self.over = False
        self.waited = 0.0
        """Seconds since the last entry, set by the caller that draws the table."""
        self._turn = (0, 0)
        self._before: tuple[Counter[int], Sequence[int]] = Counter(), ()
        """The cards on the table and, by seat, the heads taken in this deal, before the current happening."""
        self._lay: Counter[int] = Counter()
        """The cards on the table when the turn began."""
        self._had: Sequence[int] = ()
        """By seat, the heads taken in this deal when the turn began."""

    def feed(self, entry: Entry) -> None:
        """Take the next entry of the record."""
        self._see(self.replay.feed(entry))
        self._before = self._lying(), [*self._heads()]

    def _see(self, happening: Happening) -> None:
        match happening:
            case Began(head):
                self.seats = [SeatPicture(harmless(name), harmless(name, 20)) for name in head["seats"]]
            case Dealt(events):
                self._before = self._lying(), [*self._heads()]
                self._new_turn((self.replay.state.deal, 0))
                self._see_ends(events)
            case Answered():
                self._see_answers(happening)
            case Faulted(fault):
                self._see_fault(fault)
            case Ended(_, ranks, void):
                self.over = True
                if void:
                    self._tell(f"void: {harmless(void)}", "red")
                for seat, rank in zip(self.seats, ranks, strict=False):
                    seat.rank = rank

    def _see_answers(self, answered: Answered) -> None:
        decision = answered.decision
        if self._turn != (answered.deal, answered.turn):
            self._new_turn((answered.deal, answered.turn))
        for index, answer, us, by in zip(answered.seats, answered.answers, answered.us, answered.by, strict=True):
            seat = self.seats[index]
            if by == "bot":
                seat.times.append(us)
            shown = decision.shows(answer) if decision.shows is not None else ""
            if shown and not decision.begins_move:
                earlier = seat.played.split()
                shown = " ".join([*(["…"] if len(earlier) > 1 else []), *earlier[-1:], shown])
            seat.played = shown or seat.played
        for told in answered.told:
            self._tell(told.by_name([seat.short for seat in self.seats]), "yellow")
        for seat, had, has in zip(self.seats, self._had, self._heads(), strict=False):
            seat.took = has - had
        self._see_ends(answered.events)

    def _see_ends(self, events: Sequence[Event]) -> None:
        for event in events:
            if event["type"] == "deal_over":
                self._tell(
                    f"deal {event['deal']} is over; heads by seat: {', '.join(map(str, event['heads']))}", "cyan"
                )

    def _see_fault(self, fault: Event) -> None:
        seat = self.seats[fault["seat"]]
        seat.faults += 1
        seat.out |= fault["closed"]
        self._tell(f"{seat.short}: {fault['kind']} in {fault['decision']}: {harmless(fault['got'], 60)}", "red")

    def _new_turn(self, turn: tuple[int, int]) -> None:
        self._turn = turn
        self._lay, self._had = self._before
        for seat in self.seats:
            seat.played, seat.took = "", 0

    def _tell(self, text: str, style: str) -> None:
        self.news.append(Text(text, style=style, no_wrap=True, overflow="ellipsis"))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not self.seats:
            yield Panel("waiting for the match", title="bullring")
            return
        needed = [self._title(), *self._on_the_table(), self._standings(), *self._score_sheet()]
        wanted = [*reversed(self.news), *self._hands()]
        yield from needed
        if console.is_terminal and not self.over:
            # The bottom of what does not fit is cut off, which may be what matters most: leave out hands, then the oldest news.
            room = console.height - 1 - _lines(console, options, needed)
            while wanted and _lines(console, options, wanted) > room:
                wanted.pop()
        yield from [part for part in wanted if not isinstance(part, Text)]
        yield from [part for part in reversed(wanted) if isinstance(part, Text)]

    def _board(self) -> Board:
        return self.replay.game.board(self.replay.state)

    def _on_the_table(self) -> Iterator[RenderableType]:
        """The open parts of the board, except hands and score sheet."""
        fresh = {card for card, count in self._lying().items() if count > self._lay[card]}
        for part in self._board():
            if not isinstance(part, OpenHands | Sheet):
                yield parts.drawn(part, self.replay.game.heads, fresh)

    def _hands(self) -> Iterator[RenderableType]:
        """The known cards of the hands."""
        names = [seat.name for seat in self.seats]
        for part in self._board():
            if isinstance(part, OpenHands):
                yield parts.hands(names, part, self.replay.game.heads)

    def _score_sheet(self) -> Iterator[RenderableType]:
        for part in self._board():
            if isinstance(part, Sheet):
                yield parts.sheet_table([seat.name for seat in self.seats], part)

    def _lying(self) -> Counter[int]:
        """How often each card lies on the table."""
        lying: Counter[int] = Counter()
        for part in self._board():
            if isinstance(part, Rows | Stacks):
                for cards in part.rows if isinstance(part, Rows) else part.stacks:
                    lying.update(cards)
            elif isinstance(part, Waiting):
                lying.update([card for _, card in part.cards])
        return lying

    def _heads(self) -> Sequence[int]:
        """By seat, the heads taken in this deal; empty if the game does not count them during the deal."""
        return self.replay.game.columns(self.replay.state).get(TAKEN, ())

    def _title(self) -> Text:
        head, game, state = self.replay.head, self.replay.game, self.replay.state
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(" bullring ", style="bold reverse")
        text.append(f"  {head['game']}", style="bold")
        planned = game.planned_deals()
        text.append(f"  deal {state.deal}" + (f" of {planned}" if planned else ""))
        if goal := game.goal():
            text.append(f"  {goal}")
        text.append(f"  turn {state.turn}" if state.turn else "  draft")
        if isinstance(state.pending, Batch):
            kind = state.pending.kind
            limit = head["limits"][Limits.name_of(kind)] / MICRO
            allowed = "no limit" if head.get("clock") == NO_CLOCK else f"{limit:g} s"
            text.append(f"  {allowed} to {game.decision(kind).purpose}")
        return text

    def _doing(self, index: int, asked: Sequence[int], kind: str) -> Text:
        seat = self.seats[index]
        if self.over:
            return Text(f"place {seat.rank}" if seat.rank else "", style="bold green" if seat.rank == 1 else "")
        if seat.out:
            return Text("out", style="red")
        if index not in asked:
            return Text("")
        doing = self.replay.game.decision(kind).waits
        return Text(
            f"{doing} {self.waited:.0f} s" if self.waited >= 1 else doing, style="bold" if len(asked) == 1 else "dim"
        )

    def _standings(self) -> Table:
        game, state = self.replay.game, self.replay.state
        own = game.columns(state)
        pending = state.pending
        asked, kind = (pending.seats, pending.kind) if isinstance(pending, Batch) else ((), "")
        cells: dict[str, Callable[[int], str | Text]] = {
            "": str,
            "bot": lambda at: parts.name_text(self.seats[at].name),
            "card": lambda at: self.seats[at].played,
            "took": lambda at: Text(f"+{self.seats[at].took}" if self.seats[at].took else "", style="yellow"),
            **{title: partial(_cell, figures) for title, figures in own.items()},
            "heads": partial(_cell, state.scores),
            "last ms": lambda at: _ms(self.seats[at].times[-1:]),
            "median": lambda at: _ms(self.seats[at].times),
            "faults": lambda at: Text(str(self.seats[at].faults or ""), style="red"),
            "state": lambda at: self._doing(at, asked, kind),
        }
        if TAKEN not in own:
            del cells["took"]
        if len(own) > 1:
            del cells["median"]  # 80 columns have no room for everything
        table = parts.columns(*cells)
        for index in range(len(self.seats)):
            table.add_row(*(cell(index) for cell in cells.values()))
        bank = self.replay.head["limits"]["bank_us"]
        if bank:
            table.caption = f"time bank {bank / MICRO:g} s"
        return table


def _cell(figures: Sequence[int], seat: int) -> str:
    return str(figures[seat])


def _lines(console: Console, options: ConsoleOptions, shown: Sequence[RenderableType]) -> int:
    return sum(len(console.render_lines(part, options)) for part in shown)


def _ms(times: list[int]) -> str:
    return f"{median(times) / 1000:.1f}" if times else ""
