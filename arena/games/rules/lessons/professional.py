"""What a turn of rows with two ends teaches."""

from collections.abc import Iterator, Sequence

from bullring.arena.games.rules.lessons import Lesson, Turn
from bullring.arena.games.rules.lessons.rows import FILLED, SURPRISE, Move, RowLessons
from bullring.arena.games.rules.sayings import Seat, Value
from bullring.arena.games.rules.table import ROW_LIMIT, nearest_ends
from bullring.arena.games.rules.wording.text import Text


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

    @property
    def beginning(self) -> tuple[Text, ...]:
        """What is said when the first deal begins."""
        return BEGINS

    def nowhere(self, move: Move) -> bool:
        """Whether the card lies within every row."""
        return not _nearest(move)

    def low(self, turn: Turn, move: Move) -> Lesson:
        """A card that lies within every row."""
        return Lesson("within", 85, WITHIN, move.values())

    def full(self, moves: Sequence[Move], at: int) -> Iterator[Lesson]:
        """A card that takes a full row at either end."""
        move = moves[at]
        values = {**move.values(), "end": _end(move.row, move.card)}
        for lesson in super().full(moves, at):
            yield Lesson("sixth", lesson.weight, SIXTH, values) if lesson.rule == "sixth" else lesson
        yield from self._side(move, values, SIDE_TAKES)

    def fits(self, turn: Turn, moves: Sequence[Move], at: int) -> Iterator[Lesson]:
        """A card that goes to one end."""
        move = moves[at]
        (distance, end), *others = _distances(move)
        values: dict[str, Value] = {**move.values(), "end": end, "difference": distance}
        if len(move.row) == ROW_LIMIT - 1:
            yield Lesson("filled", 55, FILLED, values)
        if len(_nearest(move)) > 1:
            yield from self._side(move, values, SIDE)
        elif others:
            more, other = others[0]
            close = more - distance <= SURPRISE
            values |= {"more": more, "other": other}
            yield (
                Lesson("left", 64 if close else 58, LEFT, values)
                if move.left
                else Lesson("right", 60 if close else 45, RIGHT, values)
            )

    def _side(self, move: Move, values: dict[str, Value], texts: tuple[Text, ...]) -> Iterator[Lesson]:
        others = [_end(move.rows[row], move.card) for row in _nearest(move) if row != move.place - 1]
        if others:
            own = _end(move.row, move.card)
            more = {"end": own, "other": others[0], "difference": abs(own - move.card), "name": Seat(move.seat)}
            yield Lesson("side", 88, texts, {**values, **more})


BEGINS = (
    Text(
        "Everyone holds {hand} cards, and {cards} begin the rows; rows grow at both ends, and a card goes to the nearest of all"
        " ends.",
        "Alle haben {hand} Karten auf der Hand, und mit {cards} beginnen die Reihen; sie wachsen an beiden Enden, und eine Karte"
        " kommt an das nächste aller Enden.",
    ),
)
WITHIN = (
    Text(
        "{name}'s {card} lies between the first and the last card of every row and fits nowhere, so {name} chooses a row and"
        " takes it: row {place} ({heads}).",
        "Die {card} von {name} liegt in jeder Reihe zwischen der ersten und der letzten Karte und passt nirgends: {name} sucht"
        " sich eine Reihe aus und nimmt Reihe {place} ({heads}).",
    ),
)
SIXTH = (
    Text(
        "The end that is nearest to {name}'s {card} is the {end}, and row {place} is full, so {name} takes its five cards"
        " ({heads}) and the {card} begins the row anew.",
        "Der {card} von {name} liegt die {end} am nächsten, und Reihe {place} ist voll: {name} nimmt die fünf Karten ({heads}),"
        " und mit der {card} beginnt die Reihe von vorn.",
    ),
    Text(
        "{name}'s {card} would be the sixth card of row {place}, next to the {end}, so {name} takes the five others ({heads}).",
        "Die {card} von {name} wäre neben der {end} die sechste Karte in Reihe {place}: {name} nimmt die fünf anderen ({heads}).",
    ),
)
SIDE = (
    Text(
        "{name}'s {card} is as near to the {end} as to the {other} (difference {difference}), so {name} chooses the end: row"
        " {place}.",
        "Die {card} von {name} ist von der {end} und der {other} gleich weit entfernt (Differenz {difference}), also wählt"
        " {name} das Ende: Reihe {place}.",
    ),
)
SIDE_TAKES = (
    Text(
        "{name}'s {card} is as near to the {end} as to the {other} (difference {difference}), and {name} chooses row {place},"
        " which is full: {heads}.",
        "Die {card} von {name} ist von der {end} und der {other} gleich weit entfernt (Differenz {difference}), und {name} wählt"
        " Reihe {place}, die voll ist: {heads}.",
    ),
)
LEFT = (
    Text(
        "{name}'s {card} goes to the left end of row {place}, because it is nearest to the {end}: the difference is"
        " {difference}, but {more} to the {other}.",
        "Die {card} von {name} kommt an das linke Ende von Reihe {place}, denn das nächste Ende ist die {end}: Die Differenz ist"
        " {difference}, aber {more} zur {other}.",
    ),
    Text(
        "Rows grow on the left, too: {name}'s {card} is lower than the {end}, the nearest of all ends, and goes before it in row"
        " {place}.",
        "Reihen wachsen auch links: Die {card} von {name} ist niedriger als die {end}, das nächste aller Enden, und kommt in"
        " Reihe {place} davor.",
    ),
)
RIGHT = (
    Text(
        "{name}'s {card} goes to the right end of row {place}, because it is nearest to the {end}: the difference is"
        " {difference}, but {more} to the {other}.",
        "Die {card} von {name} kommt an das rechte Ende von Reihe {place}, denn das nächste Ende ist die {end}: Die Differenz"
        " ist {difference}, aber {more} zur {other}.",
    ),
)
