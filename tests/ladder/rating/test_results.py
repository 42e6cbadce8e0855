"""Impossible results are refused; groups can be chosen."""

from typing import Any

import numpy as np
import pytest

from bullring.ladder.rating.part import Part
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.tally import tally
from tests.ladder.rating.synthetic import ragged, rotation, tables

GOOD: dict[str, Any] = {
    "bots": 3,
    "lineups": np.array([[0, 1], [2, 1]]),
    "sizes": np.array([2, 1]),
    "ranks": np.array([[1, 2], [2, 1], [1, 1]]),
    "heads": np.array([[0, 5], [5, 0], [3, 3]]),
    "deals": np.array([1, 1, 2]),
}


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("bots", 2, "bots of a line-up must be from 0 to 1, not 0 to 2"),
        ("lineups", np.array([[0, 1], [2, -1]]), "bots of a line-up must be from 0 to 2, not -1 to 2"),
        ("lineups", np.array([[0, 1], [2, 2]]), "a bot must not have two places in a line-up"),
        ("lineups", np.array([[0], [2]]), "a line-up must have at least 2 places, not 1"),
        ("lineups", np.array([0, 1]), "lineups must have 2 dimensions, not 1"),
        ("lineups", np.array([[0.0, 1.0], [2.0, 1.0]]), "lineups must be integers, not float64"),
        ("sizes", np.array([3, 0]), "a group must have at least 1 match, not 0"),
        ("sizes", np.array([3]), "the number of sizes must be that of the line-ups, 2, not 1"),
        ("sizes", np.array([2, 2]), r"ranks of these groups must have the shape \(4, 2\), not \(3, 2\)"),
        (
            "heads",
            np.array([[0, 5, 1], [5, 0, 1], [3, 3, 1]]),
            r"heads of these groups must have the shape \(3, 2\), not \(3, 3\)",
        ),
        ("deals", np.array([1, 1]), r"deals of these groups must have the shape \(3,\), not \(2,\)"),
        ("deals", np.array([1, 1, 0]), "a match must have at least 1 deal, not 0"),
    ],
)
def test_results_that_cannot_be_are_refused(name: str, value: object, says: str) -> None:
    Results(**GOOD)
    with pytest.raises(ValueError, match=f"^{says}$"):
        Results(**{**GOOD, name: value})


def test_chosen_groups_keep_their_matches() -> None:
    results = Results(**GOOD)
    second = results.chosen(np.array([1, 0, 1]))
    assert second.lineups.tolist() == [[2, 1], [0, 1], [2, 1]]
    assert second.ranks.tolist() == [[1, 1], [1, 2], [2, 1], [1, 1]]
    assert second.deals.tolist() == [2, 1, 1, 2]
    assert results.chosen(slice(0, 0)).groups == 0
    assert results.chosen(np.array([False, True])).heads.tolist() == [[3, 3]]


@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_the_tally_adds_up_what_a_slow_count_adds_up(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bullring.ladder.rating.tally.CHUNK", chunk)
    rng = np.random.default_rng(5)
    results = ragged(rng, rotation(rng, np.zeros(5), tables(rng, 5, 4, 60)))
    tallied = tally(results)
    part = Part.joined(list(tallied.parts()))
    met, won = np.zeros((2, 5, 5))
    for group, lineup in enumerate(results.lineups):
        rows = slice(results.starts[group], results.starts[group + 1])
        nets = np.zeros((results.sizes[group], 5))
        for match, ranks in enumerate(results.ranks[rows]):
            for a in range(4):
                for b in range(4):
                    sign = int(ranks[a] < ranks[b]) - int(ranks[a] > ranks[b])
                    met[lineup[a], lineup[b]] += a != b
                    won[lineup[a], lineup[b]] += sign
                    nets[match, lineup[a]] += sign
        assert part.heads[:, group].tolist() == results.heads[rows].sum(axis=0).tolist()
        assert part.deals[group] == results.deals[rows].sum()
        assert part.net()[:, group].tolist() == nets.sum(axis=0)[lineup].tolist()
    assert np.array_equal(tallied.met()[0], met)
    assert np.array_equal(tallied.met()[1], won)
    assert tallied.sums.matches_of.sum() == 4 * len(results.ranks)
    assert tallied.sums.groups_of.sum() == 4 * results.groups
