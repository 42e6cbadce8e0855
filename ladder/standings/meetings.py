"""The results of the first bots of a list against each other, as those who watch see them."""

from collections.abc import Sequence
from dataclasses import dataclass

MOST = 16
"""Most bots."""


@dataclass(frozen=True)
class Meetings:
    """The shares of points of each of some bots against each other one."""

    bots: Sequence[str]
    """By place."""
    shares: Sequence[Sequence[float | None]]
    """From 0 to 1, of the first against the second; None for two that never met."""
