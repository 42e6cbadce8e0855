"""The rules of `nifty` in words."""

from dataclasses import replace

from bullring.arena.games.rules.wording import standard
from bullring.arena.games.rules.wording.shared import (
    ABOUT_ROWS,
    BOX_VARIANT,
    PLACE_END,
    PLACE_FULL,
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
            "In this game everyone plays {pair} cards at a time and decides which of them is placed first.",
            (
                "In diesem Spiel spielen alle {pair} Karten auf einmal und bestimmen selbst, welche davon zuerst "
                "angelegt wird."
            ),
        ),
    ),
    box=(BOX_VARIANT,),
    turn=(
        Text(
            "Everyone secretly chooses {pair} cards from their hand. When all have chosen, the cards are revealed together.",
            "Alle wählen verdeckt {pair} ihrer Handkarten. Wenn alle gewählt haben, wird gemeinsam aufgedeckt.",
        ),
        Text(
            (
                "The owner of the lowest card begins and places both cards, one right after the other. Which of "
                "them goes first is decided only now."
            ),
            (
                "Wer die niedrigste Karte hat, beginnt und legt beide Karten an, eine direkt nach der anderen. "
                "Welche von ihnen zuerst kommt, sagt er erst jetzt."
            ),
        ),
        Text(
            ("Then the owner of the lowest card not placed yet is next, and so on until all cards are placed."),
            (
                "Von denen, deren Karten noch warten, ist dann wieder der mit der niedrigsten an der Reihe, bis "
                "alle Karten angelegt sind."
            ),
        ),
    ),
    place=(
        PLACE_END,
        PLACE_NEAREST,
        PLACE_FULL,
        PLACE_LOW,
        Text("This can happen several times in a turn.", "Das kann in einer Runde mehrmals vorkommen."),
        PLACE_LOW_OPEN,
    ),
    examples=(),
    tips=(),
    rulings=(
        Text(
            (
                "The lowest card is determined among those not placed yet. You choose the order of your two cards "
                "when you place them, not when you play them."
            ),
            (
                "Die niedrigste Karte wird unter denen gesucht, die noch warten. Die Reihenfolge der eigenen "
                "Karten wählt man zuletzt und nicht schon beim Ausspielen."
            ),
        ),
        RULING_TARGET,
        RULING_BETWEEN,
        RULING_TIES,
        RULING_SHUFFLE,
    ),
)

FOR_BOTS = """\
Every seat gets 14 cards, and a deal has seven turns. In each turn every seat chooses two cards (decision `cards`), and all are
revealed. Then the owner of the lowest card not placed yet is next: it decides which of its two cards goes first (decision
`order`), and both are placed, one right after the other. Each of them may fit nowhere (decision `row`).
"""
