"""Learning to play by self-play: a policy gradient in plain numpy, on the deals of `bullring.train.vector`.

The network scores each card of a hand by a few numbers (`bullring.train.policy.cards`); cards are drawn by softmax. A card is good
if what follows it, to the end of the deal, is better for its seat than could be expected; what could be expected is a linear fit
over what is known of the hand. The network is moved towards good cards (REINFORCE with a baseline; Williams 1992) with Adam (Kingma
and Ba 2015), and there is a small reward for trying many cards. Some seats are played by others, such as what the network was
before, so that what it learns holds against more than itself. `bullring.train.learning` is the course of `bullring train`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bullring.train.policy import cards
from bullring.train.policy.network import Policy
from bullring.train.vector import Deals

Array = NDArray[np.float32]

RATE = 2e-3
"""The size of the first step; the steps become smaller to the end."""

CURIOSITY = 0.05
"""The reward for trying many cards, in spreads of what a card brings. Without it a policy is soon so sure of itself that there
is nothing left to learn from, and only noise moves it."""


@dataclass
class Turn:
    """The plays of all seats that learn in one turn: the first axis is over the tables and seats together."""

    features: Array
    """(learning seats of all tables, cards, numbers)."""
    chances: Array
    """(learning seats, cards): the probability with which each card was drawn."""
    chosen: NDArray[np.int64]
    """(learning seats,): the place in the hand of the card drawn."""
    rewards: Array
    """(learning seats,)."""


def new_network(sizes: Sequence[int], random: np.random.Generator) -> Policy:
    """An untrained network with layers of these sizes between its inputs and its output."""
    all_sizes = [cards.SIZE, *sizes, 1]
    weights = [
        (random.normal(size=(size, following)) / np.sqrt(size)).astype(np.float32)
        for size, following in pairwise(all_sizes)
    ]
    weights[-1] *= 0.1
    return Policy("cards", weights, [np.zeros(size, np.float32) for size in all_sizes[1:]], "tanh")


def play(
    env: Deals,
    policy: Policy,
    random: np.random.Generator,
    seed: int,
    others: Sequence[Policy] = (),
    share: float = 0.0,
) -> list[Turn]:
    """Play a deal at every table by the policy, with one of `others` on a `share` of the seats, not on all of a table."""
    env.reset(seed)
    seated = np.full((env.count, env.learners), -1)
    if others:
        drawn = random.integers(len(others), size=seated.shape)
        seated = np.where(random.random(seated.shape) < share, drawn, seated)
        seated[np.arange(env.count), random.integers(env.learners, size=env.count)] = -1
    seats = seated.ravel()
    learns = seats < 0
    turns = []
    over = False
    while not over:
        features = env.features().reshape(-1, env.left, cards.SIZE)
        seen = features[learns]
        chances = softmax(policy.run(seen)[..., 0])
        chosen = (chances.cumsum(1) < random.random((len(chances), 1))).sum(1).clip(max=env.left - 1)
        places = np.zeros(len(seats), np.int64)
        places[learns] = chosen
        for number, other in enumerate(others):
            at = np.flatnonzero(seats == number)
            places[at] = other.run(features[at])[..., 0].argmax(1)
        played = np.take_along_axis(env.hands, places.reshape(env.count, env.learners, 1), 2)[..., 0]
        rewards, over = env.step(played)
        turns.append(Turn(seen, chances, chosen, rewards.ravel()[learns]))
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
        self.means = [np.zeros_like(array) for array in arrays]
        self.squares = [np.zeros_like(array) for array in arrays]
        self.steps = 0

    def step(self, gradients: Sequence[Array], rate: float) -> None:
        """Move all arrays in place, uphill."""
        self.steps += 1
        for array, mean, square, slope in zip(self._arrays, self.means, self.squares, gradients, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            unbiased = mean / (1 - 0.9**self.steps)
            array += rate * unbiased / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)
