"""The cards of the 104-card deck and their heads (penalty points)."""

HIGHEST = 104
"""The highest card of the full deck; the lowest is 1."""


def _heads(card: int) -> int:
    if card == 55:
        return 7
    if card % 11 == 0:
        return 5
    if card % 10 == 0:
        return 3
    return 2 if card % 5 == 0 else 1


HEADS = (0, *map(_heads, range(1, HIGHEST + 1)))
"""Heads by card, indexed 1..104 (index 0 is no card). Source: 1994 rulebook, "Hornochsen = Minuspunkte"."""
