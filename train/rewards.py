"""Rewards of a seat."""

from collections.abc import Callable, Sequence

Reward = Callable[[Sequence[int], Sequence[int], bool], list[float]]
"""Takes the total heads by seat before and after something happened, and whether the match is over now. Returns rewards by seat."""


def heads(before: Sequence[int], after: Sequence[int], over: bool) -> list[float]:
    """Minus the heads taken. The sum over a match is minus the score. Never positive."""
    return [float(then - now) for then, now in zip(before, after, strict=True)]


def relative(before: Sequence[int], after: Sequence[int], over: bool) -> list[float]:
    """The heads that the others took on average, minus one's own. The rewards of all seats add up to 0."""
    taken = [now - then for then, now in zip(before, after, strict=True)]
    others, everybody = len(taken) - 1, sum(taken)
    return [(everybody - own) / others - own for own in taken]


def rank(before: Sequence[int], after: Sequence[int], over: bool) -> list[float]:
    """At the end of the match, the share of the others that have more heads minus the share that have fewer: from -1 to 1.

    0 before the end. The rewards of all seats add up to 0.
    """
    if not over:
        return [0.0] * len(after)
    others = len(after) - 1
    return [sum((score > own) - (score < own) for score in after) / others for own in after]


REWARDS: dict[str, Reward] = {"heads": heads, "relative": relative, "rank": rank}
"""By the name that environments take."""
