"""The rules of `double` in words."""

from dataclasses import replace

from bullring.arena.games.rules.wording import standard
from bullring.arena.games.rules.wording.shared import (
    ABOUT_ROWS,
    CARDS_HEADS,
    DEAL_HANDS,
    PLACE_END,
    PLACE_LOW,
    PLACE_LOW_OPEN,
    PLACE_NEAREST,
    RULING_BETWEEN,
    RULING_SHUFFLE,
    RULING_TARGET,
    RULING_TIES,
)
from bullring.arena.games.rules.wording.text import Text

RULES = replace(
    standard.RULES,
    about=(
        ABOUT_ROWS,
        Text(
            "In this game there are twins: two cards with the same number, which are stacked on each other.",
            "In diesem Spiel gibt es Zwillinge: Karten mit gleicher Zahl, die übereinander gelegt werden.",
        ),
    ),
    box=(
        Text(
            "A variant of the game by Wolfgang Kramer, suggested by Uwe Schwarz. Ages 10 and up.",
            "Eine Variante des Spiels von Wolfgang Kramer, angeregt von Uwe Schwarz. Ab 10 Jahren.",
        ),
    ),
    cards=(
        Text(
            "The deck consists of the cards {cards}, {copies} of each.",
            "Gespielt wird mit den Karten {cards}; jede gibt es {copies}-mal.",
        ),
        CARDS_HEADS,
    ),
    deal=(
        DEAL_HANDS,
        Text(
            (
                "Turn up more cards for the rows. A card with a new number begins a row; a twin goes on top of its "
                "equal. Continue until there are {rows} rows."
            ),
            (
                "Für die Reihen werden weitere Karten aufgedeckt. Mit einer Karte, die noch nicht daliegt, "
                "beginnt eine Reihe; ein Zwilling kommt auf die Karte, der er gleicht. So geht es weiter, bis es "
                "{rows} Reihen sind."
            ),
        ),
        Text("The remaining cards are not used in this deal.", "Der Rest wird in diesem Durchgang nicht gebraucht."),
    ),
    place=(
        PLACE_END,
        PLACE_NEAREST,
        Text(
            (
                "A row with {row_limit} places taken is full; twins share a place. If your card has to go to a "
                "full row, you take all its cards, which can be up to {most_in_row}, and your card begins the row "
                "anew."
            ),
            (
                "Eine Reihe ist mit {row_limit} Plätzen voll; Zwillinge teilen sich einen. Muss eine Karte an "
                "eine volle Reihe, nimmt ihr Besitzer alle Karten darin, das können bis zu {most_in_row} sein, "
                "und mit der neuen Karte beginnt die Reihe von vorn."
            ),
        ),
        PLACE_LOW,
        PLACE_LOW_OPEN,
    ),
    special=(
        Text(
            (
                "Twins that lie on each other in a row count as one of the {row_limit} cards of a full row. Their "
                "heads count separately."
            ),
            (
                "Zwillinge, die in einer Reihe übereinander liegen, zählen bei den {row_limit} Karten einer "
                "vollen Reihe als eine. Ihre Hornochsen zählen einzeln."
            ),
        ),
        Text(
            "A card that equals the last card of a row goes on top of it. Nobody takes anything, even if the row is full.",
            (
                "Eine Karte, die der letzten Karte einer Reihe gleicht, wird auf diese gelegt. Niemand muss etwas "
                "nehmen, auch wenn die Reihe voll ist."
            ),
        ),
        Text(
            "A twin elsewhere in a row has no effect. The card is placed like any other.",
            "Ein Zwilling an anderer Stelle einer Reihe hat keine Bedeutung. Die Karte wird angelegt wie jede andere.",
        ),
        Text(
            (
                "If two players play the same number in the same turn, both cards are placed together as if they "
                "were one."
            ),
            (
                "Spielen zwei Mitspieler in derselben Runde die gleiche Zahl, werden beide Karten zusammen "
                "angelegt, als wären sie eine."
            ),
        ),
        Text(
            (
                "If these two cards take a row, both players take it together: each gets half of its heads, "
                "rounded up. The two cards begin the row anew."
            ),
            (
                "Muss für diese beiden Karten eine Reihe genommen werden, nehmen die zwei Mitspieler sie "
                "gemeinsam: Jeder bekommt die Hälfte ihrer Hornochsen, aufgerundet. Mit den beiden Karten beginnt "
                "die Reihe von vorn."
            ),
        ),
        Text(
            (
                "If they fit nowhere, only one of the two players chooses the row: the first one clockwise, "
                "counted from the first seat in the first turn of a deal, and from one seat further with each "
                "turn."
            ),
            (
                "Passen sie nirgends, sucht nur einer der beiden die Reihe aus: in der ersten Runde eines "
                "Durchgangs der erste in der Sitzordnung, und mit jeder Runde beginnt dieses Abzählen einen Platz "
                "weiter im Uhrzeigersinn."
            ),
        ),
        Text(
            "If you hold both twins, you play them one at a time.",
            "Wer beide Zwillinge auf der Hand hat, spielt sie einzeln.",
        ),
    ),
    examples=(),
    tips=(),
    rulings=(
        Text(
            "It follows from the rule for twins that a twin on the last card of a full row does not take the row.",
            (
                "Dass niemand eine volle Reihe nimmt, wenn ein Zwilling auf ihre letzte Karte kommt, folgt aus "
                "der Regel für Zwillinge."
            ),
        ),
        Text(
            "The rulebook does not say which of the two owners chooses the row.",
            "Wer von zwei Besitzern die Reihe aussucht, ist nicht gedruckt.",
        ),
        Text(
            "As halves are rounded up, the two together may get one head more than the row had.",
            "Weil aufgerundet wird, können beide zusammen einen Hornochsen mehr bekommen, als in der Reihe lagen.",
        ),
        RULING_TARGET,
        RULING_BETWEEN,
        RULING_TIES,
        RULING_SHUFFLE,
    ),
)

FOR_BOTS = """\
All cards exist twice; with the option `doublets`, only 11, 22, … 99 do. Equal cards next to each other in a row are one
*position*: a row is full with five positions, but the heads of all its cards count.

* **Beginning of the rows.** Cards are turned up until there are four different ones; an equal one is put on its twin.
* **A card that equals the last card of a row** is put on it. It takes nothing, even if the row is full. A twin elsewhere in a row
  has no effect.
* **Two equal cards in one turn** are placed together, as one position. If they take a row, both seats take it: each gets half of
  its heads, rounded up, and the two cards become the row. If they fit nowhere, only one of their owners is asked for the row:
  the first one clockwise, counted from seat (turn - 1) mod n.
* If you hold two equal cards, you play them one at a time.
"""
