"""The table as people watch it: one reducer of record entries, and its picture in `rich`."""

from collections import deque
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from arena.replay import Entry, Replay
from arena.rules.cards import HEADS
from arena.rules.game import Batch, Event
from arena.view.plain import harmless, heads_text

NEWS = 4
"""Lines of news under the table."""


@dataclass
class SeatView:
    """What is shown of one seat."""

    name: str
    played: int | None = None
    """Its last card."""
    took: int = 0
    """Heads it took in the last turn."""
    times: list[int] = field(default_factory=list)
    """Microseconds of each of its own decisions."""
    faults: int = 0
    out: bool = False
    """Whether the referee plays the seat."""
    rank: int | None = None


class TableView:
    """All that is shown of a match, kept up to date by `feed`."""

    def __init__(self) -> None:
        self.replay = Replay()
        self.seats: list[SeatView] = []
        self.news: deque[Text] = deque(maxlen=NEWS)
        self.over = False
        self.waited = 0.0
        """Seconds since the last entry, kept by whoever draws."""
        self._fresh: set[int] = set()

    def feed(self, entry: Entry) -> None:
        """Take the next entry of the record."""
        for event in self.replay.feed(entry):
            see = getattr(self, f"_see_{event['type']}", None)
            if see is not None:
                see(event)

    def _see_match(self, event: Event) -> None:
        self.seats = [SeatView(harmless(name)) for name in event["seats"]]

    def _see_deal(self, event: Event) -> None:
        self._fresh = set()
        for seat in self.seats:
            seat.played, seat.took = None, 0

    def _see_answers(self, event: Event) -> None:
        for index, us, by in zip(event["seats"], event["us"], event["by"], strict=True):
            if by == "bot":
                self.seats[index].times.append(us)

    def _see_play(self, event: Event) -> None:
        self._fresh = set()
        for seat, card in zip(self.seats, event["cards"], strict=True):
            seat.played, seat.took = card, 0

    def _see_place(self, event: Event) -> None:
        for index, card, row, heads in event["placed"]:
            self._fresh.add(card)
            if heads:
                self.seats[index].took += heads
                self._tell(f"{self.seats[index].name} takes row {row} with the {card}: {heads_text(heads)}", "yellow")

    def _see_fault(self, event: Event) -> None:
        seat = self.seats[event["seat"]]
        seat.faults += 1
        seat.out |= event["closed"]
        self._tell(f"{seat.name}: {event['kind']} in {event['decision']}: {harmless(event['got'], 60)}", "red")

    def _see_deal_over(self, event: Event) -> None:
        self._tell(f"deal {event['deal']} is over: {' '.join(map(str, event['heads']))} heads", "cyan")

    def _see_match_over(self, event: Event) -> None:
        self.over = True
        if event["void"]:
            self._tell(f"void: {harmless(event['void'])}", "red")
        for seat, rank in zip(self.seats, event["ranks"], strict=False):
            seat.rank = rank

    def _tell(self, text: str, style: str) -> None:
        self.news.append(Text(text, style=style, no_wrap=True, overflow="ellipsis"))

    def __rich__(self) -> RenderableType:
        if not self.seats:
            return Panel("waiting for the match", title="bullring")
        return Group(self._title(), self._rows(), self._standings(), *self.news)

    def _title(self) -> Text:
        head, state = self.replay.head, self.replay.state
        limit = head["limits"]["card_us"] / 1e6
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(" bullring ", style="bold reverse")
        text.append(f"  {head['game']}", style="bold")
        options = head["options"]
        if options.get("deals"):
            text.append(f"  deal {state.deal} of {options['deals']}")
        else:
            text.append(f"  deal {state.deal}")
            if "target" in options:
                text.append(f"  to {options['target']} heads")
        text.append(f"  turn {state.turn}  {limit:g} s a card")
        return text

    def _rows(self) -> Table:
        state = self.replay.state
        table = Table(box=None, padding=(0, 1), show_header=False)
        table.add_column(justify="right", style="dim")
        for _ in range(5):
            table.add_column(justify="right", min_width=3)
        table.add_column(justify="right")
        for number, (row, heads) in enumerate(zip(state.rows, state.row_heads, strict=True), 1):
            cards = [self._card(card) for card in row] + [Text("·", style="dim")] * (5 - len(row))
            table.add_row(f"row {number}", *cards, Text(heads_text(heads), style="dim"))
        return table

    def _card(self, card: int) -> Text:
        style = {1: "", 2: "cyan", 3: "yellow", 5: "magenta", 7: "bold red"}[HEADS[card]]
        return Text(str(card), style=f"{style} reverse" if card in self._fresh else style)

    def _thinking(self, kind: str) -> str:
        doing = "thinking" if kind == "card" else f"picks {kind}"
        return f"{doing} {self.waited:.0f} s" if self.waited >= 1 else doing

    def _standings(self) -> Table:
        state: Any = self.replay.state
        pending = state.pending
        asked, kind = (pending.seats, pending.kind) if isinstance(pending, Batch) else ((), "")
        table = columns(*_COLUMNS)
        bank = self.replay.head["limits"]["bank_us"]
        for index, seat in enumerate(self.seats):
            if self.over:
                doing = Text(f"place {seat.rank}" if seat.rank else "", style="bold green" if seat.rank == 1 else "")
            elif seat.out:
                doing = Text("out", style="red")
            else:
                doing = Text(self._thinking(kind) if index in asked else "", style="dim")
            table.add_row(
                str(index),
                name_text(seat.name),
                "" if seat.played is None else str(seat.played),
                Text(f"+{seat.took}", style="yellow") if seat.took else "",
                str(state.heads[index]),
                str(state.scores[index]),
                _ms(seat.times[-1:]),
                _ms(seat.times),
                Text(str(seat.faults), style="red") if seat.faults else "",
                doing,
            )
        if bank:
            table.caption = f"time bank {bank / 1e6:g} s"
        return table


_COLUMNS = ("", "bot", "card", "took", "deal", "heads", "last ms", "median", "faults", "state")
_WIDTHS = {"bot": 13, "state": 9}
"""The least widths of columns that need more than their title."""


def name_text(name: str) -> Text:
    """A name that stays on one line and is cut where there is no room."""
    return Text(name, no_wrap=True, overflow="ellipsis")


def columns(*titles: str) -> Table:
    """An empty table with these columns, of which only "bot" gives way on a narrow terminal."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), collapse_padding=True, pad_edge=False)
    for title in titles:
        words = title in ("bot", "state")
        table.add_column(
            title,
            justify="left" if words else "right",
            no_wrap=title != "bot",
            min_width=_WIDTHS.get(title, len(title)),
            max_width=40 if title == "bot" else None,
        )
    return table


def _ms(times: list[int]) -> str:
    return f"{median(times) / 1000:.1f}" if times else ""
