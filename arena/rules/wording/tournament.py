"""The rules of `tournament` in words."""

from dataclasses import replace

from bullring.arena.rules.wording import logic
from bullring.arena.rules.wording.shared import (
    ABOUT_ROWS,
    DRAFT_LAPS,
    DRAFT_OPEN,
    DRAFT_ROWS,
    END_EMPTY,
    END_WINNER,
    PLAYERS_ANYONE,
    PLAYERS_RANGE,
    RULING_DRAFT,
    RULING_TIES,
)
from bullring.arena.rules.wording.text import Text

RULES = replace(
    logic.RULES,
    about=(
        ABOUT_ROWS,
        Text(
            (
                "In this game everybody plays every hand once. The hands are picked from open cards at the "
                "beginning, and then go round the table."
            ),
            (
                "In diesem Spiel spielt jeder jedes Kartenblatt einmal. Die Blätter werden am Anfang aus offenen "
                "Karten zusammengestellt und wandern dann um den Tisch."
            ),
        ),
    ),
    players=(
        PLAYERS_RANGE,
        Text(
            "More than that are not allowed by the rulebook, and its score sheet has no more lines.",
            "Mehr lässt die Anleitung nicht zu, und das Turnierblatt hat nicht mehr Zeilen.",
        ),
        PLAYERS_ANYONE,
    ),
    deal=(
        DRAFT_OPEN,
        DRAFT_LAPS,
        DRAFT_ROWS,
        Text(
            (
                "This is done once. The hands and the beginnings of the rows are written down, and used again in "
                "all deals."
            ),
            (
                "Das geschieht nur einmal. Die Kartenblätter und die Anfänge der Reihen werden notiert und in "
                "allen Durchgängen wieder verwendet."
            ),
        ),
        Text(
            (
                "After each deal every hand is given back as it was, but to the player on the left of the one who "
                "has just played it. The rows begin with the same cards."
            ),
            (
                "Nach jedem Durchgang geht jedes Kartenblatt, wieder vollständig, an den linken Nachbarn dessen, "
                "der es gerade gespielt hat. Die Reihen beginnen mit denselben Karten."
            ),
        ),
    ),
    end=(
        END_EMPTY,
        Text(
            "How many heads each player took with each hand is noted on a score sheet.",
            "Wie viele Hornochsen jeder mit jedem Kartenblatt genommen hat, steht auf einem Turnierblatt.",
        ),
        Text(
            "The match is over when everybody has played every hand, so after as many deals as there are players.",
            (
                "Die Partie ist zu Ende, wenn jeder jedes Kartenblatt gespielt hat, also nach so vielen "
                "Durchgängen, wie es Mitspieler gibt."
            ),
        ),
        END_WINNER,
    ),
    examples=(
        Text(
            (
                "On the printed sheet, four players took 23, 14, 0 and 32 heads with the same hand: 2 4 8 14 19 "
                "23 24 31 38 44."
            ),
            (
                "Auf dem gedruckten Blatt bekamen vier Spieler mit demselben Kartenblatt 23, 14, 0 und 32 "
                "Hornochsen: 2 4 8 14 19 23 24 31 38 44."
            ),
        ),
    ),
    rulings=(
        RULING_DRAFT,
        Text(
            "The same cards begin the rows in every deal.",
            "Die Reihen beginnen in jedem Durchgang mit denselben Karten.",
        ),
        RULING_TIES,
    ),
)

FOR_BOTS = """\
A draft as in `logic`, once. Then n seats play n deals with the hands and beginnings of that draft, and after each deal every hand
goes on to the left neighbour: in deal d, seat s plays the hand that seat (s - d + 1) mod n has drafted. So everybody plays every
hand once. The match ends after these n deals; there is no target.
"""
