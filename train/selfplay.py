"""Learn to play by self-play: a policy gradient in plain numpy, on the deals of `bullring.train.vector`.

Run it with ``python -m bullring.train.selfplay policy.npz``; it takes minutes on one core, and tells how it goes against greedy.

All seats play by the same network, which scores each card of a hand by a few numbers (`bullring.train.policy.cards`); cards are
drawn by softmax. A card is good if what follows it, to the end of the deal, is better for its seat than could be expected; what
could be expected is a linear fit over what is known of the hand. The network is moved towards good cards (REINFORCE with a
baseline; Williams 1992) with Adam (Kingma and Ba 2015), and there is a small reward for trying many cards.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bullring.arena.games.simulator import COMPILED
from bullring.train.policy import cards
from bullring.train.policy.network import Policy
from bullring.train.vector import Deals

Array = NDArray[np.float32]

RATE = 2e-3
"""The size of the first step; the steps become smaller to the end."""

CURIOSITY = 0.05
"""The reward for trying many cards, in spreads of what a card brings. Without it a policy is soon so sure of itself that there
is nothing left to learn from, and only noise moves it."""

DEALS = 250_000
"""Deals that are enough to see what it can learn."""


@dataclass
class Turn:
    """The plays of all seats in one turn: the first axis is over the tables and seats together."""

    features: Array
    """(seats of all tables, cards, numbers)."""
    chances: Array
    """(seats of all tables, cards): the probability with which each card was drawn."""
    chosen: NDArray[np.int64]
    """(seats of all tables,): the place in the hand of the card drawn."""
    rewards: Array
    """(seats of all tables,)."""


def new_network(sizes: Sequence[int], random: np.random.Generator) -> Policy:
    """An untrained network with layers of these sizes between its inputs and its output."""
    all_sizes = [cards.SIZE, *sizes, 1]
    weights = [
        (random.normal(size=(size, following)) / np.sqrt(size)).astype(np.float32)
        for size, following in pairwise(all_sizes)
    ]
    weights[-1] *= 0.1
    return Policy("cards", weights, [np.zeros(size, np.float32) for size in all_sizes[1:]], "tanh")


def play(env: Deals, policy: Policy, random: np.random.Generator, seed: int) -> list[Turn]:
    """Play a deal at every table, all learners by the policy."""
    env.reset(seed)
    turns = []
    over = False
    while not over:
        features = env.features().reshape(-1, env.left, cards.SIZE)
        chances = softmax(policy.run(features)[..., 0])
        chosen = (chances.cumsum(1) < random.random((len(chances), 1))).sum(1).clip(max=env.left - 1)
        hands = env.hands.reshape(-1, env.left)
        played = hands[np.arange(len(hands)), chosen].reshape(env.count, env.learners)
        rewards, over = env.step(played)
        turns.append(Turn(features, chances, chosen, rewards.ravel()))
    return turns


def softmax(scores: Array) -> Array:
    """The probabilities of each card."""
    powers = np.exp(scores - scores.max(1, keepdims=True))
    chances: Array = powers / powers.sum(1, keepdims=True)
    return chances


def advantages(turns: Sequence[Turn]) -> list[Array]:
    """The advantage of each play, by turn: what followed, less what could be expected of the hand."""
    follows = np.cumsum([turn.rewards for turn in turns][::-1], axis=0)[::-1]
    found = []
    for turn, returns in zip(turns, follows, strict=True):
        known = np.concatenate([turn.features.mean(1), turn.features.min(1), np.ones((len(returns), 1), np.float32)], 1)
        fit = np.linalg.solve(known.T @ known + 1e-4 * len(known) * np.eye(known.shape[1]), known.T @ returns)
        found.append((returns - known @ fit).astype(np.float32))
    spread = np.sqrt(np.mean([np.mean(each**2) for each in found]))
    return [each / spread for each in found]


def gradient(policy: Policy, turns: Sequence[Turn], curiosity: float) -> list[Array]:
    """The gradients of weights and biases: towards cards that turned out well, and (by `curiosity`) towards trying all."""
    sums = [np.zeros_like(array) for array in (*policy.weights, *policy.biases)]
    count = sum(len(turn.chosen) for turn in turns)
    for turn, advantage in zip(turns, advantages(turns), strict=True):
        chances = turn.chances
        towards = -chances * advantage[:, None]
        towards[np.arange(len(chances)), turn.chosen] += advantage
        logs = np.log(chances + 1e-9)
        towards -= curiosity * chances * (logs - (chances * logs).sum(1, keepdims=True))
        back = (towards / count).reshape(-1, 1)
        layers = [turn.features.reshape(-1, cards.SIZE)]
        for weights, biases in zip(policy.weights[:-1], policy.biases[:-1], strict=True):
            layers.append(np.tanh(layers[-1] @ weights + biases))
        for number in reversed(range(len(policy.weights))):
            sums[number] += layers[number].T @ back
            sums[len(policy.weights) + number] += back.sum(0)
            if number:
                back = (back @ policy.weights[number].T) * (1 - layers[number] ** 2)
    return sums


class Adam:
    """Steps whose size follows how much each number of the gradient varies."""

    def __init__(self, arrays: Sequence[Array]) -> None:
        self._arrays = list(arrays)
        self._mean = [np.zeros_like(array) for array in arrays]
        self._square = [np.zeros_like(array) for array in arrays]
        self._steps = 0

    def step(self, gradients: Sequence[Array], rate: float) -> None:
        """Move all arrays in place, uphill."""
        self._steps += 1
        for array, mean, square, slope in zip(self._arrays, self._mean, self._square, gradients, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            unbiased = mean / (1 - 0.9**self._steps)
            array += rate * unbiased / (np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8)


def against(policy: Policy, opponent: str, seats: int, game: str, count: int, seed: int) -> tuple[float, float]:
    """Heads a deal that the policy, on every other seat, takes less than the opponents, and its standard error."""
    learners = seats // 2
    env = Deals(game, seats, count=count, opponents=[opponent] * (seats - learners))
    env.reset(seed)
    over = False
    while not over:
        best = policy.run(env.features())[..., 0].argmax(-1)
        _, over = env.step(np.take_along_axis(env.hands, best[..., None], 2)[..., 0])
    lead = env.heads[:, learners:].mean(1) - env.heads[:, :learners].mean(1)
    return float(lead.mean()), float(lead.std() / np.sqrt(count))


def train(game: str, seats: int, deals: int, tables: int, seed: int, told: bool = False) -> Policy:
    """Learn from this number of deals, `tables` of them at a time. The same seed makes the same policy."""
    random = np.random.default_rng(seed)
    policy = new_network((32, 32), random)
    env = Deals(game, seats, count=tables)
    adam = Adam([*policy.weights, *policy.biases])
    steps = max(1, deals // tables)
    for step in range(steps):
        left = 1 - step / steps
        turns = play(env, policy, random, seed * 1_000_000 + step)
        adam.step(gradient(policy, turns, CURIOSITY), RATE * left)
        if told and step % max(1, steps // 20) == 0:
            lead, error = against(policy, "greedy", seats, game, 4096, 1)
            heads = f"{lead:+.2f} ± {1.96 * error:.2f} heads a deal against greedy"
            sys.stderr.write(f"{step * tables:8} of {deals} deals, {time.process_time():4.0f} s: {heads}\n")
    policy.about = {"name": "self-taught", "made by": "bullring.train.selfplay", "game": game, "seats": seats}
    return policy


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m bullring.train.selfplay", description="Learn to play by self-play."
    )
    parser.add_argument("file", help="where to save the policy, such as policy.npz")
    parser.add_argument("--game", default="standard", help="a game of rows that grow to the right (standard)")
    parser.add_argument("--seats", type=int, default=4, help="seats at each table (4)")
    parser.add_argument("--deals", type=int, default=DEALS, help=f"how many deals to learn from ({DEALS})")
    parser.add_argument("--tables", type=int, default=1024, help="how many of them are played side by side (1024)")
    parser.add_argument("--seed", type=int, default=1, help="for deals and chance (1)")
    given = parser.parse_args(arguments)
    file = Path(given.file)
    for name in ("deals", "tables"):
        if getattr(given, name) < 1:
            parser.error(f"--{name} must be 1 or more, not {getattr(given, name)}")
    try:
        env = Deals(given.game, given.seats, count=1)
        env.reset(given.seed)
        env.features()
        file.open("ab").close()  # now rather than when everything is learned
    except (ValueError, OSError) as mistake:
        parser.error(str(mistake))
    if not COMPILED:
        sys.stderr.write("numba is missing, so this takes some hundred times as long: pip install 'bullring[fast]'\n")
    policy = train(given.game, given.seats, given.deals, given.tables, given.seed, told=True)
    policy.save(file)
    lead, error = against(policy, "greedy", given.seats, given.game, 20_000, 2)
    sys.stdout.write(f"{given.file}: {lead:+.3f} ± {1.96 * error:.3f} heads a deal against greedy, where + is better\n")


if __name__ == "__main__":
    main()
