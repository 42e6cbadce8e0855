"""The rules of `logic` in words."""

from dataclasses import replace

from bullring.arena.rules.wording import tactics
from bullring.arena.rules.wording.shared import (
    ABOUT_ROWS,
    DRAFT_LAPS,
    DRAFT_OPEN,
    DRAFT_ROWS,
    END_EMPTY,
    END_TARGET,
    END_WINNER,
    PLAYERS_ANYONE,
    PLAYERS_RANGE,
    RULING_BETWEEN,
    RULING_DRAFT,
    RULING_TARGET,
    RULING_TIES,
    TURN_ASCENDING,
    TURN_HIDDEN,
)
from bullring.arena.rules.wording.text import Text

RULES = replace(
    tactics.RULES,
    about=(
        ABOUT_ROWS,
        Text(
            (
                "In this game the players pick their hands from open cards. Everybody knows all hands, and all "
                "that is secret is which card comes next."
            ),
            (
                "In diesem Spiel suchen sich die Mitspieler ihre Karten aus offen liegenden aus. Alle kennen alle "
                "Karten, und geheim ist nur, welche als nächste gespielt wird."
            ),
        ),
    ),
    players=(PLAYERS_RANGE, PLAYERS_ANYONE),
    deal=(DRAFT_OPEN, DRAFT_LAPS, DRAFT_ROWS, Text("Every deal begins in this way.", "So beginnt jeder Durchgang.")),
    turn=(
        TURN_HIDDEN,
        TURN_ASCENDING,
        Text("The hands are no secret, but the choice is.", "Die Handkarten sind kein Geheimnis, die Wahl schon."),
    ),
    end=(END_EMPTY, END_TARGET, END_WINNER),
    tips=(),
    rulings=(
        Text(
            (
                "The first edition calls this game its professional variant. The game that is called professional "
                "here is another one."
            ),
            (
                "In der ersten Ausgabe heißt dieses Spiel Profivariante. Das Spiel, das hier professional (Profi) "
                "heißt, ist ein anderes."
            ),
        ),
        Text(
            (
                "The German text of the first edition names fewer players. The cards are enough for more, so more "
                "may play."
            ),
            (
                "Der deutsche Text der ersten Ausgabe nennt weniger Mitspieler. Die Karten reichen für mehr, also "
                "dürfen mehr mitspielen."
            ),
        ),
        RULING_DRAFT,
        Text(
            "Each draft begins at the same starting player.",
            "Das Aussuchen beginnt in jedem Durchgang beim selben Startspieler.",
        ),
        RULING_TARGET,
        RULING_BETWEEN,
        RULING_TIES,
    ),
)

FOR_BOTS = """\
The deck of `tactics`, but nothing is dealt: all cards lie open. From seat `start` on, clockwise, everybody takes one of them
(decision `draft`), lap after lap in the same direction, until all have ten. The four that are left begin the rows, ascending from
the top. All hands stay public, so nothing is hidden but the choice of each turn. Every deal begins with a draft, always at seat
`start`.
"""
