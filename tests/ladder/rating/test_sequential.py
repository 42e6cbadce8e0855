"""The test that stops by itself: published figures, error rates, edges."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from bullring.ladder.rating.scales import share
from bullring.ladder.rating.sequential import Believed, Equal, Sequential, Verdict
from tests.ladder.rating.published import ELOS, RATIOS, Elo, Ratio


@pytest.mark.parametrize("case", RATIOS)
def test_ratios_are_those_of_fastchess(case: Ratio) -> None:
    assert Sequential(case.elo0, case.elo1).llr(case.counts) == pytest.approx(case.llr, abs=0.006)


@pytest.mark.parametrize("case", ELOS)
def test_differences_are_those_of_fastchess(case: Elo) -> None:
    """A test that could not have stopped earlier has the figures of a fixed number of groups, but for Student's quantile."""
    found = Sequential(0.0, 1.0, alpha=1e-30, beta=1e-30).judge(case.counts)
    assert found.normalised == pytest.approx(case.normalised, abs=0.006)
    if case.elo is not None:
        assert found.elo == pytest.approx(case.elo, abs=0.006)
        assert (found.high - found.low) / 2 == pytest.approx(case.error, rel=0.006)
    if case.superior is not None:
        assert found.superior == pytest.approx(case.superior, abs=0.00006)


def test_bounds_are_walds() -> None:
    """The figures that every fishtest page shows: 2.94 for 5 % and 5 %."""
    assert (Sequential().lower, Sequential().upper) == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    assert (Sequential(alpha=0.1, beta=0.2).lower, Sequential(alpha=0.1, beta=0.2).upper) == pytest.approx(
        (math.log(2 / 9), math.log(8))
    )


def test_the_likeliest_distribution_of_a_mean_is_found_where_it_is_known() -> None:
    """Of wins and losses alone the mean leaves no choice: the ratio is Wald's own."""
    low, high = float(share(0.0)), float(share(20.0))
    expected = 70 * math.log(high / low) + 50 * math.log((1 - high) / (1 - low))
    assert Sequential(0.0, 20.0).llr([50, 0, 70]) == pytest.approx(expected, abs=0.01)


def test_other_names_of_the_bots_turn_all_signs() -> None:
    counts = [10, 25, 60, 31, 12, 4, 9]
    one, other = Sequential(-5, 5).judge(counts), Sequential(-5, 5).judge(counts[::-1])
    assert other.llr == pytest.approx(-one.llr)
    assert other.elo == pytest.approx(-one.elo)
    assert other.superior == pytest.approx(1 - one.superior, abs=1e-6)
    assert one.matches == 3 * one.groups == 3 * sum(counts)


@pytest.mark.parametrize("cells_of_group", [3, 5, 9])
def test_the_two_errors_come_as_rarely_as_asked_for(cells_of_group: int) -> None:
    """All tests are run to their end, asked after every tenth group; matches of a group are related."""
    rng = np.random.default_rng(cells_of_group)
    test = Sequential(0.0, 60.0, alpha=0.1, beta=0.05)
    for elo, wrong, rate in ((0.0, Verdict.BETTER, 0.1), (60.0, Verdict.NOT_BETTER, 0.05)):
        wrongly = sum(verdict is wrong for verdict in finished(rng, test, elo, cells_of_group, tests=600))
        assert wrongly < 600 * rate + 2.5 * math.sqrt(600 * rate * (1 - rate))
        assert wrongly > 600 * rate * 0.35


def finished(rng: np.random.Generator, test: Sequential, elo: float, size: int, tests: int) -> list[Verdict]:
    """The ends of so many tests, all played side by side."""
    # A tie in a third of the matches; half of the groups go all one way.
    matches = size // 2
    level = float(share(elo))
    counts = np.zeros((tests, size), dtype=np.int64)
    verdicts: list[Verdict] = []
    while len(counts):
        won = rng.choice(3, p=[1 - level - 1 / 6, 1 / 3, level - 1 / 6], size=(len(counts), 10, matches))
        same = rng.random((len(counts), 10)) < 0.5
        points = np.where(same, won[..., 0] * matches, won.sum(axis=-1))
        np.add.at(counts, (np.arange(len(counts))[:, None], points), 1)
        now = test.decide(np.stack([counts, counts], axis=-2))
        verdicts += [verdict for verdict in now if verdict is not Verdict.OPEN]
        counts = counts[[verdict is Verdict.OPEN for verdict in now]]
    return verdicts


def test_the_first_group_that_decides_is_the_one_that_would_have_stopped_it() -> None:
    test, counts, later = Sequential(0.0, 120.0), np.zeros(5, dtype=np.int64), [4, 3, 4, 2, 3, 4, 1] * 20
    found = test.first([counts, counts], _believed(later))
    for played, cell in enumerate(later, 1):
        counts[cell] += 1
        if (verdict := test.judge(counts).verdict) is not Verdict.OPEN:
            assert found == (played, verdict) == (played, Verdict.BETTER)
            before = counts - np.eye(5, dtype=np.int64)[cell]
            assert test.first([before, before], _believed([cell, 0])) == (1, verdict)
            break
    assert test.first(np.zeros((2, 5)), _believed(later[: played - 1])) is None
    assert test.first(np.zeros((2, 5)), []) is None


def test_a_group_that_is_not_believed_helps_neither_verdict() -> None:
    test, nothing = Sequential(0.0, 120.0), np.zeros((2, 5))
    won, lost = ([cell, 2, cell] * 20 for cell in (4, 0))
    for later, verdict in ((won, Verdict.BETTER), (lost, Verdict.NOT_BETTER)):
        found = test.first(nothing, _believed(later))
        assert found is not None
        assert found[1] is verdict
    assert test.first(nothing, [(0, cell) for cell in won]) is None
    assert test.first(nothing, [(cell, 4) for cell in lost]) is None


def test_groups_being_played_could_decide_if_enough_of_them_are_won_or_lost() -> None:
    test, near = Sequential(0.0, 120.0), [[2, 3, 5, 7, 4]] * 2
    assert not test.could_decide(near, [(2, 2), None, (2, 2)])
    assert test.could_decide(near, [None] * 6)
    assert test.could_decide([[3, 4, 5, 4, 4]] * 2, [None] * 3)
    # Of two unknown groups neither decides, but both together with what is known after them.
    assert not test.could_decide(near, [None, (2, 2), None])
    assert test.could_decide(near, [None, (2, 2), None, *_believed([4] * 4)])


def _believed(cells: Sequence[int]) -> list[Believed]:
    return [(cell, cell) for cell in cells]


@pytest.mark.parametrize("test", [Sequential(0.0, 80.0), Equal(elo1=120.0)], ids=["better", "equal"])
@pytest.mark.parametrize("true", [0.0, 90.0])
def test_an_interval_holds_although_the_test_stopped_when_it_pleased(test: Sequential, true: float) -> None:
    rng, level = np.random.default_rng(5), float(share(true))
    found = [test.judge(stopped(rng, test, level)) for _ in range(100)]
    assert 0.9 <= np.mean([one.low <= true <= one.high for one in found]) <= 0.99
    assert 0.4 <= np.mean([one.elo > true for one in found]) <= 0.6


def stopped(rng: np.random.Generator, test: Sequential, level: float) -> NDArray[np.int64]:
    """The groups of a test up to its end, of two matches without a tie each."""
    cells = np.zeros(5, dtype=np.int64)
    while True:
        later = 2 * rng.binomial(2, level, 100)
        first = test.first([cells, cells], [(cell, cell) for cell in later.tolist()])
        cells += np.bincount(later[: None if first is None else first[0]], minlength=5)
        if first is not None:
            return cells


def test_an_open_test_is_estimated_too() -> None:
    """One that could have stopped but did not is drawn to the middle of its bounds less than one that did."""
    test, cells = Sequential(0.0, 40.0), [10, 30, 50, 34, 18]
    found, plain = test.judge(cells), Sequential(alpha=1e-30, beta=1e-30).judge(cells)
    assert found.verdict is Verdict.OPEN
    assert found.low < found.elo < found.high
    assert found.elo == pytest.approx(plain.elo, abs=1)


@pytest.mark.parametrize("bounds", [(0.0, 10.0), (0.0, 120.0), (-400.0, 400.0)])
def test_every_outcome_has_an_estimate_within_its_interval(bounds: tuple[float, float]) -> None:
    """Also few groups, skewed ones, and groups that were added long after the verdict."""
    rng = np.random.default_rng(1)
    for groups, test in product((1, 2, 3, 10, 300, 5000), (Sequential(*bounds), Equal(elo1=bounds[1]))):
        found = test.judge(rng.multinomial(groups, rng.dirichlet([0.3] * 5)))
        assert found.low <= found.elo <= found.high
        assert 0 <= found.superior <= 1
        assert (found.superior - 0.5) * found.elo >= -1e-6


def test_a_test_for_equality_says_equal_better_or_worse() -> None:
    """Each wrongly as rarely as asked for."""
    rng = np.random.default_rng(3)
    test = Equal(elo1=120.0, alpha=0.1, beta=0.1)
    ends = {true: Counter(finished(rng, test, true, 5, tests=300)) for true in (-120.0, 0.0, 120.0)}
    assert ends[0.0][Verdict.EQUAL] > 300 * 0.85
    assert ends[-120.0][Verdict.WORSE] > 300 * 0.85
    assert ends[120.0][Verdict.BETTER] > 300 * 0.85
    assert ends[-120.0][Verdict.BETTER] == ends[120.0][Verdict.WORSE] == 0


def test_other_names_of_the_bots_turn_a_test_for_equality_round() -> None:
    for counts in ([10, 25, 60, 31, 12], [2, 5, 9, 11, 14], [20, 60, 150, 62, 21]):
        one, other = Equal(elo1=60.0).judge(counts), Equal(elo1=60.0).judge(counts[::-1])
        assert (other.llr, other.opposite) == (one.opposite, one.llr)
        assert (other.elo, other.low, other.high) == pytest.approx((-one.elo, -one.high, -one.low), abs=1e-6)
        assert {one.verdict, other.verdict} in ({Verdict.EQUAL}, {Verdict.BETTER, Verdict.WORSE}, {Verdict.OPEN})


def test_what_is_not_believed_of_a_group_keeps_bots_from_being_equal() -> None:
    """A group that one bot may have spoiled counts as lost by it as well as as it was played."""
    counts, spoiled = np.array([20, 60, 150, 60, 20]), np.array([0, 0, 0, 30, 0])
    test = Equal(elo1=60.0)
    assert test.decide([[counts, counts]]) == [Verdict.EQUAL]
    assert test.decide([[counts, counts + spoiled * 2]]) == [Verdict.OPEN]


def test_without_a_group_nothing_is_known() -> None:
    found = Sequential().judge([0, 0, 0, 0, 0])
    assert (found.groups, found.llr, found.verdict) == (0, 0.0, Verdict.OPEN)
    assert (found.low, found.high, found.superior) == (-math.inf, math.inf, 0.5)


def test_the_first_group_decides_nothing() -> None:
    for counts in ([0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [0, 0, 1, 0, 0]):
        found = Sequential().judge(counts)
        assert found.verdict is Verdict.OPEN
        assert found.low < 0 < found.high
        assert 0.1 < found.superior < 0.9


def test_who_wins_every_match_is_better_after_some() -> None:
    verdicts = [Sequential().judge([0, 0, 0, 0, count]).verdict for count in range(1, 300)]
    assert verdicts[10] is Verdict.OPEN
    assert verdicts[-1] is Verdict.BETTER
    found = Sequential().judge([0, 0, 0, 0, 20])
    assert found.elo == found.high == math.inf
    assert 200 < found.low < 400


@pytest.mark.parametrize(
    "options",
    [
        {"elo0": 5.0, "elo1": 5.0},
        {"elo1": 1e-300},
        {"elo1": math.inf},
        {"elo1": math.nan},
        {"alpha": 0.0},
        {"beta": 1.0},
        {"alpha": 0.6, "beta": 0.5},
    ],
)
def test_tests_that_cannot_be_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"^(elo0 must be less than elo1|alpha and beta must be more than 0)"):
        Sequential(**options)


@pytest.mark.parametrize("counts", [[1], [1, 2], [1, 2, 3, 4], [1, -1, 3], [[1, 2, 3]]])
def test_cells_that_cannot_be_are_refused(counts: list[int]) -> None:
    with pytest.raises(ValueError, match=r"^a test needs an odd number of cells"):
        Sequential().judge(counts)
