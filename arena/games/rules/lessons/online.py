"""What a turn teaches where nobody chooses a row."""

from collections.abc import Iterator

from bullring.arena.games.rules.lessons import Lesson, Turn, winners
from bullring.arena.games.rules.lessons.rows import Move, RowLessons
from bullring.arena.games.rules.sayings import Heads
from bullring.arena.games.rules.stages import DealOver
from bullring.arena.games.rules.wording.text import Text


class OnlineLessons(RowLessons):
    """The cheapest row is taken without asking."""

    def low(self, turn: Turn, move: Move) -> Lesson:
        """A card that fits nowhere takes the cheapest row, on a tie the topmost."""
        tied = [sum(turn.game.heads[card] for card in row) for row in move.rows].count(move.heads) > 1
        return Lesson("low", 85, TOPMOST if tied else CHEAPEST, move.values())

    def ends(self, turn: Turn, over: DealOver) -> Iterator[Lesson]:
        """A match is one deal."""
        yield Lesson("deals", 60, ONE_DEAL, {"winners": winners(over.scores), "best": Heads(min(over.scores))})


CHEAPEST = (
    Text(
        "{name}'s {card} is lower than the last card of every row and fits nowhere; nobody chooses here, so {name} gets the row"
        " with the fewest heads, row {place} ({heads}).",
        "Die {card} von {name} ist niedriger als die letzten Karten aller Reihen und passt nirgends; hier wählt niemand, {name}"
        " bekommt die Reihe mit den wenigsten Hornochsen, Reihe {place} ({heads}).",
    ),
)
TOPMOST = (
    Text(
        "{name}'s {card} fits nowhere and takes the row with the fewest heads; several have {heads}, so it is the topmost of"
        " them, row {place}.",
        "Die {card} von {name} passt nirgends und nimmt die Reihe mit den wenigsten Hornochsen; bei Gleichstand ({heads}) ist es"
        " die oberste, Reihe {place}.",
    ),
)
ONE_DEAL = (
    Text(
        "All hands are empty, and a match here is one deal; the fewest heads win: {winners} ({best}).",
        "Alle Handkarten sind ausgespielt, und eine Partie ist hier ein Durchgang; die wenigsten Hornochsen gewinnen: {winners}"
        " ({best}).",
    ),
)
