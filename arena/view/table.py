"""The table as people watch it: one reducer of record entries, and its picture in `rich`."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from arena.replay import Entry, Replay
from arena.rules.cards import ELEVEN_HEADS, HEADS
from arena.rules.game import Batch, Event
from arena.rules.rows import RowGame
from arena.view import parts
from arena.view.plain import cards_text, harmless, heads_text

NEWS = 4
"""Lines of news under the table."""


@dataclass
class SeatView:
    """What is shown of one seat."""

    name: str
    short: str
    """The name where much else is to be said."""
    played: str = ""
    """Its last cards of this turn."""
    took: int = 0
    """Heads it took in this turn."""
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
        """The cards that came to the table in this turn."""
        self._turn = (0, 0)
        self._row_taken = 0
        self._sheet: Event | None = None

    def feed(self, entry: Entry) -> None:
        """Take the next entry of the record."""
        for event in self.replay.feed(entry):
            see = getattr(self, f"_see_{event['type']}", None)
            if see is not None:
                see(event)

    def _see_match(self, event: Event) -> None:
        self.seats = [SeatView(harmless(name), harmless(name, 20)) for name in event["seats"]]

    def _see_deal(self, event: Event) -> None:
        self._new_turn((event["deal"], 0))

    def _see_answers(self, event: Event) -> None:
        turn = event["deal"], event["turn"]
        if turn != self._turn:
            self._new_turn(turn)
        for index, answer, us, by in zip(event["seats"], event["answers"], event["us"], event["by"], strict=True):
            seat = self.seats[index]
            if by == "bot":
                seat.times.append(us)
            if event["kind"] == "draft":
                seat.played = str(answer)

    def _new_turn(self, turn: tuple[int, int]) -> None:
        self._turn = turn
        self._fresh = set()
        for seat in self.seats:
            seat.played, seat.took = "", 0

    def _see_play(self, event: Event) -> None:
        for seat, cards in zip(self.seats, event["cards"], strict=True):
            seat.played = str(cards) if isinstance(cards, int) else " ".join(map(str, cards))

    def _see_lay(self, event: Event) -> None:
        seat = self.seats[event["seat"]]
        earlier = seat.played.split()
        seat.played = " ".join([*(["…"] if len(earlier) > 1 else []), *earlier[-1:], str(event["card"])])
        self._fresh.add(event["card"])

    def _see_place(self, event: Event) -> None:
        for index, card, row, heads in event["placed"]:
            self._fresh.add(card)
            if heads:
                self.seats[index].took += heads
                self._row_taken = heads
                self._tell(f"{self.seats[index].short} takes row {row} with the {card}: {heads_text(heads)}", "yellow")

    def _see_keep(self, event: Event) -> None:
        seat = self.seats[event["seat"]]
        seat.took += event["heads"] - self._row_taken
        kept = " ".join(map(str, event["cards"])) or "nothing"
        self._tell(f"{seat.short} keeps {kept}, the others count {heads_text(event['heads'])}", "yellow")

    def _see_take(self, event: Event) -> None:
        name, cards = self.seats[event["seat"]].short, event["cards"]
        self._tell(f"{name} takes stack {event['stack']} ({cards_text(cards)})", "yellow")
        self._fresh.update(event["turned"])

    def _see_bull(self, event: Event) -> None:
        where = "" if event["from"] is None else f" from {self.seats[event['from']].short}"
        self._tell(f"{self.seats[event['seat']].short} gets a bull{where}", "magenta")

    def _see_sheet(self, event: Event) -> None:
        self._sheet = event

    def _see_fault(self, event: Event) -> None:
        seat = self.seats[event["seat"]]
        seat.faults += 1
        seat.out |= event["closed"]
        self._tell(f"{seat.short}: {event['kind']} in {event['decision']}: {harmless(event['got'], 60)}", "red")

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

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not self.seats:
            yield Panel("waiting for the match", title="bullring")
            return
        needed = [self._title(), *self._on_the_table(), self._standings(), *self._score_sheet()]
        wanted = [*reversed(self.news), *self._hands()]
        yield from needed
        if console.is_terminal and not self.over:
            # What does not fit would be cut off below, and with it what matters most: leave out hands, then the oldest news.
            room = console.height - 1 - _lines(console, options, needed)
            while wanted and _lines(console, options, wanted) > room:
                wanted.pop()
        yield from [part for part in wanted if not isinstance(part, Text)]
        yield from [part for part in reversed(wanted) if isinstance(part, Text)]

    def _on_the_table(self) -> Iterator[RenderableType]:
        """What lies open, whatever the game has of it."""
        game = self.replay.game
        public = game.public(self.replay.state)
        if public.get("pool"):
            yield parts.pool(public["pool"])
        if isinstance(game, RowGame) and public["rows"]:
            yield parts.rows(public["rows"], public["row_heads"], self._fresh, both_ends=game.both_ends)
        if public.get("stacks"):
            yield parts.stacks(public["stacks"], self._fresh, public["draw"])
        if public.get("played"):
            yield parts.waiting(public["played"])

    def _hands(self) -> Iterator[RenderableType]:
        """What everybody knows of the hands."""
        public = self.replay.game.public(self.replay.state)
        names = [seat.name for seat in self.seats]
        heads = ELEVEN_HEADS if "stacks" in public else HEADS
        if any(public.get("hands", ())):
            yield parts.hands(names, public["hands"], heads, "holds")
        if any(public.get("known", ())):
            yield parts.hands(names, public["known"], heads, "known in hand:")

    def _score_sheet(self) -> Iterator[RenderableType]:
        if self._sheet is not None:
            yield parts.sheet_table([seat.name for seat in self.seats], self._sheet)

    def _title(self) -> Text:
        head, state = self.replay.head, self.replay.state
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(" bullring ", style="bold reverse")
        text.append(f"  {head['game']}", style="bold")
        options = head["options"]
        deals = options.get("deals") or (None if "target" in options else self.replay.game.seats)
        if deals and head["game"] != "online":
            text.append(f"  deal {state.deal} of {deals}")
        else:
            text.append(f"  deal {state.deal}")
            if "target" in options:
                text.append(f"  to {options['target']} heads")
        text.append(f"  turn {state.turn}" if state.turn else "  draft")
        if isinstance(state.pending, Batch):
            kind = state.pending.kind
            limit = head["limits"][f"{kind}_us" if kind in ("card", "row") else "other_us"] / 1e6
            text.append(f"  {limit:g} s to {_TO[kind]}")
        return text

    def _doing(self, index: int, asked: Sequence[int], kind: str) -> Text:
        seat = self.seats[index]
        if self.over:
            return Text(f"place {seat.rank}" if seat.rank else "", style="bold green" if seat.rank == 1 else "")
        if seat.out:
            return Text("out", style="red")
        if index not in asked:
            return Text("")
        doing = _DOING.get(kind, kind)
        return Text(
            f"{doing} {self.waited:.0f} s" if self.waited >= 1 else doing, style="bold" if len(asked) == 1 else "dim"
        )

    def _standings(self) -> Table:
        state: Any = self.replay.state
        public = self.replay.game.public(state)
        pending = state.pending
        asked, kind = (pending.seats, pending.kind) if isinstance(pending, Batch) else ((), "")
        cells: dict[str, Callable[[int], str | Text]] = {
            "": str,
            "bot": lambda at: parts.name_text(self.seats[at].name),
            "card": lambda at: self.seats[at].played,
            "took": lambda at: Text(f"+{self.seats[at].took}" if self.seats[at].took else "", style="yellow"),
            "hand": lambda at: str(public["hand_sizes"][at]),
            "bulls": lambda at: str(public["bulls"][at] or ""),
            "deal": lambda at: str(public["heads"][at]),
            "heads": lambda at: str(public["scores"][at]),
            "last ms": lambda at: _ms(self.seats[at].times[-1:]),
            "median": lambda at: _ms(self.seats[at].times),
            "faults": lambda at: Text(str(self.seats[at].faults or ""), style="red"),
            "state": lambda at: self._doing(at, asked, kind),
        }
        needs = {"hand": "hand_sizes", "bulls": "bulls", "deal": "heads", "took": "heads"}
        shown = [title for title in cells if needs.get(title, "scores") in public]
        if "hand" in shown:
            shown.remove("median")  # 80 columns have no room for both
        table = parts.columns(*shown)
        for index in range(len(self.seats)):
            table.add_row(*(cells[title](index) for title in shown))
        bank = self.replay.head["limits"]["bank_us"]
        if bank:
            table.caption = f"time bank {bank / 1e6:g} s"
        return table


_TO = {
    "card": "play",
    "cards": "play",
    "play": "play",
    "draft": "draft",
    "row": "take a row",
    "side": "choose a row",
    "order": "order",
    "keep": "sort a row",
    "more": "go on",
    "bull": "take a bull",
}
"""What the time that is shown is for, by the kind of the decision."""

_DOING = {
    "card": "thinking",
    "cards": "thinking",
    "play": "thinking",
    "draft": "drafts",
    "row": "picks row",
    "side": "picks row",
    "order": "orders",
    "keep": "sorts row",
    "more": "one more?",
    "bull": "picks bull",
}
"""What a seat does that is asked for a decision of this kind."""


def _lines(console: Console, options: ConsoleOptions, shown: Sequence[RenderableType]) -> int:
    return sum(len(console.render_lines(part, options)) for part in shown)


def _ms(times: list[int]) -> str:
    return f"{median(times) / 1000:.1f}" if times else ""
