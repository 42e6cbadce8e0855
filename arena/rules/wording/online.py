"""The rules of `online` in words."""

from dataclasses import replace

from bullring.arena.rules.wording import standard
from bullring.arena.rules.wording.shared import (
    ABOUT_ROWS,
    END_EMPTY,
    END_WINNER,
    PLACE_END,
    PLACE_FULL,
    PLACE_LOW_LOWEST,
    PLACE_NEAREST,
    RULING_TIES,
)
from bullring.arena.rules.wording.text import Text

RULES = replace(
    standard.RULES,
    about=(
        ABOUT_ROWS,
        Text(
            (
                "This is the game as an early online version played it: one person against programs, a single "
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
            "The game by Wolfgang Kramer, as Thomas Rosanski brought it online in 2000.",
            "Das Spiel von Wolfgang Kramer, wie Thomas Rosanski es im Jahr 2000 online brachte.",
        ),
    ),
    players=(Text("Always {players}.", "Immer {players}."),),
    place=(
        PLACE_END,
        PLACE_NEAREST,
        PLACE_FULL,
        Text(
            (
                "A card that is lower than the last card of each row fits nowhere. Its owner takes the row with "
                "the fewest heads, and of equal ones the topmost, without a choice. The low card begins this row "
                "again."
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
            "Nothing is said of further deals, so there is one.",
            "Von weiteren Durchgängen ist nicht die Rede, also gibt es einen.",
        ),
        RULING_TIES,
    ),
)

FOR_BOTS = """\
Four seats and one deal. Nobody is asked for a row: a low card takes the row with the fewest heads, and of equal ones the topmost.
With the option `tactics` only the cards 1 to 44 are used.
"""
