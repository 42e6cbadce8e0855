"""Learning by self-play: its gradient, and who plays. `tests.train.learning` is how far it gets."""

import numpy as np

from bullring.train.policy import cards
from bullring.train.policy.network import Policy
from bullring.train.selfplay import Turn, advantages, gradient, new_network, play, softmax
from bullring.train.vector import Deals


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


def test_others_play_some_seats_and_only_the_rest_learns() -> None:
    random = np.random.default_rng(1)
    policy = new_network((4,), random)
    low = Policy(
        "cards", [np.full((cards.SIZE, 1), 0, np.float32)], [np.zeros(1, np.float32)]
    )  # all alike: the first card
    turns = play(Deals("standard", 4, count=16), policy, random, 1, [low], share=0.5)
    learning = len(turns[0].chosen)
    assert 16 < learning < 3 * 16
    assert all(len(turn.features) == len(turn.rewards) == learning for turn in turns)
    assert len(play(Deals("standard", 4, count=16), policy, random, 1, [low], share=1)[0].chosen) == 16
    assert len(play(Deals("standard", 4, count=16), policy, random, 1)[0].chosen) == 4 * 16
