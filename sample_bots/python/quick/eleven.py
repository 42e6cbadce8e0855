"""11 nimmt!: lay the cards with the most heads first, and take the cheapest stack if nothing can be laid."""

from typing import Any

PRIMES = {n for n in range(2, 101) if all(n % d for d in range(2, n))}
HEADS = [(5 if c in PRIMES else 7) if c % 10 == 3 else 3 if c in PRIMES else 1 for c in range(101)]


def cheapest(kind: str, view: dict[str, Any], options: list[Any]) -> Any:
    """Lay a card if possible (also a second one, with bulls), else take the stack with the fewest heads."""
    if kind not in ("play", "more"):
        return options[0]
    lays = [option for option in options if isinstance(option, list)]
    if lays:
        # Among cards with equally many heads, the nearest one, which keeps the other cards in reach.
        return min(lays, key=lambda lay: (-HEADS[lay[0]], (lay[0] - view["stacks"][lay[1] - 1][-1]) % 100))
    return min(options, key=lambda stack: sum(HEADS[card] for card in view["stacks"][stack - 1]))
