"""What a turn of cards played face up teaches."""

from collections.abc import Iterator

from bullring.arena.games.rules.lessons import Lesson, Turn
from bullring.arena.games.rules.lessons.rows import RowLessons
from bullring.arena.games.rules.sayings import Seat
from bullring.arena.games.rules.stages import Revealed
from bullring.arena.games.rules.wording.text import Text


class OpenLessons(RowLessons):
    """The marker says who plays first."""

    @property
    def beginning(self) -> tuple[Text, ...]:
        """What is said when the first deal begins."""
        return BEGINS

    def moves(self, turn: Turn) -> Iterator[Lesson]:
        """Add who played first and last."""
        yield from super().moves(turn)
        played = [seen.stage.cards[0] for seen in turn.stages if isinstance(seen.stage, Revealed)]
        if len(played) == turn.game.seats:
            (first, _), (last, card) = played[0], played[-1]
            left = Seat((first + 1) % turn.game.seats)
            if not turn.game.options["reset_marker"]:
                yield Lesson("marker", 63, MARKER, {"name": Seat(first), "next": left})
            yield Lesson("last", 57, LAST, {"name": Seat(last), "card": card})


MARKER = (
    Text(
        "{name} had the marker and played first; after the turn it goes to the left, to {next}.",
        "{name} hatte die Startspielerkarte und spielte zuerst aus; nach der Runde bekommt sie der linke Nachbar, {next}.",
    ),
)
BEGINS = (
    Text(
        "Everyone holds {hand} cards and plays one face up in each turn, one after the other; {cards} begin the rows.",
        "Alle haben {hand} Karten auf der Hand und spielen in jeder Runde nacheinander eine offen aus; mit {cards} beginnen die"
        " Reihen.",
    ),
)
LAST = (
    Text(
        "{name} played last, and had seen all the others' cards before choosing the {card}.",
        "{name} spielte zuletzt aus und hatte vor der Wahl der {card} alle anderen Karten gesehen.",
    ),
)
