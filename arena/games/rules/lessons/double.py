"""What a turn with twins teaches."""

from collections.abc import Iterator, Sequence

from bullring.arena.games.rules.lessons import Lesson, Turn
from bullring.arena.games.rules.lessons.rows import Move, RowLessons
from bullring.arena.games.rules.sayings import Seat
from bullring.arena.games.rules.table import ROW_LIMIT
from bullring.arena.games.rules.wording.text import Text


class DoubleLessons(RowLessons):
    """Equal cards share a place, and their owners a row."""

    @property
    def beginning(self) -> tuple[Text, ...]:
        """What is said when the first deal begins."""
        return BEGINS

    def positions(self, row: Sequence[int]) -> int:
        """Twins share a place."""
        return len(set(row))

    def placed(self, turn: Turn, moves: Sequence[Move], at: int) -> Iterator[Lesson]:
        """Twins that were played in one turn are one move."""
        move = moves[at]
        if any(other.card == move.card for other in moves[:at]):
            return
        twin = next((other for other in moves[at + 1 :] if other.card == move.card), None)
        if twin is None:
            yield from super().placed(turn, moves, at)
            return
        values = {**move.values(), "other": Seat(twin.seat)}
        if move.took:
            yield Lesson("shared", 97, SHARED_LOW if self.nowhere(move) else SHARED, values)
        else:
            yield Lesson("together", 82, TOGETHER, values)

    def full(self, moves: Sequence[Move], at: int) -> Iterator[Lesson]:
        """Places count, not cards."""
        if len(moves[at].row) == ROW_LIMIT:
            yield from super().full(moves, at)
        else:
            yield Lesson("places", 92, PLACES, moves[at].values())

    def fits(self, turn: Turn, moves: Sequence[Move], at: int) -> Iterator[Lesson]:
        """A twin goes on top of its equal."""
        move = moves[at]
        if move.row[-1] == move.card:
            full = self.positions(move.row) == ROW_LIMIT
            yield Lesson("twin", 93 if full else 80, TWIN_FULL if full else TWIN, move.values())
            return
        for lesson in super().fits(turn, moves, at):
            yield Lesson("filled", lesson.weight, FILLED, lesson.values) if lesson.rule == "filled" else lesson


BEGINS = (
    Text(
        "Everyone holds {hand} cards, and {cards} begin the rows; a row has five places, and twins, cards with the same number,"
        " share one.",
        "Alle haben {hand} Karten auf der Hand, und mit {cards} beginnen die Reihen; eine Reihe hat fünf Plätze, und Zwillinge,"
        " Karten mit gleicher Zahl, teilen sich einen.",
    ),
)
PLACES = (
    Text(
        "The five places of row {place} were taken, though {count} lay there, because twins share a place; {name}'s {card} needs"
        " a sixth, so {name} takes all of them ({heads}).",
        "Die fünf Plätze von Reihe {place} waren besetzt, obwohl dort {count} lagen, denn Zwillinge teilen sich einen; die"
        " {card} von {name} braucht einen sechsten, also nimmt {name} alle ({heads}).",
    ),
)
TWIN = (
    Text(
        "{name}'s {card} goes on top of its twin in row {place}: the two share a place, and nobody takes anything.",
        "Die {card} von {name} kommt in Reihe {place} auf ihren Zwilling: Die beiden teilen sich einen Platz, und niemand nimmt"
        " etwas.",
    ),
)
TWIN_FULL = (
    Text(
        "{name}'s {card} goes on top of its twin, so {name} takes nothing even though row {place} is full.",
        "Die {card} von {name} kommt auf ihren Zwilling, also nimmt {name} nichts, obwohl Reihe {place} voll ist.",
    ),
)
FILLED = (
    Text(
        "{name}'s {card} takes the fifth place of row {place}: the row is full, and only a twin of the {card} can still be laid"
        " there without taking it.",
        "Die {card} von {name} bekommt den fünften Platz in Reihe {place}: Die Reihe ist voll, und nur ein Zwilling der {card}"
        " kann dort noch angelegt werden, ohne sie zu nehmen.",
    ),
)
TOGETHER = (
    Text(
        "{name} and {other} both played the {card}: the twins are placed in row {place} together, as if they were one card.",
        "{name} und {other} haben beide die {card} gespielt: Die Zwillinge werden zusammen an Reihe {place} angelegt, als wären"
        " sie eine Karte.",
    ),
)
SHARED = (
    Text(
        "{name} and {other} both played the {card} and take row {place} together: each gets half of its heads, rounded up"
        " ({heads}).",
        "{name} und {other} haben beide die {card} gespielt und nehmen Reihe {place} gemeinsam: Jeder bekommt die Hälfte ihrer"
        " Hornochsen, aufgerundet ({heads}).",
    ),
)
SHARED_LOW = (
    Text(
        "{name} and {other} both played the {card}, which fits nowhere: {name} chooses row {place} for both, and each gets half"
        " of its heads, rounded up ({heads}).",
        "{name} und {other} haben beide die {card} gespielt, die nirgends passt: {name} sucht für beide Reihe {place} aus, und"
        " jeder bekommt die Hälfte ihrer Hornochsen, aufgerundet ({heads}).",
    ),
)
