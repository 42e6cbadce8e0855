"""Learning by self-play: its gradient, that it moves, and that it repeats. `tests.train.learning` is how far it gets."""

from pathlib import Path

import numpy as np
import pytest

from bullring.train.policy import cards
from bullring.train.policy.network import Policy
from bullring.train.selfplay import Turn, advantages, against, gradient, main, new_network, play, softmax, train
from bullring.train.vector import Deals

GREEDY = np.array([[-1.0 if "expected heads in this turn, if" in name else 0] for name in cards.NAMES], np.float32)
"""Scores a card by the heads it is expected to take in this turn, as the simulator's policy greedy does."""


def test_the_gradient_is_that_of_what_is_to_be_maximised() -> None:
    random = np.random.default_rng(1)
    policy = new_network((4, 3), random)
    for array in (*policy.weights, *policy.biases):
        array += random.normal(size=array.shape).astype(np.float32)
    turns = play(Deals("tactics", 2, count=8), policy, random, 1)[-3:]

    def value() -> float:
        total = 0.0
        for turn, advantage in zip(turns, advantages(turns), strict=True):
            chances = softmax(policy.run(turn.features)[..., 0]).astype(np.float64)
            logs = np.log(chances)
            total += (advantage * logs[np.arange(len(logs)), turn.chosen]).sum() - 0.1 * (chances * logs).sum()
        return total / sum(len(turn.chosen) for turn in turns)

    found = gradient(policy, turns, curiosity=0.1)
    for array, slopes in zip((*policy.weights, *policy.biases), found, strict=True):
        place = tuple(random.integers(size) for size in array.shape)
        kept, step = array[place], np.float32(1e-2)
        array[place] = kept + step
        above = value()
        array[place] = kept - step
        below = value()
        array[place] = kept
        assert abs((above - below) / (2 * step) - slopes[place]) < 2e-3 + 0.02 * abs(slopes[place])


def test_the_baseline_takes_away_what_the_hand_explains() -> None:
    random = np.random.default_rng(1)
    features = random.normal(size=(500, 3, 25)).astype(np.float32)
    rewards = (features.mean(1)[:, 0] * 7 + 0.1 * random.normal(size=500)).astype(np.float32)
    turn = Turn(features, np.full((500, 3), 1 / 3, np.float32), np.zeros(500, np.int64), rewards)
    (advantage,) = advantages([turn])
    assert abs(np.corrcoef(advantage, features.mean(1)[:, 0])[0, 1]) < 0.2


def test_the_same_seed_makes_the_same_policy() -> None:
    policy, again = (train("standard", 4, deals=256, tables=64, seed=3) for _ in range(2))
    assert all(np.array_equal(one, other) for one, other in zip(policy.weights, again.weights, strict=True))
    untrained = new_network((32, 32), np.random.default_rng(3))
    assert not np.array_equal(policy.weights[0], untrained.weights[0])


@pytest.mark.slow
def test_a_lead_over_itself_is_none() -> None:
    policy = Policy("cards", [GREEDY], [np.zeros(1, np.float32)])
    lead, error = against(policy, "greedy", 4, "standard", 2000, 1)
    assert abs(lead) < 4 * error


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["policy.npz", "--game", "eleven"], "not 'eleven'"),
        (["policy.npz", "--game", "professional"], "rows grow to the right, not for professional"),
        (["policy.npz", "--seats", "1"], "2 to 10 seats, not 1"),
        (["no/such/folder/policy.npz"], "No such file"),
        (["policy.npz", "--tables", "0"], "--tables"),
        (["policy.npz", "--deals", "-1"], "--deals"),
    ],
)
def test_mistakes_are_told_before_anything_is_learned(
    arguments: list[str], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert text in capsys.readouterr().err
