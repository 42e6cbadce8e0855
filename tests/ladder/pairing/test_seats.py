"""Seats of bots: evened out over single matches, and planned in groups."""

from collections import Counter
from random import Random

import pytest

from bullring.ladder.pairing.seats import Balance, group, matches_of, places


@pytest.mark.parametrize("seats", range(2, 11))
def test_a_rotation_is_a_latin_square_and_a_swap_leaves_the_others_where_they_are(seats: int) -> None:
    square = [places("rotation", seats, match) for match in range(matches_of("rotation", seats))]
    assert square[0] == list(range(seats))
    assert all(sorted(row) == list(range(seats)) for row in square)
    assert all(sorted(column) == list(range(seats)) for column in zip(*square, strict=True))
    swap = [places("swap", seats, match) for match in range(matches_of("swap", seats))]
    assert swap == [list(range(seats)), [1, 0, *range(2, seats)]]


@pytest.mark.parametrize("seats", [2, 3, 4, 6, 10])
def test_every_bot_sits_in_every_seat_equally_often(seats: int) -> None:
    """Any draw will do: some bots play much more than others."""
    random = Random(seats)
    balance, sat = Balance({}, random), Counter[tuple[int, int]]()
    bots = range(seats + 5)
    for _ in range(300 * seats):
        lineup = sorted(bots, key=lambda bot: random.random() ** (1 / (bot + 1)))[-seats:]
        match = balance.seat(lineup)
        assert sorted(match) == sorted(lineup)
        sat.update((bot, seat) for seat, bot in enumerate(match))
    for bot in bots:
        counts = [sat[bot, seat] for seat in range(seats)]
        assert max(counts) - min(counts) <= 3, (bot, counts)


def test_seats_taken_in_earlier_runs_are_evened_out() -> None:
    balance = Balance({(1, 0): 5, (2, 1): 5}, Random(1))
    assert [balance.seat((1, 2)) for _ in range(5)] == [(2, 1)] * 5


def test_among_equals_seats_are_drawn() -> None:
    drawn = Counter(Balance({}, Random(number)).seat((1, 2)) for number in range(400))
    assert 140 < drawn[1, 2] < 260


def test_a_group_has_every_bot_in_every_seat_or_swaps_two() -> None:
    assert group("rotation", (7, 8, 9)).matches == [(7, 8, 9), (9, 7, 8), (8, 9, 7)]
    assert group("swap", (7, 8, 9)).matches == [(7, 8, 9), (8, 7, 9)]
