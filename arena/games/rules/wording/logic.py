"""The rules of `logic` in words."""

from dataclasses import replace

from bullring.arena.games.rules.wording import tactics
from bullring.arena.games.rules.wording.shared import (
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
from bullring.arena.games.rules.wording.text import Text

RULES = replace(
    tactics.RULES,
    about=(
        ABOUT_ROWS,
        Text(
            (
                "In this game the players pick their hands from open cards. Everyone knows all the hands; the "
                "only secret is which card a player will play next."
            ),
            (
                "In diesem Spiel suchen sich die Mitspieler ihre Karten aus offen liegenden aus. Alle kennen alle "
                "Karten, und geheim ist nur, welche als nächste gespielt wird."
            ),
        ),
    ),
    players=(PLAYERS_RANGE, PLAYERS_ANYONE),
    deal=(DRAFT_OPEN, DRAFT_LAPS, DRAFT_ROWS, Text("Every deal begins this way.", "So beginnt jeder Durchgang.")),
    turn=(
        TURN_HIDDEN,
        TURN_ASCENDING,
        Text("The hands are not secret, but the choice is.", "Die Handkarten sind kein Geheimnis, die Wahl schon."),
    ),
    end=(END_EMPTY, END_TARGET, END_WINNER),
    tips=(),
    rulings=(
        Text(
            (
                "The first edition calls this game its professional variant. The game called professional here is "
                "a different one."
            ),
            (
                "In der ersten Ausgabe heißt dieses Spiel Profivariante. Das Spiel, das hier professional (Profi) "
                "heißt, ist ein anderes."
            ),
        ),
        Text(
            (
                "The German text of the first edition allows fewer players. There are enough cards for more, so "
                "more may play."
            ),
            (
                "Der deutsche Text der ersten Ausgabe nennt weniger Mitspieler. Die Karten reichen für mehr, also "
                "dürfen mehr mitspielen."
            ),
        ),
        RULING_DRAFT,
        Text(
            "Every draft begins with the same starting player.",
            "Das Aussuchen beginnt in jedem Durchgang beim selben Startspieler.",
        ),
        RULING_TARGET,
        RULING_BETWEEN,
        RULING_TIES,
    ),
)

FOR_BOTS = """\
The deck is that of `tactics`, but nothing is dealt: all cards lie open. Clockwise from seat `start`, the seats take one card
each (decision `draft`), again and again in the same direction, until all have ten. The four cards left begin the rows, ascending
from the top. All hands stay public, so only the choice in each turn is hidden. Every deal begins with a draft, always at seat
`start`.
"""
