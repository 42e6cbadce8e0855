"""Train the network of @quick by playing against itself, and write `weights.npz`.

    python train.py [--rounds 1500] [--to weights.npz] [--seed 1]

Needs only numpy, and one core for about five minutes. Every round plays some hundred deals at tables of 2 to 10
seats, at a fifth of them with the short deck of the tactics game. Most seats are the network's, which tries other cards now and
then; the others are greedy's, so that it knows such rivals, too. Then the network learns, for each card it played, the
heads that it took from there to the end of the deal, less the mean of the others: the deep Monte-Carlo of DouZero (Zha et al.,
2021), with returns that lean on the network's own forecast of the next turn, as in TD(lambda).
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import numpy as np
from network import CARD, FULL, HEADS, HIGHEST, STATE, Array, Cards, Hands, Network, look
from numpy.random import Generator

WIDE, DEEP = 96, 48
"""The sizes of the hidden layers."""

SEATS, OFTEN = (2, 3, 4, 5, 6, 8, 10), (0.13, 0.1, 0.37, 0.1, 0.1, 0.1, 0.1)
"""Table sizes, and how often they are played."""

SHORT, RIVALS, BLIND = 0.2, 0.25, 0.02
"""The shares of rounds with the short deck, of seats that greedy has, and of cards that are played blindly."""

TRUST = 0.9
"""Lambda: how far the heads that were taken later count more than the forecast of the next turn."""

NOISE, RATE = (0.7, 0.1), (2e-3, 5e-5)
"""First and last values: heads by which cards are misjudged while exploring, and the learning rate."""

SEATS_A_ROUND, MINIBATCH = 3200, 1000
HURRY = 0.02
"""As in greedy."""


class Tables:
    """Many deals of the standard game side by side, by table. A low card takes the row with the fewest heads."""

    def __init__(self, random: Generator, count: int, seats: int, short: bool) -> None:
        deck = 10 * seats + 4 if short else HIGHEST
        cards = random.random((count, deck)).argsort(axis=1) + 1
        self.hands: Cards = np.sort(cards[:, : 10 * seats].reshape(count, seats, 10), axis=2)
        self.ends: Cards = np.sort(cards[:, 10 * seats : 10 * seats + 4], axis=1)
        self.lengths: Cards = np.ones((count, 4), dtype=np.int64)
        self.heads: Cards = HEADS[self.ends]
        self.hidden = np.zeros((count, HIGHEST + 1), dtype=bool)
        """Whether a card has not been seen by everybody."""
        self.hidden[:, 1 : deck + 1] = True
        np.put_along_axis(self.hidden, self.ends, False, axis=1)

    def look(self) -> Hands:
        """All hands of all tables, seat by seat."""
        count, seats, size = self.hands.shape
        cards = self.hands.reshape(count * seats, size)
        unseen = np.repeat(self.hidden, seats, axis=0)
        np.put_along_axis(unseen, cards, False, axis=1)
        return Hands(
            seats, cards, unseen, *(np.repeat(own, seats, axis=0) for own in (self.ends, self.lengths, self.heads))
        )

    def play(self, chosen: Cards) -> Cards:
        """Play a turn. `chosen` are places in the hands, (tables, seats). Returns the heads that are taken, likewise."""
        count, seats, size = self.hands.shape
        at = np.arange(count)
        cards = np.take_along_axis(self.hands, chosen[:, :, None], axis=2)[:, :, 0]
        self.hands = self.hands[np.arange(size) != chosen[:, :, None]].reshape(count, seats, size - 1)
        np.put_along_axis(self.hidden, cards, False, axis=1)
        order = cards.argsort(axis=1)
        taken = np.zeros((count, seats), dtype=np.int64)
        self.begin_rows(cards, order[:, 0], taken)
        for turn in range(seats):
            seat = order[:, turn]
            card = cards[at, seat]
            home = (card[:, None] > self.ends).sum(axis=1)
            fits = np.flatnonzero(home)  # all except the low cards, which have just begun a row
            row, card, seat = home[fits] - 1, card[fits], seat[fits]
            full, heads = self.lengths[fits, row] == FULL, self.heads[fits, row]
            taken[fits, seat] = np.where(full, heads, taken[fits, seat])
            self.heads[fits, row] = HEADS[card] + np.where(full, 0, heads)
            self.lengths[fits, row] = np.where(full, 1, self.lengths[fits, row] + 1)
            self.ends[fits, row] = card
        return taken

    def begin_rows(self, cards: Cards, lowest: Cards, taken: Cards) -> None:
        """Let the lowest cards that fit nowhere take the row with the fewest heads and begin it anew. Rows stay sorted."""
        card = cards[np.arange(len(cards)), lowest]
        low = np.flatnonzero(card < self.ends[:, 0])
        row = self.heads[low].argmin(axis=1)
        taken[low, lowest[low]] = self.heads[low, row]
        places = np.arange(4)
        source = np.where((places > 0) & (places <= row[:, None]), places - 1, places)
        for figures, first in ((self.ends, card), (self.lengths, np.ones_like(card)), (self.heads, HEADS[card])):
            moved = np.take_along_axis(figures[low], source, axis=1)
            moved[:, 0] = first[low]
            figures[low] = moved


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


def played(
    network: Network, random: Generator, tables: Tables, noise: float, trust: float
) -> tuple[Array, Array, Array]:
    """Play these deals to the end. Returns table, card and target of each card that the network played."""
    count, seats, turns = tables.hands.shape
    greedy = random.random((count, seats)) < RIVALS
    greedy[:, 0] = False
    others = greedy.reshape(-1)
    asked: list[tuple[Array, Array]] = []
    forecasts, rewards = [], []
    for _ in range(turns):
        hands = tables.look()
        state, card, price = look(hands)
        value = network.values(state, card)
        forecasts.append(value.min(axis=1).reshape(count, seats))
        tried = value + noise * random.gumbel(size=value.shape)
        blind = random.random(len(value)) < BLIND
        tried[blind] = random.random((int(blind.sum()), value.shape[1]))
        tried[others] = (price - HURRY * hands.cards)[others]
        chosen = tried.argmin(axis=1)
        asked.append((state, card[np.arange(len(card)), chosen]))
        taken = tables.play(chosen.reshape(count, seats))
        rewards.append(taken - (taken.sum(axis=1, keepdims=True) - taken) / (seats - 1))
    target = forecast = np.zeros((count, seats))
    seen = []
    for (state, card), reward, own in zip(reversed(asked), reversed(rewards), reversed(forecasts), strict=True):
        target = reward + trust * target + (1 - trust) * forecast
        forecast = own
        seen.append((state[~others], card[~others], target.reshape(-1)[~others].astype(np.float32)))
    states, cards, targets = (np.concatenate(part) for part in zip(*seen, strict=True))
    return states, cards, targets


def lead(network: Network, random: Generator, seats: int, count: int = 2000) -> tuple[float, float]:
    """Elo by which the network leads greedy at tables that each has half of, and half the width of its 95 % interval."""
    tables = Tables(random, count, seats, short=False)
    mine = random.random((count, seats)).argsort(axis=1) < seats // 2
    total = np.zeros((count, seats))
    while tables.hands.shape[2]:
        hands = tables.look()
        state, card, price = look(hands)
        score = np.where(mine.reshape(-1, 1), network.values(state, card), price - HURRY * hands.cards)
        total += tables.play(score.argmin(axis=1).reshape(count, seats))
    ahead = (np.sign(total[:, None, :] - total[:, :, None]) + 1) / 2
    rivals = mine[:, :, None] & ~mine[:, None, :]
    shares = (ahead * rivals).sum(axis=(1, 2)) / rivals.sum(axis=(1, 2))
    share, error = shares.mean(), 1.96 * shares.std() / count**0.5
    return 400 * float(np.log10(share / (1 - share))), 400 / float(np.log(10)) * error / (share * (1 - share))


def train(rounds: int, seed: int) -> Network:
    """A trained network. Tells how strong it is from time to time."""
    random = np.random.default_rng(seed)
    network = fresh(random)
    adam, begin = Adam(network.weights), process_time()
    for number in range(rounds):
        done = number / rounds
        seats = int(random.choice(SEATS, p=OFTEN))
        tables = Tables(random, SEATS_A_ROUND // seats, seats, short=bool(random.random() < SHORT))
        noise, rate = (first + (last - first) * done for first, last in (NOISE, RATE))
        state, card, target = played(network, random, tables, noise, TRUST if done > 0.1 else 1.0)
        for part in np.array_split(random.permutation(len(target)), len(target) // MINIBATCH):
            learn(network, adam, state[part], card[part], target[part], rate)
        if (number + 1) % max(1, rounds // 10) == 0:
            elo, error = lead(network, np.random.default_rng(0), seats=4)
            spent = process_time() - begin
            print(f"{spent:4.0f} s: {elo:+.0f} ± {error:.0f} Elo against greedy at four seats", flush=True)
    return network


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, write the weights, and print what they are worth."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1500)
    parser.add_argument("--to", type=Path, default=Path(__file__).with_name("weights.npz"))
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    train(asked.rounds, asked.seed).save(asked.to)
    network = Network.load(asked.to)
    for seats in (2, 4, 6, 10):
        elo, error = lead(network, np.random.default_rng(asked.seed), seats, count=4000)
        print(f"{seats} seats: {elo:+.0f} ± {error:.0f} Elo against greedy")


if __name__ == "__main__":
    main()
