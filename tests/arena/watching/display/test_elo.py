"""Ratings as people read them."""

import pytest

from bullring.arena.watching.display.elo import margin, rated


@pytest.mark.parametrize(
    ("rating", "error", "shown", "beside"),
    [
        (1582.6, 18.2, "1583", "18"),
        (1582.6, 200.0, "1583", "200"),
        (1582.6, 200.1, "1600?", ""),
        (1783.2, 3851.0, "1800?", ""),
        (-2067.8, None, "-2100?", ""),
    ],
)
def test_a_rating_that_is_provisional_has_no_false_digits(
    rating: float, error: float | None, shown: str, beside: str
) -> None:
    assert (rated(rating, error), margin(error)) == (shown, beside)
