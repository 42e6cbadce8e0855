"""Places at the end of a match."""

from collections.abc import Sequence


def ranks(scores: Sequence[int], closed: Sequence[bool]) -> list[int]:
    """Places from 1, by seat: fewest heads first, ties share a place (A03), and all closed seats share the last place."""
    keys = [(1, 0) if out else (0, score) for score, out in zip(scores, closed, strict=True)]
    return [1 + sum(other < key for other in keys) for key in keys]
