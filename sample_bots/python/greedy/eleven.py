"""11 nimmt!: the dear cards go first, and who must take takes little."""

from typing import Any

PRIMES = {n for n in range(2, 101) if all(n % d for d in range(2, n))}
HEADS = [(5 if c in PRIMES else 7) if c % 10 == 3 else 3 if c in PRIMES else 1 for c in range(101)]


def cheapest(kind: str, view: dict[str, Any], options: list[Any]) -> Any:
    """A card if one can be laid, also a second one with bulls; or else the stack with the fewest heads."""
    if kind not in ("play", "more"):
        return options[0]
    lays = [option for option in options if isinstance(option, list)]
    if lays:
        # Of equally dear cards the one that is nearest, for then the other cards stay in reach.
        return min(lays, key=lambda lay: (-HEADS[lay[0]], (lay[0] - view["stacks"][lay[1] - 1][-1]) % 100))
    return min(options, key=lambda stack: sum(HEADS[card] for card in view["stacks"][stack - 1]))
