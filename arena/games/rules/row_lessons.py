"""The lessons of games of four rows: where cards go and why, and the rule by which a seat takes a row."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bullring.arena.games.rules.lessons import Lesson, Lessons, Turn, outcome, rows_of
from bullring.arena.games.rules.sayings import Count, Heads, Seat, Value
from bullring.arena.games.rules.stages import DealOver, Laid, Took
from bullring.arena.games.rules.table import ROW_LIMIT

SURPRISE = 6
"""Rows that end at distances which differ by at most this much are easily mistaken."""

MANY = 3
"""The fewest cards in one row in one turn that are worth a sentence."""

WIDEST = 8
"""The largest difference of two cards about which counting is worth a sentence."""


@dataclass(frozen=True)
class Move:
    """A card that was placed, and the rows before it."""

    seat: int
    card: int
    place: int
    """The number of the row, from 1."""
    rows: Sequence[tuple[int, ...]]
    took: bool = False
    cards: tuple[int, ...] = ()
    """The cards that were taken."""
    heads: int = 0
    left: bool = False

    @property
    def row(self) -> tuple[int, ...]:
        """The row before it."""
        return self.rows[self.place - 1]

    @property
    def lower_ends(self) -> list[int]:
        """The last cards that are lower, ascending."""
        return sorted({row[-1] for row in self.rows if row[-1] < self.card})

    def values(self, **more: Value) -> Mapping[str, Value]:
        """The values that all sentences about it have in common, and `more`."""
        return {
            "name": Seat(self.seat),
            "card": self.card,
            "place": self.place,
            "end": self.row[-1],
            "heads": Heads(self.heads),
            "count": Count(len(self.row)),
            **more,
        }


def placements(turn: Turn) -> list[Move]:
    """The cards that were placed, in order."""
    found = []
    for seen in turn.stages:
        match seen.stage:
            case Laid(seat, card, place, left):
                found.append(Move(seat, card, place, rows_of(seen.before), left=left))
            case Took(seat, card, place, cards, heads) if card is not None:
                found.append(Move(seat, card, place, rows_of(seen.before), True, cards, heads))
    return found


class RowLessons(Lessons):
    """The lessons of the standard game. Other games override what differs."""

    lowest_first = True
    """Whether the cards of a turn are placed from the lowest to the highest."""
    counting = False
    """Whether all cards of the deck are in play, so that counting them pays."""

    def moves(self, turn: Turn) -> Iterator[Lesson]:
        """Yield lessons about each card, and about the turn as a whole."""
        moves = placements(turn)
        for at in range(len(moves)):
            yield from self.placed(turn, moves, at)
        if self.lowest_first and len(moves) > 1:
            yield Lesson("order", 30, {"cards": tuple(move.card for move in moves)})
            yield from self._several(moves)

    def placed(self, turn: Turn, moves: Sequence[Move], at: int) -> Iterator[Lesson]:
        """Yield lessons about one of the cards."""
        move = moves[at]
        if not move.took:
            yield from self.fits(turn, moves, at)
        elif self.nowhere(move):
            yield self.low(turn, move)
        else:
            yield from self.full(moves, at)

    def nowhere(self, move: Move) -> bool:
        """Whether the card fits nowhere."""
        return not move.lower_ends

    def positions(self, row: Sequence[int]) -> int:
        """The number of places of a row that are taken."""
        return len(row)

    def low(self, turn: Turn, move: Move) -> Lesson:
        """The lesson of a card that fits nowhere. Its owner chooses a row only in games that ask for one."""
        if "row" not in {decision.kind for decision in turn.game.decisions}:
            return Lesson("low", 85, move.values())
        heads = [sum(turn.game.heads[card] for card in row) for row in move.rows]
        cheapest = heads[move.place - 1] == min(heads)
        return Lesson("low", 85, move.values(), "low_chosen_cheapest" if cheapest else "low_chosen")

    def full(self, moves: Sequence[Move], at: int) -> Iterator[Lesson]:
        """Yield lessons about a card that takes a full row."""
        move = moves[at]
        yield Lesson("sixth", 90, move.values())
        before = [other for other in moves[:at] if other.place == move.place]
        cards = tuple(dict.fromkeys(other.card for other in before))
        if before and not any(other.took for other in before) and self.lowest_first:
            room = ROW_LIMIT - self.positions(before[0].row)
            if room == len(cards):
                text = "pushed_by_one" if room == 1 else "pushed"
                yield Lesson("pushed", 100, move.values(cards=cards, room=Count(room)), text)

    def fits(self, turn: Turn, moves: Sequence[Move], at: int) -> Iterator[Lesson]:
        """Yield lessons about a card that is laid at the end of a row and takes nothing."""
        move = moves[at]
        if self.positions(move.row) == ROW_LIMIT - 1:
            yield Lesson("filled", 55, move.values())
        began = next((other for other in moves[:at] if other.took and move.row == (other.card,)), None)
        if began is not None and began.seat != move.seat:
            yield Lesson("renewed", 62, move.values(other=Seat(began.seat)))
        ends = move.lower_ends
        if len(ends) > 1:
            difference, more = move.card - ends[-1], move.card - ends[-2]
            values = move.values(ends=tuple(ends), difference=difference, more=more, other=ends[-2])
            yield Lesson("nearest", 60 if more - difference <= SURPRISE else 45, values)
        elif len({row[-1] for row in move.rows}) > 1:
            yield Lesson("only", 35, move.values())
        between = set(range(move.row[-1] + 1, move.card))
        changed = any(other.place == move.place for other in moves[:at])
        if self.counting and 0 < len(between) < WIDEST and between <= turn.gone and not changed:
            yield Lesson("counted", 63, move.values(), "counted" if len(between) > 1 else "counted_one")

    def _several(self, moves: Sequence[Move]) -> Iterator[Lesson]:
        chain: list[Move] = []
        for move in (*moves, None):
            if move is not None and chain and not move.took and not move.left and move.row[-1] == chain[-1].card:
                chain.append(move)
                continue
            if len(chain) >= MANY:
                yield Lesson("several", 58, {"cards": tuple(one.card for one in chain), "place": chain[0].place})
            chain = [move] if move is not None and not move.took else []

    def begins(self, turn: Turn, after: DealOver | None) -> Iterator[Lesson]:
        """Yield the lessons of the beginning of a deal."""
        rows = rows_of(turn.board)
        if rows:
            cards = tuple(row[0] for row in rows)
            values = {"hand": turn.game.hand_size, "cards": cards, "highest": max(turn.game.deck())}
            yield Lesson("begins", 20, values, once=True)

    def ends(self, turn: Turn, over: DealOver) -> Iterator[Lesson]:
        """Yield why a deal is over, and whether the match is."""
        options, deals = turn.game.options, turn.game.planned_deals()
        if deals:
            fixed = deals == 1 and "deals" not in options
            text = "deals_one" if fixed else "deals_last" if turn.over else "deals_next"
            yield Lesson("deals", 60, {"deal": over.deal, "deals": deals, **outcome(over)}, text)
        elif "target" in options:
            most = max(over.scores)
            values = {"name": Seat(over.scores.index(most)), "score": Heads(most), "target": options["target"]}
            reached = "reached" if options["target_rule"] == "reach" else "exceeded"
            text = f"target_{reached}" if turn.over else f"target_not_{reached}"
            yield Lesson("target", 60, {**values, **outcome(over)}, text)
