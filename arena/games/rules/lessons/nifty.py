"""What a turn of two cards each teaches."""

from collections.abc import Iterator

from bullring.arena.games.rules.lessons import Lesson, Turn
from bullring.arena.games.rules.lessons.rows import RowLessons, placements
from bullring.arena.games.rules.sayings import Seat
from bullring.arena.games.rules.wording.text import Text


class NiftyLessons(RowLessons):
    """Whoever has the lowest card places both."""

    lowest_first = False

    @property
    def beginning(self) -> tuple[Text, ...]:
        """What is said when the first deal begins."""
        return BEGINS

    def moves(self, turn: Turn) -> Iterator[Lesson]:
        """Add the order of two cards."""
        yield from super().moves(turn)
        moves = placements(turn)
        for first, second in zip(moves[::2], moves[1::2], strict=False):
            values = {"name": Seat(first.seat), "first": first.card, "second": second.card}
            if first.card > second.card:
                yield Lesson("higher", 75, HIGHER_FIRST, values)
            else:
                yield Lesson("lower", 50, LOWER_FIRST, values)


HIGHER_FIRST = (
    Text(
        "{name} has the {second}, the lowest card still waiting, and so places both cards now, in an order of free choice: the"
        " {first} before the {second}.",
        "{name} hat mit der {second} die niedrigste Karte, die noch wartet, und legt darum jetzt beide an, in freier"
        " Reihenfolge: die {first} vor der {second}.",
    ),
)
LOWER_FIRST = (
    Text(
        "{name} has the {first}, the lowest card still waiting, and so places both cards now, the {first} and right after it the"
        " {second}.",
        "{name} hat mit der {first} die niedrigste Karte, die noch wartet, und legt darum jetzt beide an, die {first} und direkt"
        " danach die {second}.",
    ),
)
BEGINS = (
    Text(
        "Everyone holds {hand} cards and plays two of them in each turn; {cards} begin the rows.",
        "Alle haben {hand} Karten auf der Hand und spielen in jeder Runde zwei davon; mit {cards} beginnen die Reihen.",
    ),
)
