"""The rules of `tournament` in words."""

from dataclasses import replace

from bullring.arena.games.rules.wording import logic
from bullring.arena.games.rules.wording.shared import (
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
from bullring.arena.games.rules.wording.text import Text

RULES = replace(
    logic.RULES,
    about=(
        ABOUT_ROWS,
        Text(
            (
                "In this game everyone plays every hand once. The hands are picked from open cards at the "
                "beginning and then passed around the table."
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
            "The rulebook does not allow more, and its score sheet has no more lines.",
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
                "This is done only once. Write down the hands and the first cards of the rows: they are used "
                "again in every deal."
            ),
            (
                "Das geschieht nur einmal. Die Kartenblätter und die Anfänge der Reihen werden notiert und in "
                "allen Durchgängen wieder verwendet."
            ),
        ),
        Text(
            (
                "After each deal, every hand, complete again, goes to the left neighbour of the player who has "
                "just played it. The rows begin with the same cards."
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
            "Note on a score sheet how many heads each player took with each hand.",
            "Wie viele Hornochsen jeder mit jedem Kartenblatt genommen hat, steht auf einem Turnierblatt.",
        ),
        Text(
            "The match is over when everyone has played every hand, that is, after as many deals as there are players.",
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
There is one draft, as in `logic`. Then n seats play n deals with the hands and rows of that draft, and after each deal every hand
moves on to the left neighbour: in deal d, seat s plays the hand drafted by seat (s - d + 1) mod n. So every seat plays every hand
once. The match ends after these n deals; there is no target.
"""
