"""A point of the history of a rating: its fields are what JSON, CSV and the Python API have of it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    """The rating of a bot after some matches of its list, as it was known then."""

    matches: int
    """Matches of the list so far."""
    match: int
    """The number of the last one."""
    ended: str
    """When all of them had ended: date and time in UTC. Matches do not end in the order of their numbers."""
    rating: float | None
    """Elo; None if the bot had not played yet."""
    low: float | None
    """The lower end of the 95 % interval; None where the results set no bound."""
    high: float | None
    """The upper end."""
