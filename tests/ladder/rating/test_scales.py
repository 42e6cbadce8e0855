"""Elo, shares and quantiles against tables."""

import numpy as np
import pytest

from bullring.ladder.rating.scales import as_normal, below, elo, share, student, wilson


def test_elo_and_share_are_each_others_inverse() -> None:
    values = np.linspace(-800, 800, 101)
    assert elo(share(values)) == pytest.approx(values)
    assert share(400.0) == pytest.approx(10 / 11)
    assert elo(np.array([0.0, 0.5, 1.0])).tolist() == [-np.inf, 0.0, np.inf]


def test_the_normal_distribution() -> None:
    assert below(np.array([-1.959963985, 0.0, 1.644853627])) == pytest.approx([0.025, 0.5, 0.95])


@pytest.mark.parametrize(
    ("freedom", "table"), [(3, 3.182), (5, 2.571), (10, 2.228), (20, 2.086), (30, 2.042), (100, 1.984), (10**6, 1.960)]
)
def test_students_quantiles_are_those_of_the_tables_or_a_little_wider(freedom: int, table: float) -> None:
    assert table * 0.999 < student(freedom) < table * 1.013
    assert as_normal(student(freedom), freedom) == pytest.approx(1.959963985)


def test_without_a_degree_of_freedom_nothing_is_known() -> None:
    assert student(0) == np.inf
    assert student(1) > 12.7
    assert student(2) > 4.3
    assert as_normal(5.0, 0) == 0.0


def test_wilsons_interval() -> None:
    """The first is the example of Newcombe (1998), 81 of 263."""
    assert [float(end) for end in wilson(81 / 263, 263)] == pytest.approx([0.2553, 0.3662], abs=1e-4)
    assert [float(end) for end in wilson(1.0, 10)] == pytest.approx([0.7225, 1.0], abs=1e-4)
    assert wilson(0.0, 10)[0] == 0.0
