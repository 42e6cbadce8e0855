"""The professional variant: rows grow at both ends.

========== ==========================================================================================
seats      2-10
deck       1..104: ten cards to each hand, four to begin the rows
decisions  card (all seats, hidden), row (the owner of a card that lies within every row),
           side (the owner of a card equally near to a left end and a right end, A21)
options    as in the standard game
end        as in the standard game
source     jubilee rulebook, variant 4
rulings    A20 (name), A21, A22, A24 (the sixth card on either side takes all five and begins the row anew)
========== ==========================================================================================
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from bullring.arena.games.rules.cards import HEADS
from bullring.arena.games.rules.decision import Decision
from bullring.arena.games.rules.game import Batch, Option
from bullring.arena.games.rules.lessons import Lesson, Lessons, Turn
from bullring.arena.games.rules.reasons import Reason, Reasons
from bullring.arena.games.rules.row_lessons import SURPRISE, Move, RowLessons
from bullring.arena.games.rules.row_reasons import RowReasons, Sight
from bullring.arena.games.rules.rows import CARD, ROW, RowGame, RowState
from bullring.arena.games.rules.sayings import Heads
from bullring.arena.games.rules.table import ROW_LIMIT, ROWS, Row, nearest_ends

SIDE = Decision(
    "side",
    "the owner of a card with two equally near ends",
    "the two rows, ascending",
    "The row where it takes fewer heads: the heads of a full row, or 0 where there is room. On a tie, the right end of a row.",
    answers=lambda game: ROWS,
    names="row",
)


def _end(row: Sequence[int], card: int) -> int:
    """The end of a row on the side of a card."""
    return row[0] if card < row[0] else row[-1]


def _distances(move: Move) -> list[tuple[int, int]]:
    """The distances to the ends that the card may go to, each with its end, ascending."""
    ends = [_end(row, move.card) for row in move.rows if not row[0] < move.card < row[-1]]
    return sorted((abs(end - move.card), end) for end in ends)


def _nearest(move: Move) -> list[int]:
    return nearest_ends([list(row) for row in move.rows], move.card)


class ProfessionalLessons(RowLessons):
    """The nearest end on either side counts."""

    def nowhere(self, move: Move) -> bool:
        """Whether the card lies within every row."""
        return not _nearest(move)

    def low(self, turn: Turn, move: Move) -> Lesson:
        """The lesson of a card that lies within every row."""
        return Lesson("within", 85, move.values())

    def full(self, moves: Sequence[Move], at: int) -> Iterator[Lesson]:
        """Yield lessons about a card that takes a full row at either end."""
        move = moves[at]
        for lesson in super().full(moves, at):
            yield replace(lesson, values={**lesson.values, "end": _end(move.row, move.card)})
        yield from self._side(move, "side_takes")

    def fits(self, turn: Turn, moves: Sequence[Move], at: int) -> Iterator[Lesson]:
        """Yield lessons about a card that goes to one end."""
        move = moves[at]
        (distance, end), *others = _distances(move)
        if len(move.row) == ROW_LIMIT - 1:
            yield Lesson("filled", 55, move.values())
        if len(_nearest(move)) > 1:
            yield from self._side(move, "side")
        elif others:
            more, other = others[0]
            close = more - distance <= SURPRISE
            values = move.values(end=end, difference=distance, more=more, other=other)
            if move.left:
                yield Lesson("left", 64 if close else 58, values)
            else:
                yield Lesson("right", 60 if close else 45, values)

    def _side(self, move: Move, text: str) -> Iterator[Lesson]:
        others = [_end(move.rows[row], move.card) for row in _nearest(move) if row != move.place - 1]
        if others:
            end = _end(move.row, move.card)
            yield Lesson("side", 88, move.values(end=end, other=others[0], difference=abs(end - move.card)), text)


class ProfessionalReasons(RowReasons):
    """Rows have room at both ends, and a card within all of them fits nowhere."""

    def of(self, game: Any, view: Mapping[str, Any], kind: str, option: Any) -> Iterator[Reason]:
        """Add the room of a row to choose from two."""
        if kind == "side":
            yield self.room(Sight(game, view), option - 1)
        yield from super().of(game, view, kind, option)

    def targets(self, rows: Sequence[Row], card: int) -> Sequence[int]:
        """The rows with the nearest ends."""
        return nearest_ends(rows, card)

    def before(self, sight: Sight, card: int, at: int) -> Iterator[Reason]:
        """Say nothing about a left end: cards between are higher there, and placed later."""
        if card > sight.rows[at][-1]:
            yield from super().before(sight, card, at)

    def nowhere(self, sight: Sight, card: int) -> Iterator[Reason]:
        """Yield what the card takes: lower cards do not help."""
        yield Reason("low", {"card": card, "heads": Heads(min(map(sight.heads, sight.rows)))})


class Professional(RowGame[RowState]):
    """The professional variant: rows grow downwards on the left and upwards on the right."""

    id: ClassVar[str] = "professional"
    aliases: ClassVar[tuple[str, ...]] = ("profi",)
    seat_range: ClassVar[tuple[int, int]] = (2, 10)
    lessons: ClassVar[Lessons] = ProfessionalLessons()
    reasons: ClassVar[Reasons] = ProfessionalReasons()
    decisions: ClassVar[tuple[Decision, ...]] = (CARD, ROW, SIDE)
    both_ends: ClassVar[bool] = True
    state_type = RowState

    def targets(self, state: RowState, card: int) -> Sequence[int]:
        """The row with the nearest end on either side, or two rows at the same distance."""
        return nearest_ends(state.rows, card)

    def extend(self, state: RowState, card: int, target: int) -> None:
        """Put a lower card at the left end, a higher one at the right end."""
        row = state.rows[target]
        row.insert(0 if card < row[0] else len(row), card)
        state.row_heads[target] += HEADS[card]

    def fallback(self, state: RowState, index: int) -> Option:
        """Like `RowGame.fallback`; of two ends that cost the same, choose the right end."""
        batch = state.pending
        if isinstance(batch, Batch) and batch.kind == "side":
            card, _ = state.queue[0]
            rows = batch.options[index]
            return min(rows, key=lambda row: (self.cost(state, "side", row), card < state.rows[int(str(row)) - 1][0]))
        return super().fallback(state, index)
