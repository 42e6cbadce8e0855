"""The rules of `hand` in words."""

from dataclasses import replace

from bullring.arena.games.rules.wording import standard
from bullring.arena.games.rules.wording.shared import (
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
from bullring.arena.games.rules.wording.text import Text

RULES = replace(
    standard.RULES,
    about=(
        ABOUT_ROWS,
        Text(
            (
                "In this game a card is placed as soon as it is played, and the cards of a row you take may go to "
                "your hand. But a card still in your hand at the end costs twice its heads."
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
                "The players move one after the other, clockwise, and the starting player goes first in every "
                "turn. A turn is over when everyone has moved."
            ),
            (
                "Die Mitspieler sind nacheinander am Zug, im Uhrzeigersinn, und in jeder Runde beginnt der "
                "Startspieler. Eine Runde ist zu Ende, wenn alle am Zug waren."
            ),
        ),
        Text(
            (
                "On your move, play a card from your hand face up and place it at once. After that you may stop "
                "or play one more card in the same way."
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
                "If you take a row, decide for each of its cards whether it goes to your hand or to your pile. "
                "You may also put all of them in your hand or all of them in your pile. Cards in a pile stay there."
            ),
            (
                "Wer eine Reihe nimmt, entscheidet für jede ihrer Karten, ob sie auf die Hand kommt oder auf den "
                "Minusstapel. Auch alle auf die Hand oder alle auf den Stapel ist erlaubt. Was auf dem "
                "Minusstapel liegt, bleibt dort."
            ),
        ),
        Text(
            (
                "Your hand may not grow beyond {most_in_hand} cards this way. The card just played no longer "
                "counts as part of it."
            ),
            (
                "Karten dürfen nur auf die Hand, solange es dann höchstens {most_in_hand} Handkarten sind. Die "
                "gerade gespielte Karte zählt dabei nicht mehr mit."
            ),
        ),
        Text(
            "The second card of a move may be one that you took into your hand with the first.",
            "Als zweite Karte eines Zuges darf man auch eine spielen, die mit der ersten auf die Hand gekommen ist.",
        ),
    ),
    score=(
        Text(
            (
                "When the deal ends, everyone counts the heads in their pile once, and the heads on the cards "
                "still in their hand twice."
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
                "A deal ends after the turn in which a hand becomes empty or a pile grows to more than "
                "{most_in_pile} cards. That turn is completed first."
            ),
            (
                "Ein Durchgang endet nach der Runde, in der jemand seine letzte Handkarte losgeworden ist oder "
                "ein Minusstapel auf mehr als {most_in_pile} Karten gewachsen ist. Die Runde wird vorher zu Ende "
                "gespielt."
            ),
        ),
        Text(
            "A hand that was empty only for a moment, and got cards of a row in the same move, does not count as empty.",
            (
                "Wer nur kurz ohne Handkarten war und im selben Zug Karten einer Reihe auf die Hand genommen hat, "
                "zählt dabei nicht."
            ),
        ),
        Text(
            "A deal ends after {last_turn} turns at the latest.",
            "Spätestens nach {last_turn} Runden ist der Durchgang zu Ende.",
        ),
        Text(
            "The option deals sets the number of deals in a match; its default is {deals}.",
            "Wie viele Durchgänge eine Partie hat, sagt die Option deals; wenn niemand sie setzt: {deals}.",
        ),
        END_WINNER,
    ),
    examples=(),
    tips=(),
    rulings=(
        Text(
            "The rulebook gives no number of players; for one more there would be too few cards.",
            "Eine Zahl der Mitspieler ist nicht gedruckt; für einen mehr würden die Karten nicht reichen.",
        ),
        Text(
            (
                "You decide whether to play a second card after the first one is placed. With the option "
                "second_from_original_hand, it may not be one you have just taken."
            ),
            (
                "Über eine zweite Karte entscheidet man, nachdem die erste angelegt ist. Mit der Option "
                "second_from_original_hand darf es keine gerade genommene sein."
            ),
        ),
        Text("Everyone sees which cards go to a hand.", "Alle sehen, welche Karten auf eine Hand kommen."),
        Text(
            "The limit on turns is our own, since cards could otherwise go around forever.",
            "Die Grenze für die Zahl der Runden gibt es nur hier, denn sonst könnten Karten endlos kreisen.",
        ),
        Text(
            "The rulebook gives no target for this game.",
            "Eine Grenze für Hornochsen ist für dieses Spiel nicht gedruckt.",
        ),
        RULING_TIES,
    ),
)

FOR_BOTS = """\
Cards are played one at a time, face up, and placed at once. Taken cards may go to the hand.

1. **Deal.** Every seat gets 14 cards. Seat `start` begins each turn, and the others follow clockwise.
2. **A move.** You play a card (decision `card`), which is placed as in `standard` (decision `row` if it fits nowhere).
3. **Taking a row.** If you take a row, you decide which of its cards go to your hand (decision `keep`): any of them or none, as
   long as your hand has at most 16 cards. The others go to your pile and stay there.
4. **A second card.** Then you may play another card from your hand in the same way (decision `more`: the card, or `"stop"`). It
   may be one that you have just kept, unless the option `second_from_original_hand` is set. There is no third card.
5. **End of a deal:** after a turn, once every seat has moved, if a hand is empty or a pile has more than 20 cards; and after
   turn 100.
6. **Scores.** The heads of the pile, and twice the heads of the cards left in the hand. They are added to the total when the deal
   ends.
7. **End of the match:** after the number of deals set by `deals`. There is no target.
"""
