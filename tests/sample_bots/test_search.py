"""The search of @strong: its time goes where the choice is close."""

import importlib

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.sample_bots.in_process import FOLDER

ALLOWED = 40_000
"""Playouts in all the time there is."""


class Question:
    """Options of known worth, with as much luck in a playout as in a deal."""

    seat = 0

    def __init__(self, *worth: float) -> None:
        self.worth = np.array(worth)
        self.random = np.random.default_rng(1)

    def playouts(self, options: NDArray[np.int64], count: int, chance: NDArray[np.int64]) -> NDArray[np.float64]:
        heads = np.zeros((count, len(options), 2))
        heads[:, :, 0] = self.worth[options] + 6 * self.random.standard_normal((count, len(options)))
        return heads


def asked(question: Question) -> tuple[int, float]:
    """The choice, and the part of the time that it took."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER / "python" / "strong"))
        search = importlib.import_module("search")
    spent = [0.0]

    def clock(playouts: int) -> float:
        spent.append(playouts / ALLOWED)
        return spent[-1]

    return search.best(question, len(question.worth), np.zeros(1, np.int64), clock), spent[-1]


@pytest.mark.parametrize("options", [2, 3, 10])
def test_a_close_choice_takes_most_of_the_time_and_not_more(options: int) -> None:
    _, share = asked(Question(*[5.0] * options))
    assert 0.5 < share < 1.1


def test_a_clear_choice_is_made_at_once() -> None:
    chosen, share = asked(Question(9.0, 9.0, 5.0, 9.0))
    assert chosen == 2
    assert share < 0.05


def test_a_small_difference_is_found_because_there_is_time_for_it() -> None:
    found = [asked(Question(*[5.0] * at, 4.7, *[5.0] * (3 - at))) for at in range(4)]
    assert [chosen for chosen, _ in found] == [0, 1, 2, 3]
