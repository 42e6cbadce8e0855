"""What a turn teaches where every card of the deck is in play."""

from collections.abc import Iterator, Sequence

from bullring.arena.games.rules.lessons import Lesson, Turn
from bullring.arena.games.rules.lessons.rows import Move, RowLessons
from bullring.arena.games.rules.wording.text import Text

WIDEST = 8
"""The largest difference of two cards about which counting is worth a sentence."""


class TacticsLessons(RowLessons):
    """Counting cards pays."""

    @property
    def beginning(self) -> tuple[Text, ...]:
        """What is said when the first deal begins."""
        return BEGINS

    def fits(self, turn: Turn, moves: Sequence[Move], at: int) -> Iterator[Lesson]:
        """Add cards that nobody could come before."""
        yield from super().fits(turn, moves, at)
        move = moves[at]
        between = set(range(move.row[-1] + 1, move.card))
        changed = any(other.place == move.place for other in moves[:at])
        if 0 < len(between) < WIDEST and between <= turn.gone and not changed:
            yield Lesson("counted", 63, COUNTED if len(between) > 1 else COUNTED_ONE, move.values())


COUNTED = (
    Text(
        "{name}'s {card} goes after the {end} in row {place}; all cards between the two were gone, so whoever counts knew that"
        " none could come before it.",
        "Die {card} von {name} kommt in Reihe {place} hinter die {end}; alle Karten dazwischen waren schon weg, wer mitzählt,"
        " wusste also, dass keine davor kommen kann.",
    ),
)
COUNTED_ONE = (
    Text(
        "{name}'s {card} goes after the {end} in row {place}; the one card between the two was gone, so whoever counts knew that"
        " none could come before it.",
        "Die {card} von {name} kommt in Reihe {place} hinter die {end}; die eine Karte dazwischen war schon weg, wer mitzählt,"
        " wusste also, dass keine davor kommen kann.",
    ),
)
BEGINS = (
    Text(
        "Only the cards 1 to {highest} are used, so every card is in a hand or on the table; {cards} begin the rows.",
        "Gespielt wird nur mit den Karten 1 bis {highest}, jede ist also auf einer Hand oder auf dem Tisch; mit {cards} beginnen"
        " die Reihen.",
    ),
)
