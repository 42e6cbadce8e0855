"""Simulated strangers among the house, measured with the estimator that the command uses."""

import numpy as np
import pytest

from bench import gauges
from bench.gauge import STRANGERS, coverage, main, sample
from bullring.arena.house.onward import BySimulator
from bullring.arena.rules.registry import find
from bullring.ladder.rating.control import ALARM, adjusted
from bullring.ladder.rating.scales import QUANTILE

MATCHES = 250


@pytest.mark.slow
def test_the_bench_says_what_its_matches_say(capsys: pytest.CaptureFixture[str]) -> None:
    main(["house", "random", "--seats", "2", "--matches", "60", "--playouts", "1", "--size", "20", "--samples", "20"])
    out = capsys.readouterr().out
    assert "house, heads:" in out
    assert "random, share:" in out
    assert "false alarms" in out
    assert "coverage" in out


@pytest.mark.slow
@pytest.mark.parametrize("name", ["standard", "tactics"])
def test_the_null_is_nil_and_a_greedy_bot_takes_fewer_matches(name: str) -> None:
    game = find(name)(3, {"deals": 1})
    for stranger, truth in (("house", (0.0, 0.5)), ("greedy", None)):
        found = sample(game, STRANGERS[stranger], MATCHES, 1, 30, BySimulator())
        for outcome in (0, 1):
            made = adjusted(found[:, 0, outcome], found[:, 1:, outcome])
            assert max(map(abs, made.alarms)) < ALARM
            assert made.gain is not None
            assert made.gain.low > 1.3
            if truth is not None:
                assert abs(made.adjusted.value - truth[outcome]) < 2 * QUANTILE * made.adjusted.error
            held = coverage(found[:, :, outcome], made.adjusted.value, 100, 400, np.random.default_rng(1))
            assert 0.91 < held < 0.99


@pytest.mark.slow
def test_whole_gauges_are_made_of_matches_with_luck() -> None:
    found = gauges.matches("standard", 2, "house", 45, 1, 5)
    assert (np.abs(found[:, :, 1]).max(axis=0) > 0).all()  # results and both kinds of luck
    alarms = [*adjusted(found[:, 0, 0], found[:, 1:, 0]).alarms, *adjusted(found[:, 0, 1], found[:, 1:, 1]).alarms]
    assert max(map(abs, alarms)) < ALARM
    whole = gauges.samples(found)
    assert [len(one.samples) for one in gauges.at_fixed_size(whole, 20)] == [20, 20]
    assert [len(one.samples) for one in gauges.until_error(whole, 1000)] == [40]
