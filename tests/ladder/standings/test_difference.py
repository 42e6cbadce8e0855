"""Bots compared by all matches of a list, in figures and in a sentence."""

import numpy as np
import pytest

import bullring
from bullring.arena.games.rulebook.language import in_all
from bullring.ladder.standings.difference import Difference
from tests.ladder.rating.synthetic import rotation, tables


def told(*beaten: tuple[str, str], times: int = 1) -> str:
    """The sentence about a and b after matches that the first of each pair won."""
    return str(bullring.compare([{one: 1, other: 2} for one, other in beaten] * times, "a", "b")[0])


@pytest.mark.parametrize(
    ("difference", "sentence"),
    [
        (
            Difference("a", "b", 34.2, 21.0, 13.2, 55.2, 0.9921, 312),
            "a beats b by 34 ± 21 Elo; the chance that a is the stronger one is 99.2 %; they met in 312 matches",
        ),
        (
            Difference("a", "b", -10.0, 21.0, -31.0, 11.0, 0.2, 1),
            "b is ahead of a by 10 ± 21 Elo, which may be chance; the chance that b is the stronger one is 80 %;"
            " they met in 1 match",
        ),
        (
            Difference("a", "b", 340.0, None, 55.0, None, 0.99999, 0),
            "a beats b by more than 55 Elo; results set no upper end; the chance that a is the stronger one is > 99.9 %;"
            " they never met",
        ),
        (
            Difference("a", "b", 100.0, None, None, None, None, 2),
            "a is ahead of b, but results do not tell by how much; they met in 2 matches",
        ),
        (
            Difference("b", "a", 0.0, 69.0, -69.0, 69.0, 0.5, 100),
            "a and b are level, ± 69 Elo; the chance that a is the stronger one is 50 %; they met in 100 matches",
        ),
        (
            Difference("a", "b", -0.4, 69.0, -69.4, 68.6, 0.496, 0),
            "b and a are level, ± 69 Elo; the chance that b is the stronger one is 50 %; they never met",
        ),
        (
            Difference("a", "b", 0.0, None, None, None, None, 1),
            "a and b are level, but results do not tell how closely; they met in 1 match",
        ),
        (
            Difference("a", "b\x1b[2J", None, None, None, None, None, 0),
            "a and b\\x1b[2J cannot be compared: no chain of matches connects them",
        ),
    ],
)
def test_a_difference_is_a_sentence_that_begins_with_the_stronger_one(difference: Difference, sentence: str) -> None:
    assert difference.said() == sentence
    assert difference.elo is None or difference.turned.said() == sentence
    assert difference.facts()["text"] == sentence
    assert all(in_all(difference.said).values())


def test_bots_that_never_met_are_compared_by_those_they_both_met() -> None:
    matches = [("a", "c")] * 30 + [("c", "a")] * 10 + [("c", "b")] * 30 + [("b", "c")] * 10
    said = told(*matches)
    assert said.startswith("a beats b by ")
    assert said.endswith("they never met")


def test_results_that_bound_nothing_are_said_to() -> None:
    assert told(("a", "b"), times=40).startswith("a beats b by more than ")
    assert "do not tell by how much" in told(("a", "b"))
    assert "no chain of matches" in told(("a", "c"), ("b", "d"))


def test_a_difference_is_that_of_the_ratings_and_its_interval_holds_the_truth() -> None:
    rng = np.random.default_rng(5)
    truth = np.array([0.0, 40.0, 80.0, 200.0])
    results = rotation(rng, truth, tables(rng, 4, 3, 900), matches=1)
    matches = [
        dict(zip(map(str, lineup), map(int, ranks), strict=True))
        for lineup, ranks in zip(results.lineups, results.ranks, strict=True)
    ]
    elo = {one.name: one.elo for one in bullring.rate(matches)}
    found = bullring.compare(matches)
    assert len(found) == 6
    assert [(one.bot, one.other) for one in bullring.compare(matches, "1")] == [("1", "3"), ("1", "2"), ("1", "0")]
    for one in found:
        assert one.elo == pytest.approx(elo[one.bot] - elo[one.other])
        assert one.low is not None
        assert one.high is not None
        assert one.low - 15 < truth[int(one.bot)] - truth[int(one.other)] < one.high + 15
    with pytest.raises(bullring.BullringError, match="'z' has not played"):
        bullring.compare(matches, "z", "1")
