"""Deals side by side: the same deals and heads as the rules have, opponents, mistakes."""

import numpy as np
import pytest

from bullring.arena.games.simulator import Uncovered
from bullring.errors import OptionError, RulesError
from bullring.train.policy import cards
from bullring.train.vector import Deals


def play_lowest(env: Deals, seed: int) -> np.ndarray:
    """Play a deal by the lowest cards. Returns the sums of rewards."""
    env.reset(seed)
    sums = np.zeros((env.count, env.learners))
    over = False
    while not over:
        rewards, over = env.step(env.hands[:, :, 0])
        sums += rewards
    return sums


def test_rewards_are_the_heads_of_the_others_less_ones_own() -> None:
    env = Deals("standard", 4, count=5, opponents=["random"])
    sums = play_lowest(env, 1)
    others = (env.heads.sum(1, keepdims=True) - env.heads) / 3
    assert sums == pytest.approx((others - env.heads)[:, :3])


def test_a_seed_makes_the_same_deals_and_the_next_one_others() -> None:
    env = Deals("tactics", 3, count=4)
    first = play_lowest(env, 5)
    env.reset()
    other = env.hands.copy()
    assert np.array_equal(play_lowest(env, 5), first)
    env.reset(6)
    assert np.array_equal(env.hands, other)


def test_opponents_are_policies_of_the_simulator() -> None:
    env = Deals("standard", 4, count=300, opponents=["greedy"] * 3)
    play_lowest(env, 1)
    assert env.heads[:, 0].mean() > env.heads[:, 1:].mean() + 3


def test_features_are_of_the_cards_that_are_left() -> None:
    env = Deals("standard", 4, count=6, opponents=["greedy"])
    env.reset(1)
    env.step(env.hands[:, :, 3])
    numbers = env.features()
    assert numbers.shape == (6, 3, 9, cards.SIZE)
    assert numbers[..., 12] == pytest.approx(env.hands / 104)
    assert np.isfinite(numbers).all()


def test_features_are_those_that_a_bot_computes_of_its_view() -> None:
    env = Deals("standard", 3, count=1)
    env.reset(3)
    for _ in range(4):
        hand = env.hands[0, 1].tolist()
        rows = [[first, last] if places > 1 else [last] for first, last, places, _ in env.rows[0].tolist()]
        if all(places <= 2 for places in env.rows[0, :, 2]):  # of longer rows, the tables do not keep the cards between
            seen = {card for card in range(1, 105) if not env.unseen[0, card]}
            piles = [sorted(seen - {card for row in rows for card in row})]
            view = {"rows": rows, "row_heads": env.rows[0, :, 3].tolist(), "played": [], "piles": piles}
            assert np.array_equal(cards.of_view(view, hand, range(1, 105), 3), env.features()[0, 1])
        env.step(env.hands[:, :, 0])


def test_mistakes_are_told_when_the_environment_is_made() -> None:
    with pytest.raises(ValueError, match="not '@greedy'"):
        Deals("standard", 4, count=1, opponents=["@greedy"])
    with pytest.raises(OptionError, match="tactic"):
        Deals("online", 4, count=1, options={"tactic": True})


def test_mistakes_are_told() -> None:
    with pytest.raises(RulesError, match="leave none of 2 seats"):
        Deals("standard", 2, opponents=["greedy", "greedy"])
    with pytest.raises(Uncovered):
        Deals("eleven", 3)
    env = Deals("standard", 3, count=2)
    env.reset(1)
    with pytest.raises(ValueError, match=r"expected \(2, 3\) numbers"):
        env.step(env.hands[0, :, 0])
    with pytest.raises(ValueError, match="in the hand of its seat"):
        env.step(np.zeros((2, 3)))
