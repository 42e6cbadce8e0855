"""What a turn of four rows teaches: where cards went and why, and who took a row by which rule."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bullring.arena.games.rules.lessons import Lesson, Lessons, Turn, rows_of, winners
from bullring.arena.games.rules.sayings import Count, Heads, Seat, Value
from bullring.arena.games.rules.stages import DealOver, Laid, Opened, Took
from bullring.arena.games.rules.table import ROW_LIMIT
from bullring.arena.games.rules.wording.text import Text

SURPRISE = 6
"""Two rows that end at distances which differ by at most so much are easily mistaken."""

MANY = 3
"""So many cards in one row in one turn are worth a sentence."""


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
    """What was taken."""
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

    def values(self) -> dict[str, Value]:
        """What all sentences about it have in common."""
        return {
            "name": Seat(self.seat),
            "card": self.card,
            "place": self.place,
            "end": self.row[-1],
            "heads": Heads(self.heads),
            "count": Count(len(self.row)),
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
    """The lessons of the standard game. Other games change what differs."""

    lowest_first = True
    """Whether the cards of a turn are placed from the lowest to the highest."""

    @property
    def beginning(self) -> tuple[Text, ...]:
        """What is said when the first deal begins."""
        return BEGINS

    def moves(self, turn: Turn) -> Iterator[Lesson]:
        """About each card, and about the turn as a whole."""
        moves = placements(turn)
        for at in range(len(moves)):
            yield from self.placed(turn, moves, at)
        if self.lowest_first and len(moves) > 1:
            yield Lesson("order", 30, ORDER, {"cards": tuple(move.card for move in moves)})
            yield from self._several(moves)

    def placed(self, turn: Turn, moves: Sequence[Move], at: int) -> Iterator[Lesson]:
        """About one of the cards."""
        move = moves[at]
        if not move.took:
            yield from self.fits(turn, moves, at)
        elif self.nowhere(move):
            yield self.low(turn, move)
        else:
            yield from self.full(moves, at)

    def nowhere(self, move: Move) -> bool:
        """Whether the card fits nowhere, so that its owner chooses a row."""
        return not move.lower_ends

    def positions(self, row: Sequence[int]) -> int:
        """How many of the places of a row are taken."""
        return len(row)

    def low(self, turn: Turn, move: Move) -> Lesson:
        """A card that fits nowhere."""
        heads = [sum(turn.game.heads[card] for card in row) for row in move.rows]
        cheapest = heads[move.place - 1] == min(heads)
        return Lesson("low", 85, LOW_CHEAPEST if cheapest else LOW, move.values())

    def full(self, moves: Sequence[Move], at: int) -> Iterator[Lesson]:
        """A card that takes a full row."""
        move = moves[at]
        yield Lesson("sixth", 90, SIXTH, move.values())
        before = [other for other in moves[:at] if other.place == move.place]
        cards = tuple(dict.fromkeys(other.card for other in before))
        if before and not any(other.took for other in before) and self.lowest_first:
            room = ROW_LIMIT - self.positions(before[0].row)
            if room == len(cards):
                text = PUSHED_BY_ONE if room == 1 else PUSHED
                yield Lesson("pushed", 100, text, {**move.values(), "cards": cards, "room": Count(room)})

    def fits(self, turn: Turn, moves: Sequence[Move], at: int) -> Iterator[Lesson]:
        """A card that is laid at the end of a row and takes nothing."""
        move = moves[at]
        values = move.values()
        if self.positions(move.row) == ROW_LIMIT - 1:
            yield Lesson("filled", 55, FILLED, values)
        began = next((other for other in moves[:at] if other.took and move.row == (other.card,)), None)
        if began is not None and began.seat != move.seat:
            yield Lesson("renewed", 62, RENEWED, {**values, "other": Seat(began.seat)})
        ends = move.lower_ends
        if len(ends) > 1:
            distances = [move.card - end for end in ends]
            close = distances[-2] - distances[-1] <= SURPRISE
            more: dict[str, Value] = {
                "ends": tuple(ends),
                "difference": distances[-1],
                "more": distances[-2],
                "other": ends[-2],
            }
            yield Lesson("nearest", 60 if close else 45, NEAREST, {**values, **more})
        elif len({row[-1] for row in move.rows}) > 1:
            yield Lesson("only", 35, ONLY, values)

    def _several(self, moves: Sequence[Move]) -> Iterator[Lesson]:
        chain: list[Move] = []
        for move in (*moves, None):
            if move is not None and chain and not move.took and not move.left and move.row[-1] == chain[-1].card:
                chain.append(move)
                continue
            if len(chain) >= MANY:
                values: dict[str, Value] = {"cards": tuple(one.card for one in chain), "place": chain[0].place}
                yield Lesson("several", 58, SEVERAL, values)
            chain = [move] if move is not None and not move.took else []

    def begins(self, turn: Turn, opened: Opened, after: DealOver | None) -> Iterator[Lesson]:
        """How a deal begins."""
        rows = rows_of(turn.board)
        if rows:
            cards = tuple(row[0] for row in rows)
            values = {"hand": turn.game.hand_size, "cards": cards, "highest": max(turn.game.deck())}
            yield Lesson("begins", 20, self.beginning, values, once=True)

    def ends(self, turn: Turn, over: DealOver) -> Iterator[Lesson]:
        """Why a deal is over, and whether the match is."""
        options, most = turn.game.options, max(over.scores)
        values = {
            "deal": over.deal,
            "name": Seat(over.scores.index(most)),
            "score": Heads(most),
            "winners": winners(over.scores),
            "best": Heads(min(over.scores)),
            "target": options.get("target"),
            "deals": turn.game.planned_deals() or 0,
        }
        if turn.game.planned_deals():
            yield Lesson("deals", 60, LAST_DEAL if turn.over else NEXT_DEAL, values)
        else:
            reached = options["target_rule"] == "reach"
            over_it, below = (REACHED, NOT_REACHED) if reached else (EXCEEDED, NOT_EXCEEDED)
            yield Lesson("target", 60, over_it if turn.over else below, values)


SIXTH = (
    Text(
        "{name}'s {card} would be the sixth card of row {place}, so {name} takes its five cards ({heads}) and the {card} begins"
        " the row anew.",
        "Die {card} von {name} wäre die sechste Karte in Reihe {place}: {name} nimmt die fünf Karten ({heads}), und mit der"
        " {card} beginnt die Reihe von vorn.",
    ),
    Text(
        "Row {place} was full with five cards, and {name}'s {card} had to go after the {end}, so {name} takes them ({heads}).",
        "Reihe {place} war mit fünf Karten voll, und die {card} von {name} musste hinter die {end}: {name} nimmt die fünf"
        " ({heads}).",
    ),
)
PUSHED_BY_ONE = (
    Text(
        "Row {place} had room for one card when the turn began, but the {cards} was lower and went first; {name}'s {card} is the"
        " sixth, so {name} takes the other five ({heads}).",
        "In Reihe {place} war noch ein Platz, aber die {cards} war niedriger und kam zuerst; die {card} von {name} ist die"
        " sechste Karte, also nimmt {name} die fünf anderen ({heads}).",
    ),
)
PUSHED = (
    Text(
        "Row {place} had room for {room} when the turn began, but {cards} were lower and went first; {name}'s {card} is the"
        " sixth, so {name} takes the other five ({heads}).",
        "In Reihe {place} war noch Platz für {room}, aber {cards} waren niedriger und kamen zuerst; die {card} von {name} ist"
        " die sechste Karte, also nimmt {name} die fünf anderen ({heads}).",
    ),
)
LOW = (
    Text(
        "{name}'s {card} is lower than the last card of every row and fits nowhere, so {name} chooses a row and takes it: row"
        " {place} ({heads}).",
        "Die {card} von {name} ist niedriger als die letzten Karten aller Reihen und passt nirgends: {name} sucht sich eine"
        " Reihe aus und nimmt Reihe {place} ({heads}).",
    ),
    Text(
        "No row ends lower than {name}'s {card}, so {name} takes a row of free choice, row {place} ({heads}), and the {card}"
        " begins it anew.",
        "Keine Reihe endet niedriger als die {card} von {name}: {name} nimmt eine Reihe nach freier Wahl, die Reihe {place}"
        " ({heads}), und mit der {card} beginnt sie von vorn.",
    ),
)
LOW_CHEAPEST = (
    Text(
        "{name}'s {card} is lower than the last card of every row and fits nowhere, so {name} chooses a row and takes it: row"
        " {place}, and none has fewer heads ({heads}).",
        "Die {card} von {name} ist niedriger als die letzten Karten aller Reihen und passt nirgends: {name} sucht sich eine"
        " Reihe aus und nimmt Reihe {place}, keine hat weniger Hornochsen ({heads}).",
    ),
    Text(
        "No row ends lower than {name}'s {card}, so {name} has to take one, and chooses row {place}, as cheap as any ({heads}).",
        "Keine Reihe endet niedriger als die {card} von {name}, also muss {name} eine nehmen und sucht sich Reihe {place} aus,"
        " billiger ist keine ({heads}).",
    ),
)
FILLED = (
    Text(
        "{name}'s {card} is the fifth card of row {place}: the row is full, and whoever has to lay the next card there takes all"
        " five.",
        "Die {card} von {name} ist die fünfte Karte in Reihe {place}: Die Reihe ist voll, und wer dort die nächste anlegen muss,"
        " nimmt alle fünf.",
    ),
    Text(
        "With {name}'s {card} row {place} has five cards; the next card that goes there would be the sixth and take them.",
        "Mit der {card} von {name} hat Reihe {place} fünf Karten; die nächste, die dorthin kommt, wäre die sechste und nimmt sie.",
    ),
)
RENEWED = (
    Text(
        "{name}'s {card} goes after {other}'s {end}, with which row {place} has just begun anew.",
        "Die {card} von {name} kommt hinter die {end} von {other}, mit der Reihe {place} gerade von vorn begonnen hat.",
    ),
)
NEAREST = (
    Text(
        "{name}'s {card} fits after {ends} and goes to row {place}: the {end} is the highest of them and so the nearest.",
        "Die {card} von {name} passt hinter {ends} und kommt an Reihe {place}: Die {end} ist die höchste davon und ihr damit am"
        " nächsten.",
    ),
    Text(
        "{name}'s {card} goes to row {place}, where the difference is the smallest: {difference} to the {end}, but {more} to the"
        " {other}.",
        "Die {card} von {name} kommt an Reihe {place}, weil dort die Differenz am kleinsten ist: {difference} zur {end}, aber"
        " {more} zur {other}.",
    ),
)
ONLY = (
    Text(
        "{name}'s {card} fits only in row {place}, after the {end}, because all other rows end higher.",
        "Die {card} von {name} passt nur in Reihe {place} hinter die {end}, weil alle anderen Reihen höher enden.",
    ),
)
ORDER = (
    Text(
        "The cards are placed from the lowest to the highest: {cards}.",
        "Angelegt wird von der niedrigsten Karte bis zur höchsten: {cards}.",
    ),
)
SEVERAL = (
    Text(
        "{cards} all go to row {place}: the lowest is placed first, and each of them is then the nearest end for the next.",
        "{cards} kommen alle an Reihe {place}: Die niedrigste wird zuerst angelegt, und jede ist dann das nächste Ende für die"
        " folgende.",
    ),
)
BEGINS = (
    Text(
        "Everyone holds {hand} cards, and {cards} begin the rows; a row grows to five cards, and whoever has to lay the sixth"
        " takes them.",
        "Alle haben {hand} Karten auf der Hand, und mit {cards} beginnen die Reihen; eine Reihe wächst bis zu fünf Karten, und"
        " wer die sechste anlegen muss, nimmt sie.",
    ),
)
NOT_EXCEEDED = (
    Text(
        "All hands are empty, so the deal is over; nobody has more than {target} heads in all, so another deal follows.",
        "Alle Handkarten sind ausgespielt, der Durchgang ist zu Ende; niemand hat insgesamt mehr als {target} Hornochsen, also"
        " folgt noch einer.",
    ),
)
EXCEEDED = (
    Text(
        "{name} has {score} in all, more than {target}, so the match is over; the fewest heads win: {winners} ({best}).",
        "{name} hat insgesamt {score}, mehr als {target}, also ist die Partie zu Ende; die wenigsten Hornochsen gewinnen:"
        " {winners} ({best}).",
    ),
)
NOT_REACHED = (
    Text(
        "All hands are empty, so the deal is over; nobody has reached {target} heads in all, so another deal follows.",
        "Alle Handkarten sind ausgespielt, der Durchgang ist zu Ende; niemand hat insgesamt {target} Hornochsen erreicht, also"
        " folgt noch einer.",
    ),
)
REACHED = (
    Text(
        "{name} has {score} in all and so has reached {target}: the match is over, and the fewest heads win: {winners} ({best}).",
        "{name} hat insgesamt {score} und damit {target} erreicht: Die Partie ist zu Ende, und die wenigsten Hornochsen"
        " gewinnen: {winners} ({best}).",
    ),
)
NEXT_DEAL = (
    Text(
        "All hands are empty, so deal {deal} of {deals} is over; the heads of all deals are added up.",
        "Alle Handkarten sind ausgespielt, Durchgang {deal} von {deals} ist zu Ende; die Hornochsen aller Durchgänge werden"
        " zusammengezählt.",
    ),
)
LAST_DEAL = (
    Text(
        "That was deal {deal} of {deals}, so the match is over; the fewest heads win: {winners} ({best}).",
        "Das war Durchgang {deal} von {deals}, also ist die Partie zu Ende; die wenigsten Hornochsen gewinnen: {winners}"
        " ({best}).",
    ),
)
