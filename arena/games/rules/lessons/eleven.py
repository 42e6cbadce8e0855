"""What a move of 11 nimmt! teaches."""

from collections.abc import Iterator

from bullring.arena.games.rules.lessons import Lesson, Lessons, Turn, stacks_of, winners
from bullring.arena.games.rules.sayings import Count, Heads, Seat, Value
from bullring.arena.games.rules.stages import Changed, DealOver, Laid, Opened, Took, Turned
from bullring.arena.games.rules.wording.text import Text

HIGHEST = 100
BULL_SIZE = 3


class ElevenLessons(Lessons):
    """Stacks within ten, and bulls."""

    def moves(self, turn: Turn) -> Iterator[Lesson]:
        """About cards laid, or a stack taken."""
        lays = [(seen.stage, seen.before) for seen in turn.stages if isinstance(seen.stage, Laid)]
        took = next((seen.stage for seen in turn.stages if isinstance(seen.stage, Took)), None)
        if took is not None:
            yield from self._took(turn, took)
        elif lays:
            before = stacks_of(lays[0][1])
            yield from self._laid([(lay, before[lay.place - 1][-1]) for lay, _ in lays])

    def _laid(self, lays: list[tuple[Laid, int]]) -> Iterator[Lesson]:
        """Cards laid in one move, each with the top before the move."""
        for lay, top in lays:
            step = (lay.card - top) % HIGHEST
            values: dict[str, Value] = {
                "name": Seat(lay.seat),
                "card": lay.card,
                "place": lay.place,
                "top": top,
                "step": step,
            }
            if lay.card < top:
                yield Lesson("around", 72, AROUND, values)
            else:
                yield Lesson("lay", 40, LAY, values)
        if len(lays) > 1:
            cards = tuple(lay.card for lay, _ in lays)
            several = {**values, "cards": cards, "highest": max(cards, key=lambda card: (card - top) % HIGHEST)}
            same = len({lay.place for lay, _ in lays}) == 1
            yield Lesson("same", 80, SAME_STACK, several) if same else Lesson("several", 78, SEVERAL, several)

    def _took(self, turn: Turn, took: Took) -> Iterator[Lesson]:
        turned = next((seen.stage.cards for seen in turn.stages if isinstance(seen.stage, Turned)), ())
        bull = next((seen.stage for seen in turn.stages if isinstance(seen.stage, Changed)), None)
        count = len(took.cards)
        values: dict[str, Value] = {
            "name": Seat(took.seat),
            "place": took.place,
            "count": Count(count),
            "cards": turned,
        }
        yield Lesson("take", 60, TAKE[min(len(turned), 2)], values)
        if bull is not None and len(bull.seats) == 2:
            yield Lesson("bull from", 85, BULL_FROM, {**values, "other": Seat(bull.seats[1])})
        elif bull is not None:
            yield Lesson("bull", 76, BULL, values)
        elif count >= BULL_SIZE:
            yield Lesson("no bull", 82, NO_BULL, values)
        else:
            yield Lesson("too few", 58, TOO_FEW, values)

    def begins(self, turn: Turn, opened: Opened, after: DealOver | None) -> Iterator[Lesson]:
        """The first stack."""
        stacks = stacks_of(turn.board)
        if stacks:
            yield Lesson("begins", 20, BEGINS, {"card": stacks[0][0]}, once=True)

    def ends(self, turn: Turn, over: DealOver) -> Iterator[Lesson]:
        """A hand is empty, or there is nothing to lay on or to take."""
        empty = tuple(Seat(seat) for seat, hand in enumerate(over.hands or ()) if not hand)
        values: dict[str, Value] = {
            "names": empty,
            "winners": winners(over.scores),
            "best": Heads(min(over.scores)),
        }
        if empty:
            yield Lesson("ends", 60, EMPTY_LAST if turn.over else EMPTY, values)
        else:
            yield Lesson("stuck", 60, STUCK_LAST if turn.over else STUCK, values)


LAY = (
    Text(
        "{name}'s {card} fits on stack {place}, because it is {step} higher than the {top}, and up to 10 is allowed.",
        "Die {card} von {name} passt auf Stapel {place}, denn sie ist um {step} höher als die {top}, und bis zu 10 sind erlaubt.",
    ),
    Text(
        "{name} gets rid of the {card}: it goes on the {top} of stack {place}, which it exceeds by {step}.",
        "{name} wird die {card} los: Sie ist um {step} höher als die {top} und kommt auf Stapel {place}.",
    ),
    Text(
        "Cards that are up to 10 higher than the {top} fit on stack {place}, and so {name} may lay the {card} there.",
        "Auf die {top} von Stapel {place} passt, was um bis zu 10 höher ist, also darf {name} die {card} dort legen.",
    ),
    Text(
        "{name} lays the {card} on stack {place}, where the {top} was on top; from it to the {card} the difference is {step}.",
        "{name} legt die {card} auf Stapel {place}, auf dem die {top} oben lag; die Differenz ist {step}.",
    ),
)
AROUND = (
    Text(
        "After 100 the numbers begin again with 1: {name}'s {card} is {step} higher than the {top} and fits on stack {place}.",
        "Nach der 100 geht es mit der 1 weiter: Die {card} von {name} ist um {step} höher als die {top} und passt auf Stapel"
        " {place}.",
    ),
)
SAME_STACK = (
    Text(
        "With a bull several cards may be laid in a move: {name} lays {cards} on stack {place}, all at most 10 higher than the"
        " {top} that was on top before, and the {highest} is the new top.",
        "Mit einer Bullenkarte darf man in einem Zug mehrere Karten legen: {name} legt {cards} auf Stapel {place}, alle um"
        " höchstens 10 höher als die {top}, die vorher oben lag; oben liegt jetzt die {highest}.",
    ),
)
SEVERAL = (
    Text(
        "With bulls, cards may be laid on as many stacks as one has bulls: {name} lays {cards} in one move.",
        "Mit Bullenkarten darf man auf so viele Stapel legen, wie man Bullenkarten hat: {name} legt {cards} in einem Zug.",
    ),
)
TAKE = (
    (
        Text(
            "{name} takes stack {place} ({count}) into the hand, which costs nothing yet; no card is left to turn up.",
            "{name} nimmt Stapel {place} ({count}) auf die Hand, was noch nichts kostet; zum Aufdecken ist keine Karte mehr da.",
        ),
    ),
    (
        Text(
            "{name} takes stack {place} ({count}) into the hand, which costs nothing yet; the last card is turned up, and the"
            " {cards} begins a new stack.",
            "{name} nimmt Stapel {place} ({count}) auf die Hand, was noch nichts kostet; die letzte Karte wird aufgedeckt, und"
            " mit der {cards} beginnt ein neuer Stapel.",
        ),
    ),
    (
        Text(
            "{name} takes stack {place} ({count}) into the hand, which costs nothing yet; two cards are turned up, and {cards}"
            " begin new stacks.",
            "{name} nimmt Stapel {place} ({count}) auf die Hand, was noch nichts kostet; zwei Karten werden aufgedeckt, und mit"
            " {cards} beginnen neue Stapel.",
        ),
        Text(
            "For each stack that is taken two new ones begin: {name} takes stack {place} ({count}), and {cards} are turned up.",
            "Für jeden genommenen Stapel beginnen zwei neue: {name} nimmt Stapel {place} ({count}), und {cards} werden"
            " aufgedeckt.",
        ),
    ),
)
BULL = (
    Text(
        "{name} takes stack {place} with {count} and gets a bull for it: three cards are enough.",
        "{name} nimmt Stapel {place} mit {count} und bekommt dafür eine Bullenkarte: Drei Karten genügen.",
    ),
    Text(
        "For a stack of three or more cards there is a bull: {name} has taken {count} and may lay several cards in a move with"
        " it.",
        "Für einen Stapel mit drei oder mehr Karten gibt es eine Bullenkarte: {name} hat {count} genommen und darf damit in"
        " einem Zug mehrere legen.",
    ),
)
TOO_FEW = (
    Text(
        "{name} takes stack {place}, but there is no bull for {count}: it takes three.",
        "{name} nimmt Stapel {place}, aber für {count} gibt es keine Bullenkarte: Drei müssen es sein.",
    ),
)
BULL_FROM = (
    Text(
        "No bull is left in the supply, so {name} gets the bull for {count} from {other}; nobody had more than {other}.",
        "Alle Bullenkarten sind vergeben, also bekommt {name} die für {count} von {other}; mehr als {other} hatte niemand.",
    ),
)
NO_BULL = (
    Text(
        "{name} takes {count} but gets no bull: none is left, and {name} alone has the most.",
        "{name} nimmt {count}, bekommt aber keine Bullenkarte: Alle sind vergeben, und {name} hat allein die meisten.",
    ),
)
BEGINS = (
    Text(
        "The first stack is the {card}; a card fits on it if it is higher by at most 10, and whoever lays none takes a stack.",
        "Der erste Stapel ist die {card}; eine Karte passt, wenn sie um höchstens 10 höher ist, und wer keine legt, nimmt einen"
        " Stapel.",
    ),
)
EMPTY = (
    Text(
        "A deal ends at once when a hand is empty ({names}): all others count the heads on the cards in their hands.",
        "Ein Durchgang endet sofort, wenn jemand keine Handkarten mehr hat ({names}): Alle anderen zählen die Hornochsen auf"
        " ihren Handkarten.",
    ),
)
EMPTY_LAST = (
    Text(
        "The last deal ends at once when a hand is empty ({names}), and the match with it; the fewest heads in all win:"
        " {winners} ({best}).",
        "Der letzte Durchgang endet sofort, wenn jemand keine Handkarten mehr hat ({names}), und mit ihm die Partie; insgesamt"
        " die wenigsten Hornochsen gewinnen: {winners} ({best}).",
    ),
)
STUCK = (
    Text(
        "A deal also ends when there is no stack left to lay on or to take: all count the heads on the cards in their hands.",
        "Ein Durchgang endet auch, wenn kein Stapel mehr da ist, auf den man legen oder den man nehmen könnte: Alle zählen die"
        " Hornochsen auf ihren Handkarten.",
    ),
)
STUCK_LAST = (
    Text(
        "The last deal ends because there is no stack left to lay on or to take; the fewest heads in all win: {winners} ({best}).",
        "Der letzte Durchgang endet, weil kein Stapel mehr da ist, auf den man legen oder den man nehmen könnte; insgesamt die"
        " wenigsten Hornochsen gewinnen: {winners} ({best}).",
    ),
)
