"""Ratings as people read them: one that is still open is rounded and has a question mark, wherever it is shown."""

PROVISIONAL = 200.0
"""Half of a 95 % interval, in Elo, above which a rating is provisional."""

ROUNDED = 100
"""To what a provisional rating is rounded: more digits would only look like knowledge."""


def provisional(error: float | None) -> bool:
    """Whether a rating with half of this interval says little yet; None if the results do not bound it."""
    return error is None or error > PROVISIONAL


def rated(rating: float, error: float | None) -> str:
    """A rating with half of its interval: "1583", or "1600?" while it is provisional."""
    return f"{round(rating / ROUNDED) * ROUNDED}?" if provisional(error) else f"{rating:.0f}"


def margin(error: float | None) -> str:
    """Half of the interval of a rating; empty where it would say nothing."""
    return "" if error is None or provisional(error) else f"{error:.0f}"
