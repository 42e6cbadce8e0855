"""The rules of `online` in words."""

from dataclasses import replace

from bullring.arena.games.rules.wording import standard
from bullring.arena.games.rules.wording.shared import (
    ABOUT_ROWS,
    END_EMPTY,
    END_WINNER,
    PLACE_END,
    PLACE_FULL,
    PLACE_LOW_LOWEST,
    PLACE_NEAREST,
    RULING_TIES,
)
from bullring.arena.games.rules.wording.text import Text

RULES = replace(
    standard.RULES,
    about=(
        ABOUT_ROWS,
        Text(
            (
                "This is the game as played in an early online version: one person against programs, a single "
                "deal, and nobody chooses a row."
            ),
            (
                "Das ist das Spiel einer frühen Online-Fassung: ein Mensch gegen Programme, nur ein Durchgang, "
                "und niemand sucht sich eine Reihe aus."
            ),
        ),
    ),
    box=(
        Text(
            "The game by Wolfgang Kramer, in the online version of 2000 by Thomas Rosanski.",
            "Das Spiel von Wolfgang Kramer, wie Thomas Rosanski es im Jahr 2000 online brachte.",
        ),
    ),
    players=(Text("Always {players} players.", "Immer {players}."),),
    place=(
        PLACE_END,
        PLACE_NEAREST,
        PLACE_FULL,
        Text(
            (
                "A card that is lower than the last card of every row fits nowhere. Its owner has no choice and "
                "takes the row with the fewest heads or, on a tie, the topmost of them. The low card begins that "
                "row anew."
            ),
            (
                "Eine Karte, die niedriger ist als die letzten Karten aller Reihen, passt nirgends. Ihr Besitzer "
                "nimmt ohne eigene Wahl die Reihe mit den wenigsten Hornochsen, bei Gleichstand die oberste. Mit "
                "der niedrigen Karte beginnt diese Reihe von vorn."
            ),
        ),
        PLACE_LOW_LOWEST,
    ),
    end=(
        END_EMPTY,
        Text("The match is over after one deal.", "Die Partie ist nach einem Durchgang zu Ende."),
        END_WINNER,
    ),
    examples=(),
    rulings=(
        Text(
            "The short rules do not mention further deals, so there is only one.",
            "Von weiteren Durchgängen ist nicht die Rede, also gibt es einen.",
        ),
        RULING_TIES,
    ),
)

FOR_BOTS = """\
There are four seats and one deal. Nobody is asked for a row: a low card takes the row with the fewest heads or, on a tie, the
topmost of them. With the option `tactics`, only the cards 1 to 44 are used.
"""
