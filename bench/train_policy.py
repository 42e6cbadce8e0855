"""Learn the weights of the policy trained from searches by playouts, and write them into the simulator.

    python -m bench.train_policy [--policy trained] [--deals 480] [--games standard professional] [--seats 2 4 6 10]

Deals of a game in which every seat searches: each option is tried in the same playouts by `--policy`. A softmax of the
options' mean losses is what the weights, a softmax as well, are fitted to, by gradients of the cross entropy (Adagrad; Duchi, Hazan
and Singer, 2011). Begin with ``--policy noisy --fresh``, then repeat with the policy just learned: its playouts are better, and so
is what it learns from them.
"""

import argparse
import math
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from bullring.arena.games.rules.game import Batch, Shuffle
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.shuffle import shuffled
from bullring.arena.games.simulator import Position, playouts, position
from bullring.arena.games.simulator import trained as layout
from bullring.arena.games.simulator.policies import count_lower
from bullring.arena.games.simulator.table import new_table
from bullring.arena.games.simulator.weights import WEIGHTS

FILE = Path(__file__).resolve().parent.parent / "arena" / "games" / "simulator" / "weights.py"
TEMPERATURE, RATE, RIVALS = 0.7, 0.1, 0.3
"""The temperature of the softmax of losses, in heads; the rate of steps; the weight of a head of an average rival."""

Numbers = NDArray[np.float64]


class Learner:
    """The weights for a game and a number of seats."""

    def __init__(self, weights: Numbers) -> None:
        self.weights = weights
        self.squares = np.ones(layout.LENGTH)
        self.distances: list[tuple[float, float]] = []
        """By decision, how far from what is wanted an even choice is, and ours: Kullback-Leibler divergences in nats."""

    def learn(self, places: NDArray[np.int64], factors: Numbers, wanted: Numbers) -> None:
        """Take a step. `places` and `factors` are (cards, 4): which weights make up the worth of each card, and how often."""
        worth = (self.weights[places] * factors).sum(1)
        chosen = np.exp(worth - worth.max())
        chosen /= chosen.sum()
        known = -float(np.log(wanted + 1e-12) @ wanted)
        self.distances.append((math.log(len(wanted)) - known, -float(np.log(chosen + 1e-12) @ wanted) - known))
        gradient = np.zeros(layout.LENGTH)
        np.add.at(gradient, places, (chosen - wanted)[:, None] * factors)
        self.squares += gradient**2
        self.weights -= RATE * gradient / np.sqrt(self.squares)


def features(here: Position) -> tuple[NDArray[np.int64], Numbers]:
    """For each card of the hand, its weights and their factors, as the policy has them."""
    left, seats = len(here.hand), here.spec.seats
    table = new_table(seats, left)
    table.rows[:] = here.rows.reshape(table.rows.shape)
    table.unseen[:] = here.unseen
    count_lower(table)
    places, factors = [], []
    for at, card in enumerate(here.hand):
        room, flow, heads = layout.look(here.spec.rule, table, here.hand, at, left, 0, seats - 1)
        cell = room * layout.FLOWS + flow
        number = layout.NUMBER_AT + left * layout.NUMBERS + int(card) // 8
        places.append((cell, layout.HEADS_AT + cell, number, layout.ROOM_AT + room * 11 + left))
        factors.append((1.0, heads / 5, 1.0, 1.0))
    return np.array(places), np.array(factors)


def deal(name: str, seats: int, seed: str, policy: str, count: int, learner: Learner, chance: Random) -> None:
    """Play a deal, and learn from every choice of a card."""
    game = GAMES[name](seats, {"deals": 1})
    state = game.new()
    while isinstance(waits := state.pending, Shuffle | Batch):
        if isinstance(waits, Shuffle):
            game.advance_deal(state, shuffled(waits.deck, waits.cards, seed, state.deal + 1))
            continue
        answers = []
        for seat, options in zip(waits.seats, waits.options, strict=True):
            if len(options) == 1:
                answers.append(options[0])
                continue
            here = position(game.id, game.options, seats, game.view(state, seat), waits.kind)
            noise = 6.0 if policy == "noisy" else 1.0
            asked = [option for option in options if isinstance(option, int)]
            heads = playouts(here, asked, policy, count, chance.getrandbits(60), noise=noise).mean(0)
            own = heads[:, seat]
            losses = own - RIVALS * (heads.sum(1) - own) / (seats - 1)
            if waits.kind == "card":
                wanted = np.exp((losses.min() - losses) / TEMPERATURE)
                learner.learn(*features(here), wanted / wanted.sum())
            answers.append(options[int(losses.argmin())])
        game.advance(state, answers)


def write(found: Mapping[str, Mapping[int, Numbers]]) -> None:
    """Write the module that the simulator imports."""
    lines = [
        '"""The weights of the trained policy, in hundredths; made by `bench/train_policy.py`."""',
        "",
        "_TEXTS = {",
    ]
    for game, tables in found.items():
        lines.append(f'    "{game}": {{')
        for seats, weights in sorted(tables.items()):
            numbers = [f"{round(100 * weight)}" for weight in weights]
            rows = [" ".join(numbers[at : at + 16]) for at in range(0, len(numbers), 16)]
            lines += [f'        {seats}: """', *rows, '        """,']
        lines.append("    },")
    told = '"""By game and number of seats."""'
    parse = (
        "{seats: tuple(map(int, text.split())) for seats, text in tables.items()} for game, tables in _TEXTS.items()"
    )
    lines += ["}", "", f"WEIGHTS = {{game: {parse}}}", told, ""]
    FILE.write_text("\n".join(lines), "utf-8")


def main() -> None:
    """Learn, and write what was learned."""
    parser = argparse.ArgumentParser(description="Learn the weights of the policy trained.")
    parser.add_argument("--policy", default="trained", help="of the playouts")
    parser.add_argument("--fresh", action="store_true", help="forget the weights there are")
    parser.add_argument("--deals", type=int, default=480, help="for four seats; as many choices for other numbers")
    parser.add_argument("--playouts", type=int, default=100, help="for each option")
    parser.add_argument("--games", nargs="+", default=list(WEIGHTS), choices=list(WEIGHTS))
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 4, 6, 10])
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    found = {game: {seats: np.array(old) / 100 for seats, old in tables.items()} for game, tables in WEIGHTS.items()}
    for game, seats in product(args.games, args.seats):
        nearest = min(found[game], key=lambda known: abs(known - seats))
        learner = Learner(np.zeros(layout.LENGTH) if args.fresh else found[game][nearest].copy())
        chance = Random(args.seed)
        for number in range(math.ceil(4 * args.deals / seats)):
            deal(game, seats, f"{args.seed} {seats} {number}", args.policy, args.playouts, learner, chance)
        even, ours = np.sum(learner.distances[len(learner.distances) // 2 :], axis=0)
        print(
            f"{game}, {seats} seats: {len(learner.distances)} choices, {1 - ours / even:.0%} of what there is to know",
            flush=True,
        )
        found[game][seats] = learner.weights
    write(found)


if __name__ == "__main__":
    main()
