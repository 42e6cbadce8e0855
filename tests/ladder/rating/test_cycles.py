"""Cycles that are more than chance, and none where there is an order."""

import numpy as np
import pytest

from bench.verdicts.cycles import FIELDS, Field
from bullring.ladder.rating.cycles import cycles
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.tally import tally
from tests.ladder.rating.synthetic import by_hand, tied

ALL = np.arange(5)


def met(won: dict[tuple[int, int], tuple[int, int]]) -> Results:
    """Tables of two: how many matches the first won, and how many the second."""
    groups = [
        ([first, second], [[0, 1] if at < wins else [1, 0]])
        for (first, second), (wins, losses) in won.items()
        for at in range(wins + losses)
    ]
    return by_hand(5, groups)


RING = {(0, 1): (60, 20), (1, 2): (65, 15), (2, 0): (55, 25)}


def test_bots_that_beat_each_other_in_a_circle_are_named_in_that_order() -> None:
    assert cycles(tally(met(RING)).sums, ALL, 3) == ([(0, 1, 2)], 1)
    back = {(second, first): wins for (first, second), wins in RING.items()}
    assert cycles(tally(met(back)).sums, ALL, 3) == ([(0, 2, 1)], 1)
    assert cycles(tally(met(RING)).sums, np.array([0, 1, 4]), 3) == ([], 0), "only the bots that are asked for"


def test_a_cycle_is_as_sure_as_the_least_sure_of_its_results() -> None:
    assert cycles(tally(met(RING | {(2, 0): (46, 34)})).sums, ALL, 3) == ([], 0)
    assert cycles(tally(met(RING | {(2, 0): (25, 55)})).sums, ALL, 3) == ([], 0)


def test_the_surest_cycle_comes_first_and_the_others_are_counted() -> None:
    more = RING | {(2, 3): (70, 10), (3, 0): (64, 16), (1, 3): (75, 5), (3, 4): (75, 5), (4, 1): (75, 5)}
    found, count = cycles(tally(met(more)).sums, ALL, 2)
    assert (found[0], len(found), count) == ((1, 3, 4), 2, 3)
    assert cycles(tally(met(more)).sums, ALL, 1)[1] == 3


def test_ties_tell_nothing_and_deals_that_are_played_again_are_one_result() -> None:
    assert cycles(tally(tied(met(RING))).sums, ALL, 3) == ([], 0)
    groups = [(list(pair), [[0, 1]] * 5) for pair in RING for _ in range(4)]
    assert cycles(tally(by_hand(5, groups)).sums, ALL, 3) == ([], 0)
    assert cycles(tally(by_hand(5, groups * 5)).sums, ALL, 3) == ([(0, 1, 2)], 1)


@pytest.mark.parametrize("field", [field for field in FIELDS if field.more is None], ids=lambda field: field.title)
def test_a_list_with_an_order_has_no_cycle(field: Field) -> None:
    """`python -m bench.verdicts cycles` shows more of this."""
    rng = np.random.default_rng(25)
    assert not any(field.seen(rng) for _ in range(10))
