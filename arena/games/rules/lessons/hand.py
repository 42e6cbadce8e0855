"""What a move teaches where taken cards may go to the hand."""

from collections.abc import Iterator

from bullring.arena.games.rules.lessons import Lesson, Turn, winners
from bullring.arena.games.rules.lessons.rows import RowLessons, placements
from bullring.arena.games.rules.sayings import Count, Heads, Seat, Value
from bullring.arena.games.rules.stages import DealOver, Kept
from bullring.arena.games.rules.wording.text import Text


class HandLessons(RowLessons):
    """Cards left in the hand count twice."""

    lowest_first = False
    last_turn = 100

    @property
    def beginning(self) -> tuple[Text, ...]:
        """What is said when the first deal begins."""
        return BEGINS

    def moves(self, turn: Turn) -> Iterator[Lesson]:
        """Add what is kept of a row, and a second card."""
        yield from super().moves(turn)
        moves, kept = placements(turn), [seen.stage for seen in turn.stages if isinstance(seen.stage, Kept)]
        for took, keep in zip([move for move in moves if move.took], kept, strict=False):
            texts = PILED if not keep.cards else KEPT_ALL if len(keep.cards) == len(took.cards) else KEPT
            values = {**took.values(), "heads": Heads(keep.heads), "cards": keep.cards}
            yield Lesson("keep", 95, texts, values)
        if len(moves) == 2:
            first, second = moves
            fresh = kept and second.card in kept[0].cards and first.took
            values = {"name": Seat(first.seat), "first": first.card, "second": second.card}
            yield Lesson("fresh", 96, FRESH, values) if fresh else Lesson("second", 64, SECOND, values)

    def ends(self, turn: Turn, over: DealOver) -> Iterator[Lesson]:
        """A hand is empty, or a pile is too large."""
        empty = tuple(Seat(seat) for seat, hand in enumerate(over.hands or ()) if not hand)
        cards = Count(sum(len(hand) for hand in over.hands or ()))
        values: dict[str, Value] = {
            "names": empty,
            "winners": winners(over.scores),
            "best": Heads(min(over.scores)),
            "cards": cards,
        }
        if empty:
            texts = EMPTY_LAST if turn.over else EMPTY
        elif turn.number >= self.last_turn:
            texts = LATE
        else:
            texts = PILE_LAST if turn.over else PILE
        yield Lesson("ends", 60, texts, values)


KEPT = (
    Text(
        "{name} takes row {place} and keeps {cards} in the hand; the others go to the pile and count ({heads}), and what is"
        " still in the hand at the end counts twice.",
        "{name} nimmt Reihe {place} und behält {cards} auf der Hand; die anderen kommen auf den Minusstapel und zählen"
        " ({heads}), und was am Ende noch auf der Hand ist, zählt doppelt.",
    ),
)
KEPT_ALL = (
    Text(
        "{name} takes row {place} and keeps all of it in the hand ({cards}): it costs nothing yet, but what is still there at"
        " the end counts twice.",
        "{name} nimmt Reihe {place} und behält sie ganz auf der Hand ({cards}): Das kostet noch nichts, aber was davon am Ende"
        " noch dort ist, zählt doppelt.",
    ),
)
PILED = (
    Text(
        "{name} takes row {place} and puts all of it on the pile ({heads}); cards of it could have gone to the hand, where they"
        " count twice at the end.",
        "{name} nimmt Reihe {place} und legt sie ganz auf den Minusstapel ({heads}); Karten davon hätten auch auf die Hand"
        " gedurft, wo sie am Ende doppelt zählen.",
    ),
)
FRESH = (
    Text(
        "{name} plays the {first} and takes a row with it, then as second card the {second}, which came to the hand only with"
        " this row.",
        "{name} spielt die {first} und nimmt damit eine Reihe, dann als zweite Karte die {second}, die erst mit dieser Reihe auf"
        " die Hand gekommen ist.",
    ),
)
SECOND = (
    Text(
        "{name} plays two cards: when the {first} is placed, one more is allowed, the {second}.",
        "{name} spielt zwei Karten: Wenn die {first} angelegt ist, ist noch eine erlaubt, die {second}.",
    ),
)
BEGINS = (
    Text(
        "Everyone holds {hand} cards, and {cards} begin the rows; a card is placed as soon as it is played, and one or two may"
        " be played in a move.",
        "Alle haben {hand} Karten auf der Hand, und mit {cards} beginnen die Reihen; jede Karte wird sofort angelegt, und in"
        " einem Zug darf man eine oder zwei spielen.",
    ),
)
EMPTY = (
    Text(
        "The deal ends with the turn in which a hand became empty ({names}); the heads of the cards left in other hands"
        " ({cards}) count twice.",
        "Der Durchgang endet mit der Runde, in der jemand keine Handkarten mehr hat ({names}); die Hornochsen auf den restlichen"
        " Handkarten ({cards}) zählen doppelt.",
    ),
)
EMPTY_LAST = (
    Text(
        "The deal ends with the turn in which a hand became empty ({names}); cards left in other hands count twice, and the"
        " fewest heads win: {winners} ({best}).",
        "Der Durchgang endet mit der Runde, in der jemand keine Handkarten mehr hat ({names}); restliche Handkarten zählen"
        " doppelt, und die wenigsten Hornochsen gewinnen: {winners} ({best}).",
    ),
)
PILE = (
    Text(
        "The deal ends with the turn in which a pile grew to more than 20 cards; the heads of the cards left in the hands"
        " ({cards}) count twice.",
        "Der Durchgang endet mit der Runde, in der ein Minusstapel auf mehr als 20 Karten gewachsen ist; die Hornochsen auf den"
        " restlichen Handkarten ({cards}) zählen doppelt.",
    ),
)
PILE_LAST = (
    Text(
        "The deal ends with the turn in which a pile grew to more than 20 cards; cards left in the hands count twice, and the"
        " fewest heads win: {winners} ({best}).",
        "Der Durchgang endet mit der Runde, in der ein Minusstapel auf mehr als 20 Karten gewachsen ist; restliche Handkarten"
        " zählen doppelt, und die wenigsten Hornochsen gewinnen: {winners} ({best}).",
    ),
)
LATE = (
    Text(
        "The deal has lasted 100 turns, and no deal lasts longer; cards left in the hands ({cards}) count twice.",
        "Der Durchgang hat 100 Runden gedauert, und keiner dauert länger; restliche Handkarten ({cards}) zählen doppelt.",
    ),
)
