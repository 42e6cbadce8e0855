"""Who sits where in the matches of a group."""

import pytest

from bullring.arena.rules.registry import GAMES
from bullring.ladder.pairing.seating import matches_of, places, plan_of, seated


@pytest.mark.parametrize("seats", range(2, 11))
def test_a_rotation_is_a_latin_square(seats: int) -> None:
    square = [places("rotation", seats, match) for match in range(matches_of("rotation", seats))]
    assert square[0] == list(range(seats))
    assert all(sorted(row) == list(range(seats)) for row in square)
    assert all(sorted(column) == list(range(seats)) for column in zip(*square, strict=True))


def test_two_seats_swap_in_both_plans() -> None:
    for plan in ("rotation", "swap"):
        assert [places(plan, 2, match) for match in (0, 1)] == [[0, 1], [1, 0]]


@pytest.mark.parametrize("seats", range(2, 11))
def test_a_swap_leaves_the_others_where_they_are(seats: int) -> None:
    assert matches_of("swap", seats) == 2
    assert seated("swap", "abcdefghij"[:seats], 0) == list("abcdefghij"[:seats])
    assert seated("swap", "abcdefghij"[:seats], 1) == list(("ba" + "cdefghij")[:seats])


def test_only_a_tournament_is_a_group_by_itself() -> None:
    assert {name: plan_of(game) for name, game in GAMES.items()} == {
        game: "single" if game == "tournament" else "rotation" for game in GAMES
    }
    assert matches_of("single", 4) == 1
