"""The rules of `tactics` in words."""

from dataclasses import replace

from bullring.arena.games.rules.wording import standard
from bullring.arena.games.rules.wording.shared import (
    ABOUT_ROWS,
    BOX_VARIANT,
    CARDS_HEADS,
    DEAL_HANDS,
    RULING_BETWEEN,
    RULING_TARGET,
    RULING_TIES,
)
from bullring.arena.games.rules.wording.text import Text

RULES = replace(
    standard.RULES,
    about=(
        ABOUT_ROWS,
        Text(
            (
                "In this game no card is left over: every card is in a hand or on the table. So it pays to "
                "remember which cards are gone."
            ),
            (
                "In diesem Spiel bleibt keine Karte übrig: Jede ist auf einer Hand oder liegt auf dem Tisch. Es "
                "lohnt sich also, sich zu merken, welche Karten schon weg sind."
            ),
        ),
    ),
    box=(BOX_VARIANT,),
    cards=(
        Text(
            (
                "Use only as many cards as needed: {each} for each player and {more} for the rows. "
                "{some_players} players use the cards {some_cards}. Set the higher cards aside."
            ),
            (
                "Gespielt wird nur mit so vielen Karten, wie man braucht: {each} für jeden Mitspieler und {more} "
                "für die Reihen. Bei {some_players} Mitspielern sind es die Karten {some_cards}. Höhere Karten "
                "werden beiseitegelegt."
            ),
        ),
        CARDS_HEADS,
    ),
    deal=(
        DEAL_HANDS,
        Text(
            "Turn up the last {rows} cards, one below the other. Each of them begins a row.",
            "Die letzten {rows} Karten werden aufgedeckt und untereinander gelegt. Mit jeder beginnt eine Reihe.",
        ),
    ),
    examples=(),
    rulings=(RULING_TARGET, RULING_BETWEEN, RULING_TIES),
)

FOR_BOTS = """\
n seats play with the cards 1 to 10n+4 only. All of them are dealt, so every card you do not see is in another hand.
"""
