"""Train the networks of @quick by playing against themselves and greedy, and write `weights.npz`.

    python train.py [--only large] [--effort 1.0] [--to weights.npz] [--seed 1]

Needs numpy, one core for some minutes, and `bullring[fast]` not to take far longer. Every round plays some hundred deals
in bullring's training environment, a fifth of the rounds with the short deck of the tactics game. About half of the seats are
greedy's, the others the network's, which tries other cards now and then. Then the network learns, for each card it played, the
heads that it took from there to the end of the deal, less the mean of the others: the deep Monte-Carlo of DouZero (Zha et al.,
2021), with returns that lean on the network's own forecast of the next turn, as in TD(lambda).
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import numpy as np
from network import CARD, HIGHEST, STATE, TABLES, Array, Hands, Network, load, look, places, save
from numpy.random import Generator
from numpy.typing import NDArray

from bullring.train.vector import Deals

ROUNDS = {"small": 150, "middle": 250, "large": 350, "full": 350}
"""The training of each network. The more seats, the more luck there is in a deal, and the longer it takes to learn."""

WIDE, DEEP = 96, 48
"""The sizes of the hidden layers."""

SHORT, RIVALS, BLIND = 0.2, 0.5, 0.02
"""The shares of rounds with the short deck, of seats that greedy has, and of cards that are played blindly."""

TRUST = 0.9
"""Lambda: how far the heads that were taken later count more than the forecast of the next turn."""

NOISE, RATE = (0.7, 0.1), (2e-3, 5e-5)
"""First and last values: heads by which cards are misjudged while exploring, and the learning rate."""

SEATS_A_ROUND, MINIBATCH = 4800, 1000
HURRY = 0.02
"""As in greedy."""


def hands(env: Deals, of: NDArray[np.bool_]) -> Hands:
    """The inputs for the seats `of`, (tables, seats), one hand after the other."""
    cards, table = env.hands[of], np.nonzero(of)[0]
    unseen = env.unseen[table, : HIGHEST + 1] > 0
    np.put_along_axis(unseen, cards, False, axis=1)
    rows = np.take_along_axis(env.rows, env.rows[:, :, 1].argsort(axis=1)[:, :, None], axis=1)[table]
    return Hands(env.seats, cards, unseen, rows[:, :, 1], rows[:, :, 2], rows[:, :, 3])


def play(env: Deals, mine: NDArray[np.bool_], places_in_hand: NDArray[np.int64]) -> NDArray[np.float64]:
    """Play a turn: the seats `mine` by these places in their hands, and the others as greedy does.

    Returns the heads that each seat took less the mean of the others, (tables, seats).
    """
    chosen = np.empty((env.count, env.seats), dtype=np.int64)
    chosen[mine] = places_in_hand
    rivals = hands(env, ~mine)
    chosen[~mine] = (places(rivals).price - HURRY * rivals.cards).argmin(axis=1)
    rewards, _ = env.step(np.take_along_axis(env.hands, chosen[:, :, None], axis=2)[:, :, 0])
    return -rewards.astype(np.float64)


def fresh(random: Generator) -> Network:
    """A network that knows nothing."""

    def layer(ins: int, outs: int, scale: float) -> Array:
        return (random.standard_normal((ins, outs)) * scale * (2 / ins) ** 0.5).astype(np.float32)

    layers = {"state": layer(STATE, WIDE, 0.7), "card": layer(CARD, WIDE, 0.7), "middle": layer(WIDE, DEEP, 1)}
    biases = {
        "first": np.zeros(WIDE, np.float32),
        "second": np.zeros(DEEP, np.float32),
        "third": np.zeros(1, np.float32),
    }
    return Network({**layers, "last": layer(DEEP, 1, 0.3), **biases})


class Adam:
    """Gradient descent with momentum, each weight at its own pace (Kingma and Ba, 2015)."""

    def __init__(self, weights: dict[str, Array]) -> None:
        self.weights, self.steps = weights, 0
        self.means = {name: np.zeros_like(weight) for name, weight in weights.items()}
        self.squares = {name: np.zeros_like(weight) for name, weight in weights.items()}

    def step(self, slopes: dict[str, Array], rate: float) -> None:
        """Go down the slopes."""
        self.steps += 1
        for name, slope in slopes.items():
            mean, square = self.means[name], self.squares[name]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            least = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            self.weights[name] -= rate * mean / (1 - 0.9**self.steps) / least


def learn(network: Network, adam: Adam, state: Array, card: Array, target: Array, rate: float) -> None:
    """One step towards the `target` of these cards."""
    w = network.weights
    first = np.maximum(state @ w["state"] + card @ w["card"] + w["first"], 0)
    second = np.maximum(first @ w["middle"] + w["second"], 0)
    error = (second @ w["last"])[:, 0] + w["third"] - target
    out = (error / len(target))[:, None]
    into_second = (out @ w["last"].T) * (second > 0)
    into_first = (into_second @ w["middle"].T) * (first > 0)
    slopes = {
        "last": second.T @ out,
        "middle": first.T @ into_second,
        "state": state.T @ into_first,
        "card": card.T @ into_first,
    }
    sums = {"third": out.sum(axis=0), "second": into_second.sum(axis=0), "first": into_first.sum(axis=0)}
    adam.step({**slopes, **sums}, rate)


def played(network: Network, random: Generator, env: Deals, noise: float, trust: float) -> tuple[Array, Array, Array]:
    """Play these deals to the end. Returns table, card and target of each card that the network played."""
    mine = random.random((env.count, env.seats)) >= RIVALS
    states, cards, forecasts, rewards = [], [], [], []
    while env.left:
        state, card = look(hands(env, mine))
        value = network.values(state, card)
        forecasts.append(value.min(axis=1))
        tried = value + noise * random.gumbel(size=value.shape)
        blind = random.random(len(value)) < BLIND
        tried[blind] = random.random((int(blind.sum()), value.shape[1]))
        chosen = tried.argmin(axis=1)
        states.append(state)
        cards.append(card[np.arange(len(card)), chosen])
        rewards.append(play(env, mine, chosen)[mine])
    targets = []
    target = forecast = np.zeros(int(mine.sum()))
    for reward, own in zip(reversed(rewards), reversed(forecasts), strict=True):
        target = reward + trust * target + (1 - trust) * forecast
        forecast = own
        targets.append(target)
    return np.concatenate(states), np.concatenate(cards), np.concatenate(targets[::-1]).astype(np.float32)


def lead(network: Network, seats: int, count: int, seed: int) -> tuple[float, float]:
    """Elo by which the network leads greedy at tables that each has half of, and half the width of its 95 % interval."""
    env = Deals("standard", seats, count=count)
    env.reset(seed)
    mine = np.random.default_rng(seed).random((count, seats)).argsort(axis=1) < seats // 2
    while env.left:
        play(env, mine, network.values(*look(hands(env, mine))).argmin(axis=1))
    ahead = (np.sign(env.heads[:, None, :] - env.heads[:, :, None]) + 1) / 2
    rivals = mine[:, :, None] & ~mine[:, None, :]
    shares = (ahead * rivals).sum(axis=(1, 2)) / rivals.sum(axis=(1, 2))
    share, error = shares.mean(), 1.96 * shares.std() / count**0.5
    return 400 * float(np.log10(share / (1 - share))), 400 / float(np.log(10)) * error / (share * (1 - share))


def train(sizes: Sequence[int], rounds: int, seed: int) -> Network:
    """A network trained for tables of these sizes. Tells how strong it is from time to time."""
    random = np.random.default_rng(seed)
    network = fresh(random)
    adam, begin = Adam(network.weights), process_time()
    for number in range(rounds):
        done = number / rounds
        seats = int(random.choice(sizes))
        game = "tactics" if random.random() < SHORT else "standard"
        env = Deals(game, seats, count=SEATS_A_ROUND // seats)
        env.reset(int(random.integers(1 << 62)))
        noise, rate = (first + (last - first) * done for first, last in (NOISE, RATE))
        state, card, target = played(network, random, env, noise, TRUST if done > 0.1 else 1.0)
        for part in np.array_split(random.permutation(len(target)), len(target) // MINIBATCH):
            learn(network, adam, state[part], card[part], target[part], rate)
        if (number + 1) % max(1, rounds // 5) == 0:
            told = [f"{lead(network, each, 1000, 0)[0]:+.0f} at {each}" for each in sizes]
            print(f"{process_time() - begin:4.0f} s: Elo against greedy {', '.join(told)} seats", flush=True)
    return network


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, write the weights, and print what they are worth."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", choices=list(TABLES), help="train one network, and keep the others in the file")
    parser.add_argument(
        "--effort", type=float, default=1.0, help="a part or a multiple of the rounds of training (1.0)"
    )
    parser.add_argument("--to", type=Path, default=Path(__file__).with_name("weights.npz"), help="where to write them")
    parser.add_argument("--seed", type=int, default=1, help="for deals and chance (1)")
    asked = parser.parse_args(arguments)
    if asked.only and not asked.to.is_file():
        parser.error(f"--only keeps the other networks of {asked.to}, which is not there; train all of them first")
    networks = load(asked.to) if asked.only else {}
    for name in [asked.only] if asked.only else TABLES:
        rounds = max(1, round(ROUNDS[name] * asked.effort))
        networks.update(dict.fromkeys(TABLES[name], train(TABLES[name], rounds, asked.seed)))
    save(asked.to, networks)
    for seats, network in load(asked.to).items():
        if not asked.only or seats in TABLES[asked.only]:
            elo, error = lead(network, seats, 4000, asked.seed)
            print(f"{seats} seats: {elo:+.0f} ± {error:.0f} Elo against greedy", flush=True)


if __name__ == "__main__":
    main()
