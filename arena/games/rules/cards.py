"""The heads (penalty points) of the 104 cards of 6 nimmt! and of the 100 numbered cards of 11 nimmt!"""

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
"""Heads by card, indexed 1..104 (index 0 is unused). Source: 1994 rulebook, "Hornochsen = Minuspunkte"."""

ELEVEN_HIGHEST = 100
"""The highest numbered card of 11 nimmt!"""

_PRIMES = {n for n in range(2, ELEVEN_HIGHEST + 1) if all(n % d for d in range(2, n))}


def _eleven_heads(card: int) -> int:
    if card % 10 == 3:
        return 5 if card in _PRIMES else 7
    return 3 if card in _PRIMES else 1


ELEVEN_HEADS = (0, *map(_eleven_heads, range(1, ELEVEN_HIGHEST + 1)))
"""Heads by card, indexed 1..100 (index 0 is unused). No rulebook prints them; they come from public programs (A59)."""
