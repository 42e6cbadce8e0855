"""What a draft teaches, and a tournament."""

from collections.abc import Iterator

from bullring.arena.games.rules.lessons import Lesson, Turn, rows_of, winners
from bullring.arena.games.rules.lessons.tactics import TacticsLessons
from bullring.arena.games.rules.sayings import Heads, Seat
from bullring.arena.games.rules.stages import DealOver, Drafted, Opened
from bullring.arena.games.rules.wording.text import Text


class DraftLessons(TacticsLessons):
    """Hands are taken from open cards."""

    def moves(self, turn: Turn) -> Iterator[Lesson]:
        """Add the first cards that are taken."""
        for seen in turn.stages:
            if isinstance(seen.stage, Drafted):
                values = {"name": Seat(seen.stage.seat), "card": seen.stage.card, "hand": turn.game.hand_size}
                yield Lesson("draft", 40, DRAFT, values, once=True)
                yield Lesson("secret", 39, SECRET, values, once=True)
        yield from super().moves(turn)

    def begins(self, turn: Turn, opened: Opened, after: DealOver | None) -> Iterator[Lesson]:
        """The rows begin with the cards that nobody has taken."""
        if any(isinstance(seen.stage, Drafted) for seen in turn.stages):
            yield Lesson("rest", 65, REST, {"cards": tuple(row[0] for row in rows_of(turn.board))})


class TournamentLessons(DraftLessons):
    """Every hand is played by everyone."""

    def begins(self, turn: Turn, opened: Opened, after: DealOver | None) -> Iterator[Lesson]:
        """From the second deal on, the hands move to the left."""
        yield from super().begins(turn, opened, after)
        if after is not None:
            yield Lesson("moved", 70, MOVED, {"cards": tuple(row[0] for row in rows_of(turn.board))})

    def ends(self, turn: Turn, over: DealOver) -> Iterator[Lesson]:
        """After as many deals as there are players."""
        if turn.over:
            values = {"winners": winners(over.scores), "best": Heads(min(over.scores)), "deals": turn.game.seats}
            yield Lesson("sheet", 60, SHEET, values)
        else:
            yield from super().ends(turn, over)


DRAFT = (
    Text(
        "{name} begins the draft with the {card}; it goes on to the left, one card each, until everyone has {hand}.",
        "Das Aussuchen beginnt bei {name} mit der {card}; reihum geht es nach links weiter, bis alle {hand} Karten haben.",
    ),
)
SECRET = (
    Text(
        "{name} takes the {card}, and everyone sees it: the hands are no secret in this game, only the choice in each turn is.",
        "{name} nimmt sich die {card}, und alle sehen es: Die Handkarten sind hier kein Geheimnis, nur die Wahl in jeder Runde.",
    ),
)
REST = (
    Text(
        "Nobody has taken {cards}, so these cards begin the rows, the lowest at the top.",
        "{cards} hat niemand genommen, also beginnen mit diesen Karten die Reihen, mit der niedrigsten ganz oben.",
    ),
)
MOVED = (
    Text(
        "Every hand, complete again, has gone to the left neighbour, and the rows begin with the same cards: {cards}.",
        "Jedes Kartenblatt ist wieder vollständig an den linken Nachbarn gegangen, und die Reihen beginnen mit denselben Karten:"
        " {cards}.",
    ),
)
SHEET = (
    Text(
        "Everyone has played every hand once, so the match is over after {deals} deals; the fewest heads win: {winners} ({best}).",
        "Alle haben jedes Kartenblatt einmal gespielt, also ist die Partie nach {deals} Durchgängen zu Ende; die wenigsten"
        " Hornochsen gewinnen: {winners} ({best}).",
    ),
)
