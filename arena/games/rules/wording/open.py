"""The rules of `open` in words."""

from dataclasses import replace

from bullring.arena.games.rules.wording import standard
from bullring.arena.games.rules.wording.shared import (
    ABOUT_ROWS,
    BOX_VARIANT,
    CARDS_HEADS,
    PLAYERS_RANGE,
    RULING_BETWEEN,
    RULING_SHUFFLE,
    RULING_TARGET,
    RULING_TIES,
    TURN_ASCENDING,
)
from bullring.arena.games.rules.wording.text import Text

RULES = replace(
    standard.RULES,
    about=(
        ABOUT_ROWS,
        Text(
            (
                "In this game cards are played face up, one player after the other, so later players see what "
                "the others do."
            ),
            (
                "In diesem Spiel wird offen ausgespielt, einer nach dem anderen. Wer später an der Reihe ist, "
                "sieht also, was die anderen tun."
            ),
        ),
    ),
    box=(BOX_VARIANT,),
    players=(
        PLAYERS_RANGE,
        Text(
            "The oldest player begins. Here it is the first bot on the command line, or the seat given with --start.",
            (
                "Der älteste Mitspieler beginnt. Hier beginnt der erste Bot der Befehlszeile oder der mit --start gewählte Platz."
            ),
        ),
    ),
    cards=(
        Text(
            (
                "The deck consists of the cards {cards}, one of each. The {marker} is not played; it marks the "
                "player who goes first in a turn."
            ),
            (
                "Gespielt wird mit den Karten {cards}; jede gibt es einmal. Die {marker} spielt nicht mit: Sie "
                "zeigt an, wer in einer Runde als Erster ausspielt."
            ),
        ),
        CARDS_HEADS,
    ),
    turn=(
        Text(
            (
                "The player with the marker plays a card face up. Then the others do the same, clockwise, and "
                "each sees what was played before."
            ),
            (
                "Wer die Startspielerkarte hat, spielt eine Karte offen aus. Die anderen folgen im Uhrzeigersinn, "
                "und jeder sieht, was vor ihm gespielt wurde."
            ),
        ),
        TURN_ASCENDING,
        Text(
            (
                "The starting player has the marker first. After every turn, including the last turn of a deal, "
                "it goes to the player on the left."
            ),
            (
                "Zuerst hat der Startspieler die Startspielerkarte. Nach jeder Runde bekommt sie der linke "
                "Nachbar, auch nach der letzten Runde eines Durchgangs."
            ),
        ),
    ),
    examples=(),
    tips=(),
    rulings=(
        Text(
            "For one more player there would be one card too few, as the {marker} is not dealt.",
            "Für einen Mitspieler mehr wäre es eine Karte zu wenig, weil die {marker} fehlt.",
        ),
        Text(
            (
                "The marker keeps moving from one deal to the next. The option reset_marker returns it to the "
                "starting player at the beginning of each deal."
            ),
            (
                "Die Startspielerkarte wandert über das Ende eines Durchgangs hinaus weiter. Mit der Option "
                "reset_marker bekommt sie der Startspieler zurück."
            ),
        ),
        RULING_TARGET,
        RULING_BETWEEN,
        RULING_TIES,
        RULING_SHUFFLE,
    ),
)

FOR_BOTS = """\
The deck is 2 to 104; the 1 marks the seat that plays first. That seat plays a card face up, then the others do the same,
clockwise, each seeing the cards before it (decision `card`, one seat after the other). When all have played, the cards are placed
as in `standard`, the lowest first. The marker (`first` in the view) is at `start` in the first turn and goes to the left
neighbour after each turn, even from one deal to the next; with the option `reset_marker`, every deal begins at `start`.
"""
