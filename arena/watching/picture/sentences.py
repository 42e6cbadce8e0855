"""Each step in one short sentence, in English and German: for those who hear the table instead of seeing it, and for histories.

The words are those of the rulebook in either language. Names are used as they stand in the picture; in HTML they must be escaped.
"""

from bullring.arena.games.rulebook.language import LANGUAGES, Language
from bullring.arena.games.rules import stages
from bullring.arena.games.rules.board import Board, Pool, Rows, Stacks
from bullring.arena.games.rules.wording.text import Text
from bullring.arena.games.rules.wording.words import cards_text
from bullring.arena.watching.picture import steps
from bullring.arena.watching.picture.picture import Frame, Picture


def told(frame: Frame, language: str = "en") -> str:
    """What the step of a frame says, in "en" or "de". Raises `KeyError` for other languages.

    What a game tells only in its own English sentences (`Game.tell`) is told in these. Empty if there is nothing to say.
    """
    return _Teller(frame.picture, LANGUAGES[language]).told(frame) or " ".join(line.text for line in frame.said)


class _Teller:
    def __init__(self, picture: Picture, language: Language) -> None:
        self.picture = picture
        self.language = language

    def told(self, frame: Frame) -> str:
        match frame.step:
            case steps.Began():
                return self._say(BEGAN, names=self._names(range(len(self.picture.seats))))
            case steps.Asked(_, seats):
                return self._asked(seats)
            case steps.Thinking(seats):
                return self._say(THINKING if len(seats) > 1 else THINKS, names=self._names(seats)) if seats else ""
            case steps.Chose(seat, _, text, german, referee):
                what = text if self.language.code == "en" else german
                return self._say(REFEREE if referee else CHOSE, name=self._name(seat), what=what)
            case steps.Faulted(seat, what, closed):
                return self._say(CLOSED if closed else FAULTED, name=self._name(seat), what=what)
            case steps.Ended(ranks, void):
                return self._ended(ranks, void)
            case stages.Opened():
                return self._opened(self.picture.board)
            case stages.Revealed(cards):
                return self._revealed(cards)
            case stages.Laid(seat, card, place, left):
                laid = ON_STACK if self._stacks else TO_LEFT if left else TO_ROW
                return self._say(laid, name=self._name(seat), card=card, place=place)
            case stages.Falls(seat, _, place):
                return self._say(STACK_FALLS if self._stacks else ROW_FALLS, name=self._name(seat), place=place)
            case stages.Took():
                return self._took(frame.step)
            case stages.Turned(turned):
                return self._say(TURNED, cards=self.language.listed(turned))
            case stages.Drafted(seat, card):
                return self._say(DRAFTED, name=self._name(seat), card=card)
            case stages.Kept(seat, kept, heads):
                kind = (KEPT if heads else KEPT_ALL) if kept else KEPT_NOTHING
                return self._say(kind, name=self._name(seat), cards=cards_text(kept), heads=self.language.heads(heads))
            case stages.Changed(said, seats) if said:
                return Text(*said)[self._at].format(*map(self._name, seats)) + "."
            case stages.DealOver(deal, heads, scores):
                results = [
                    self._say(RESULT, name=self._name(seat), heads=self.language.heads(taken), score=score)
                    for seat, (taken, score) in enumerate(zip(heads, scores, strict=True))
                ]
                return self._say(DEAL_OVER, deal=deal, results=", ".join(results))
        return ""

    def _asked(self, seats: tuple[int, ...]) -> str:
        if len(seats) == 1:
            return self._say(ONE_ASKED, name=self._name(seats[0]))
        if len(seats) == len(self.picture.seats):
            return self._say(ALL_ASKED, turn=self.picture.turn)
        return self._say(SOME_ASKED, names=self._names(seats))

    def _opened(self, board: Board) -> str:
        deal = self.picture.deal
        for part in board:
            match part:
                case Rows(rows):
                    return self._say(OPENED_ROWS, deal=deal, cards=self.language.listed(row[0] for row in rows))
                case Stacks(stacks) if stacks:
                    return self._say(OPENED_STACKS, deal=deal, cards=self.language.listed(stack[0] for stack in stacks))
                case Pool():
                    return self._say(OPENED_DRAFT, deal=deal)
        return self._say(OPENED, deal=deal)

    def _revealed(self, cards: tuple[tuple[int, int], ...]) -> str:
        if len(cards) == 1:
            return self._say(PLAYED, name=self._name(cards[0][0]), card=cards[0][1])
        by_seat: dict[int, list[int]] = {}
        for seat, card in cards:
            by_seat.setdefault(seat, []).append(card)
        shown = [f"{self._name(seat)} {self.language.listed(by_seat[seat])}" for seat in sorted(by_seat)]
        return self._say(REVEALED, cards=", ".join(shown))

    def _took(self, step: stages.Took) -> str:
        if self._stacks and step.card is None:
            text = TOOK_STACK
        elif not step.cards:
            text = TOOK_TOO
        else:
            text = TOOK if step.counts else TOOK_TO_SORT
        return self._say(
            text,
            name=self._name(step.seat),
            card=step.card,
            place=step.place,
            cards=cards_text(step.cards),
            heads=self.language.heads(step.heads),
        )

    def _ended(self, ranks: tuple[int, ...], void: str | None) -> str:
        if void is not None:
            return self._say(VOID, what=void)
        best = [seat for seat, rank in enumerate(ranks) if rank == 1]
        if not best:
            return ""
        heads = self.language.heads(self.picture.seats[best[0]].score)
        return self._say(WON if len(best) == 1 else SHARED, names=self._names(best), heads=heads)

    @property
    def _stacks(self) -> bool:
        """Whether cards go on stacks, not to rows."""
        return any(isinstance(part, Stacks) for part in self.picture.board)

    @property
    def _at(self) -> int:
        return Text._fields.index(self.language.code)

    def _name(self, seat: int) -> str:
        return self.picture.seats[seat].name

    def _names(self, seats: "range | tuple[int, ...] | list[int]") -> str:
        return self.language.listed(self._name(seat) for seat in seats)

    def _say(self, text: Text, **values: object) -> str:
        return self.language.of(text).format_map(values)


BEGAN = Text("The match begins. At the table: {names}.", "Die Partie beginnt. Am Tisch sitzen {names}.")
ONE_ASKED = Text("{name} is to decide.", "{name} ist an der Reihe.")
SOME_ASKED = Text("{names} choose.", "{names} wählen.")
ALL_ASKED = Text("Turn {turn}: everyone chooses.", "Runde {turn}: Alle wählen.")
THINKS = Text("{names} is still thinking.", "{names} überlegt noch.")
THINKING = Text("{names} are still thinking.", "{names} überlegen noch.")
CHOSE = Text("{name} {what}.", "{name} {what}.")
REFEREE = Text("{name} {what} (the referee has chosen).", "{name} {what} (der Schiedsrichter hat gewählt).")
FAULTED = Text("Fault of {name}: {what}.", "Fehler von {name}: {what}.")
CLOSED = Text(
    "Fault of {name}: {what}. The referee plays on for {name}.",
    "Fehler von {name}: {what}. Der Schiedsrichter spielt für {name} weiter.",
)
OPENED = Text("Deal {deal} begins.", "Durchgang {deal} beginnt.")
OPENED_ROWS = Text("Deal {deal}: the rows begin with {cards}.", "Durchgang {deal}: Die Reihen beginnen mit {cards}.")
OPENED_STACKS = Text(
    "Deal {deal}: the first stack is a {cards}.", "Durchgang {deal}: Der erste Stapel ist die {cards}."
)
OPENED_DRAFT = Text("Deal {deal}: all cards lie open.", "Durchgang {deal}: Alle Karten liegen offen.")
PLAYED = Text("{name} plays the {card}.", "{name} spielt die {card}.")
REVEALED = Text("Revealed: {cards}.", "Aufgedeckt: {cards}.")
TO_ROW = Text("{name}: the {card} goes to row {place}.", "{name}: Die {card} kommt an Reihe {place}.")
TO_LEFT = Text(
    "{name}: the {card} goes to the left end of row {place}.",
    "{name}: Die {card} kommt an das linke Ende von Reihe {place}.",
)
ON_STACK = Text("{name} lays the {card} on stack {place}.", "{name} legt die {card} auf Stapel {place}.")
ROW_FALLS = Text("Row {place} goes to {name}.", "Reihe {place} geht an {name}.")
STACK_FALLS = Text("Stack {place} goes to {name}.", "Stapel {place} geht an {name}.")
TOOK = Text(
    "{name} takes row {place} ({cards}) with the {card}: {heads}.",
    "{name} nimmt mit der {card} Reihe {place} ({cards}): {heads}.",
)
TOOK_TOO = Text("{name} takes row {place}, too: {heads}.", "Auch {name} nimmt Reihe {place}: {heads}.")
TOOK_TO_SORT = Text(
    "{name} takes row {place} ({cards}) with the {card}, and sorts it.",
    "{name} nimmt mit der {card} Reihe {place} ({cards}) und sortiert sie.",
)
TOOK_STACK = Text("{name} takes stack {place} ({cards}).", "{name} nimmt Stapel {place} ({cards}).")
TURNED = Text("Turned up: {cards}.", "Neu aufgedeckt: {cards}.")
DRAFTED = Text("{name} takes the {card}.", "{name} nimmt sich die {card}.")
KEPT = Text("{name} keeps {cards}; the others count {heads}.", "{name} behält {cards}; für die anderen gilt: {heads}.")
KEPT_ALL = Text("{name} keeps {cards}.", "{name} behält {cards}.")
KEPT_NOTHING = Text("{name} keeps nothing: {heads}.", "{name} behält nichts: {heads}.")
DEAL_OVER = Text("Deal {deal} is over: {results}.", "Durchgang {deal} ist zu Ende: {results}.")
RESULT = Text("{name} {heads} ({score} in all)", "{name} {heads} (insgesamt {score})")
VOID = Text("The match is void: {what}.", "Die Partie zählt nicht: {what}.")
WON = Text("{names} wins with {heads} in all.", "{names} gewinnt; insgesamt: {heads}.")
SHARED = Text(
    "{names} share the first place with {heads} in all.", "{names} teilen sich den ersten Platz; insgesamt: {heads}."
)
