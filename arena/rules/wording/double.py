"""The rules of `double` in words."""

from dataclasses import replace

from bullring.arena.rules.wording import standard
from bullring.arena.rules.wording.shared import (
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
from bullring.arena.rules.wording.text import Text

RULES = replace(
    standard.RULES,
    about=(
        ABOUT_ROWS,
        Text(
            "In this game there are twins: cards of the same number, which lie on each other.",
            "In diesem Spiel gibt es Zwillinge: Karten mit gleicher Zahl, die übereinander gelegt werden.",
        ),
    ),
    box=(
        Text(
            "A variant of the game by Wolfgang Kramer, suggested by Uwe Schwarz. From 10 years.",
            "Eine Variante des Spiels von Wolfgang Kramer, angeregt von Uwe Schwarz. Ab 10 Jahren.",
        ),
    ),
    cards=(
        Text(
            "The deck has the cards {cards}, {copies} of each.",
            "Gespielt wird mit den Karten {cards}; jede gibt es {copies}-mal.",
        ),
        CARDS_HEADS,
    ),
    deal=(
        DEAL_HANDS,
        Text(
            (
                "More cards are turned up for the rows. A card that is not yet there begins a row, and a twin is "
                "put on the card it equals, until there are {rows} rows."
            ),
            (
                "Für die Reihen werden weitere Karten aufgedeckt. Mit einer Karte, die noch nicht daliegt, "
                "beginnt eine Reihe; ein Zwilling kommt auf die Karte, der er gleicht. So geht es weiter, bis es "
                "{rows} Reihen sind."
            ),
        ),
        Text("The rest is not used in this deal.", "Der Rest wird in diesem Durchgang nicht gebraucht."),
    ),
    place=(
        PLACE_END,
        PLACE_NEAREST,
        Text(
            (
                "A row is full with {row_limit} places; twins share one. If a card has to go to a full row, its "
                "owner takes all its cards, which can be up to {most_in_row}, and the new card begins the row "
                "again."
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
                "Twins that lie on each other in a row count as one when it comes to the {row_limit} cards of a "
                "full row. Their heads count one by one."
            ),
            (
                "Zwillinge, die in einer Reihe übereinander liegen, zählen bei den {row_limit} Karten einer "
                "vollen Reihe als eine. Ihre Hornochsen zählen einzeln."
            ),
        ),
        Text(
            "A card that equals the last card of a row is put on it. Nobody takes anything, even if the row is full.",
            (
                "Eine Karte, die der letzten Karte einer Reihe gleicht, wird auf diese gelegt. Niemand muss etwas "
                "nehmen, auch wenn die Reihe voll ist."
            ),
        ),
        Text(
            "A twin elsewhere in a row has no meaning. The card is placed like any other.",
            "Ein Zwilling an anderer Stelle einer Reihe hat keine Bedeutung. Die Karte wird angelegt wie jede andere.",
        ),
        Text(
            (
                "If two players play the same number in the same turn, both cards are placed together, as if they "
                "were one."
            ),
            (
                "Spielen zwei Mitspieler in derselben Runde die gleiche Zahl, werden beide Karten zusammen "
                "angelegt, als wären sie eine."
            ),
        ),
        Text(
            (
                "If a row has to be taken for these two cards, both players take it together: each of them gets "
                "half of its heads, rounded up. The two cards begin the row again."
            ),
            (
                "Muss für diese beiden Karten eine Reihe genommen werden, nehmen die zwei Mitspieler sie "
                "gemeinsam: Jeder bekommt die Hälfte ihrer Hornochsen, aufgerundet. Mit den beiden Karten beginnt "
                "die Reihe von vorn."
            ),
        ),
        Text(
            (
                "If they fit nowhere, only one of the two players chooses the row: in the first turn of a deal "
                "the first one in the order of the seats, and with each turn this count begins one seat further, "
                "clockwise."
            ),
            (
                "Passen sie nirgends, sucht nur einer der beiden die Reihe aus: in der ersten Runde eines "
                "Durchgangs der erste in der Sitzordnung, und mit jeder Runde beginnt dieses Abzählen einen Platz "
                "weiter im Uhrzeigersinn."
            ),
        ),
        Text(
            "Whoever holds both twins plays one of them at a time.",
            "Wer beide Zwillinge auf der Hand hat, spielt sie einzeln.",
        ),
    ),
    examples=(),
    tips=(),
    rulings=(
        Text(
            "That nobody takes a full row with a twin on its last card follows from the rule for twins.",
            (
                "Dass niemand eine volle Reihe nimmt, wenn ein Zwilling auf ihre letzte Karte kommt, folgt aus "
                "der Regel für Zwillinge."
            ),
        ),
        Text(
            "Who of two owners chooses the row is not printed.",
            "Wer von zwei Besitzern die Reihe aussucht, ist nicht gedruckt.",
        ),
        Text(
            "As halves are rounded up, both together may get one head more than the row had.",
            "Weil aufgerundet wird, können beide zusammen einen Hornochsen mehr bekommen, als in der Reihe lagen.",
        ),
        RULING_TARGET,
        RULING_BETWEEN,
        RULING_TIES,
        RULING_SHUFFLE,
    ),
)

FOR_BOTS = """\
All cards are there twice; with the option `doublets`, only 11, 22, … 99 are. Equal cards next to each other in a row are one
*position*: a row is full with five positions, but all its cards count their heads.

* **Beginning of the rows.** Cards are turned up until four different ones lie there; an equal one is put on its twin.
* **A card that equals the last card of a row** is put on it. It takes nothing, also if the row is full. A twin elsewhere in a row
  means nothing.
* **Two equal cards of one turn** are placed together, as one position. If they take a row, both seats take it: each gets half of
  its heads, rounded up, and the two cards are now the row. If they fit nowhere, only one of their owners is asked for the row:
  that one who comes first, counted clockwise from seat (turn - 1) mod n.
* Of two equal cards in your hand you play one at a time.
"""
