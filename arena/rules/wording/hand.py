"""The rules of `hand` in words."""

from dataclasses import replace

from bullring.arena.rules.wording import standard
from bullring.arena.rules.wording.shared import (
    ABOUT_ROWS,
    BOX_VARIANT,
    END_WINNER,
    PLACE_END,
    PLACE_FULL,
    PLACE_LOW,
    PLACE_NEAREST,
    PLAYERS_RANGE,
    PLAYERS_YOUNGEST,
    RULING_TIES,
)
from bullring.arena.rules.wording.text import Text

RULES = replace(
    standard.RULES,
    about=(
        ABOUT_ROWS,
        Text(
            (
                "In this game a card is placed as soon as it is played, and cards of a row one has taken may go "
                "to the hand. But a card that is still in hand at the end costs twice its heads."
            ),
            (
                "In diesem Spiel wird jede Karte sofort angelegt, und Karten einer genommenen Reihe dürfen auf "
                "die Hand. Doch jede Karte, die man am Ende noch auf der Hand hat, zählt doppelt."
            ),
        ),
    ),
    box=(BOX_VARIANT,),
    players=(PLAYERS_RANGE, PLAYERS_YOUNGEST),
    turn=(
        Text(
            (
                "The players move one after the other, clockwise, and the starting player is the first in every "
                "turn. A turn is over when everybody has moved."
            ),
            (
                "Die Mitspieler sind nacheinander am Zug, im Uhrzeigersinn, und in jeder Runde beginnt der "
                "Startspieler. Eine Runde ist zu Ende, wenn alle am Zug waren."
            ),
        ),
        Text(
            (
                "Whoever moves plays a card of the hand face up, and places it at once. After that the player may "
                "stop, or play one more card in the same way."
            ),
            (
                "Wer am Zug ist, spielt eine Handkarte offen aus und legt sie sofort an. Danach darf er aufhören "
                "oder auf dieselbe Weise noch eine Karte spielen."
            ),
        ),
    ),
    place=(PLACE_END, PLACE_NEAREST, PLACE_FULL, PLACE_LOW),
    special=(
        Text(
            (
                "Whoever takes a row decides for each of its cards: it goes to the hand, or to the pile. All to "
                "the hand or all to the pile is allowed, too. What is in a pile stays there."
            ),
            (
                "Wer eine Reihe nimmt, entscheidet für jede ihrer Karten, ob sie auf die Hand kommt oder auf den "
                "Minusstapel. Auch alle auf die Hand oder alle auf den Stapel ist erlaubt. Was auf dem "
                "Minusstapel liegt, bleibt dort."
            ),
        ),
        Text(
            (
                "Cards may go to the hand only as long as it then has no more than {most_in_hand} cards. The card "
                "just played does not count as one of the hand any more."
            ),
            (
                "Karten dürfen nur auf die Hand, solange es dann höchstens {most_in_hand} Handkarten sind. Die "
                "gerade gespielte Karte zählt dabei nicht mehr mit."
            ),
        ),
        Text(
            "The second card of a move may be one that has come to the hand with the first one.",
            "Als zweite Karte eines Zuges darf man auch eine spielen, die mit der ersten auf die Hand gekommen ist.",
        ),
    ),
    score=(
        Text(
            (
                "When the deal ends, everybody counts the heads in the own pile once, and those of the cards "
                "still in hand twice."
            ),
            (
                "Am Ende des Durchgangs zählt jeder die Hornochsen in seinem Minusstapel einfach und die auf "
                "seinen restlichen Handkarten doppelt."
            ),
        ),
    ),
    end=(
        Text(
            (
                "A deal ends after a turn in which a hand has become empty, or a pile has grown to more than "
                "{most_in_pile} cards. The turn is played to its end first."
            ),
            (
                "Ein Durchgang endet nach der Runde, in der jemand seine letzte Handkarte losgeworden ist oder "
                "ein Minusstapel auf mehr als {most_in_pile} Karten gewachsen ist. Die Runde wird vorher zu Ende "
                "gespielt."
            ),
        ),
        Text(
            "A hand that was empty for a moment and got cards of a row in the same move is not empty.",
            (
                "Wer nur kurz ohne Handkarten war und im selben Zug Karten einer Reihe auf die Hand genommen hat, "
                "zählt dabei nicht."
            ),
        ),
        Text(
            "At the latest, a deal ends after {last_turn} turns.",
            "Spätestens nach {last_turn} Runden ist der Durchgang zu Ende.",
        ),
        Text(
            "How many deals make a match says the option deals; if nobody sets it, {deals}.",
            "Wie viele Durchgänge eine Partie hat, sagt die Option deals; wenn niemand sie setzt: {deals}.",
        ),
        END_WINNER,
    ),
    examples=(),
    tips=(),
    rulings=(
        Text(
            "No number of players is printed; for one more there would be too few cards.",
            "Eine Zahl der Mitspieler ist nicht gedruckt; für einen mehr würden die Karten nicht reichen.",
        ),
        Text(
            (
                "Whether there is a second card is decided after the first one is placed. The option "
                "second_from_original_hand says that it may not be one just taken."
            ),
            (
                "Über eine zweite Karte entscheidet man, nachdem die erste angelegt ist. Mit der Option "
                "second_from_original_hand darf es keine gerade genommene sein."
            ),
        ),
        Text("Everybody sees which cards go to a hand.", "Alle sehen, welche Karten auf eine Hand kommen."),
        Text(
            "The limit of turns is set here, since cards could go round forever.",
            "Die Grenze für die Zahl der Runden gibt es nur hier, denn sonst könnten Karten endlos kreisen.",
        ),
        Text("No target is printed for this game.", "Eine Grenze für Hornochsen ist für dieses Spiel nicht gedruckt."),
        RULING_TIES,
    ),
)

FOR_BOTS = """\
Cards are played one at a time, open, and placed at once. Taken cards may go to the hand.

1. **Deal.** Everybody gets 14 cards. Seat `start` begins each turn, then the others follow clockwise.
2. **A move.** You play a card (decision `card`), which is placed as ever (decision `row`, if it fits nowhere).
3. **Taking a row.** Who takes a row says which of its cards go to the hand (decision `keep`), any or none, but never more than
   make a hand of 16. The others go to the pile, and stay there.
4. **A second card.** Then you may play another card of your hand, in the same way (decision `more`: the card, or `"stop"`). It
   may be one that you have just kept, unless the option `second_from_original_hand` is set. There is no third one.
5. **End of a deal:** after a turn of everybody, if somebody has no card in hand then, or more than 20 cards in the pile; and
   after turn 100.
6. **Scores.** The heads of the pile, and twice the heads of what is left in the hand. They are added to the total when the deal
   ends.
7. **End of the match:** after so many `deals`. There is no target.
"""
