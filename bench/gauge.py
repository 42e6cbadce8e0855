"""What `bullring gauge` is worth, on simulated strangers: is it unbiased, do its intervals hold, and what do they save?

The strangers sit among the house in matches played by the rules engine without a referee; everything else is what the command uses:
the house, the luck from the record, the adjusted mean. `python -m bench.gauge --help` says what can be chosen.

* The stranger `house` is the null: it plays like the house, so its heads and Elo are 0 and its share is 1/2 exactly.
* Coverage: how often the 95 % interval of so many matches holds the truth, over samples drawn from all matches of a stranger, whose
  mean is then the truth; for the null also over separate samples, with the truth that is known.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullring.arena.house.luck import luck
from bullring.arena.house.moves import chances
from bullring.arena.house.onward import Onward, fastest
from bullring.arena.house.player import house_player
from bullring.arena.playouts import values
from bullring.arena.records.reading import Lines
from bullring.arena.rules.game import Batch, Game
from bullring.arena.rules.registry import find
from bullring.ladder.rating.control import adjusted
from bullring.ladder.running.planning import rated_options

Floats = NDArray[np.float64]
Decide = Callable[[Game[Any], Any, int, random.Random], Any]
"""Chooses for request number `index` of a state."""


def _likeliest(game: Game[Any], state: Any, index: int, chance: random.Random) -> Any:
    batch: Batch = state.pending
    weights = chances(game, game.view(state, batch.seats[index]), batch.kind, batch.options[index])
    return batch.options[index][weights.index(max(weights))]


def _random(game: Game[Any], state: Any, index: int, chance: random.Random) -> Any:
    return chance.choice(state.pending.options[index])


def _house(game: Game[Any], state: Any, index: int, chance: random.Random) -> Any:
    batch: Batch = state.pending
    return chance.choices(
        batch.options[index], chances(game, game.view(state, batch.seats[index]), batch.kind, batch.options[index])
    )[0]


def _cheapest(game: Game[Any], state: Any, index: int, chance: random.Random) -> Any:
    return game.fallback(state, index)


def _montecarlo(game: Game[Any], state: Any, index: int, chance: random.Random) -> Any:
    """Flat Monte-Carlo: the option with the fewest heads in playouts with hidden cards drawn anew."""
    batch: Batch = state.pending
    options = batch.options[index]
    if len(options) == 1:
        return options[0]
    found = values(
        game, state, batch.seats[index], options, policy="noisy", count=PLAYOUTS, seed=chance.getrandbits(40)
    )
    own = found[:, :, batch.seats[index]].astype(float) - found.mean(axis=2)
    return options[int(own.mean(axis=0).argmin())]


@cache
def _bot() -> Any:
    """The bot strong of this repository, with `STRONG` playouts an option instead of a clock."""
    folder = str(Path(__file__).parents[1] / "sample_bots/python/strong")
    sys.path.insert(0, folder)  # its modules import one another by their plain names
    return import_module("bot").Strong(STRONG)


def _strong(game: Game[Any], state: Any, index: int, chance: random.Random) -> Any:
    batch: Batch = state.pending
    bot = _bot()
    bot.welcome({"game": game.id, "options": game.options, "seats": game.seats, "seed": chance.getrandbits(40)})
    view = game.view(state, batch.seats[index])
    return bot.decide({"kind": batch.kind, "options": batch.options[index], "view": view, "time": {"limit_us": 0}})


STRANGERS: dict[str, Decide] = {
    "house": _house,
    "random": _random,
    "cheapest": _cheapest,
    "greedy": _likeliest,
    "montecarlo": _montecarlo,
    "strong": _strong,
}
PLAYOUTS = 20
"""Playouts for each option of the stranger `montecarlo`."""
STRONG = 200
"""The same of `strong`."""

APART = 50
"""Matches of a separate gauge of the null."""


def match(game: Game[Any], stranger: Decide, chance: random.Random) -> tuple[Lines, int]:
    """A match of a stranger among the house. Returns its record and the stranger's seat."""
    seat = chance.randrange(game.seats)
    house = house_player(game, chance.random)
    head = {"bullring": 2, "game": game.id, "options": game.options, "seats": ["x"] * game.seats, "start": game.start}
    entries: list[dict[str, Any]] = [{**head, "commitment": f"{chance.getrandbits(128):x}"}]
    state = game.new()
    while state.pending is not None:
        batch = state.pending
        if not isinstance(batch, Batch):
            cards = [*batch.deck]
            chance.shuffle(cards)
            entries.append({"deal": cards[: batch.cards]})
            game.advance_deal(state, cards[: batch.cards])
            continue
        answers = []
        for index, (of, options) in enumerate(zip(batch.seats, batch.options, strict=True)):
            if of == seat:
                answers.append(stranger(game, state, index, chance))
            else:
                answers.append(house({"kind": batch.kind, "options": options, "view": game.view(state, of)}))
        entries.append({"answers": answers, "us": [0] * len(answers)})
        game.advance(state, answers)
    entries.append({"end": {"scores": list(state.scores), "ranks": [1] * game.seats, "void": None}})
    return Lines("".join(json.dumps(entry) + "\n" for entry in entries).encode()), seat


def sample(game: Game[Any], stranger: Decide, matches: int, seed: int, count: int, onward: Onward) -> Floats:
    """Results and luck as (matches, 3, 2): result, deal, draws; heads, share."""
    found = np.empty((matches, 3, 2))
    for number in range(matches):
        one = luck(*match(game, stranger, random.Random(f"{seed} {number}")), count=count, onward=onward)
        found[number] = one.result, one.deal, one.draws
    return found


def coverage(part: Floats, truth: float, size: int, samples: int, chance: np.random.Generator | None) -> float:
    """The share of adjusted intervals of `size` matches that hold the truth; matches drawn by chance, or else one after another."""
    hits = 0
    for number in range(samples):
        few = (
            chance.integers(0, len(part), size) if chance is not None else np.arange(number * size, (number + 1) * size)
        )
        mean = adjusted(part[few, 0], part[few, 1:]).adjusted
        hits += mean.low <= truth <= mean.high
    return hits / samples


def report(name: str, found: Floats, size: int, samples: int) -> None:
    """Print what the matches of a stranger say."""
    for at, outcome in enumerate(("heads", "share")):
        part = found[:, :, at]
        made = adjusted(part[:, 0], part[:, 1:])
        print(f"{name}, {outcome}:")
        print(f"  raw      {made.raw.value:+.3f} ± {made.raw.half:.3f}")
        print(f"  adjusted {made.adjusted.value:+.3f} ± {made.adjusted.half:.3f}")
        if made.gain is not None:
            print(f"  gain     {made.gain.value:.2f} ({made.gain.low:.2f} to {made.gain.high:.2f})")
        print(f"  luck     deal {made.alarms[0]:+.1f} SE, draws {made.alarms[1]:+.1f} SE from 0;", end=" ")
        print(f"coefficients {made.coefficients[0]:.2f} and {made.coefficients[1]:.2f}")
        share = coverage(part, made.adjusted.value, size, samples, np.random.default_rng(1))
        print(f"  coverage {share:.1%} in {samples} gauges of {size} matches, drawn from these")
        if name == "house":
            apart = len(found) // APART
            wrong = 1 - coverage(part, (0.0, 0.5)[at], APART, apart, None)
            print(f"  false alarms {wrong:.1%} in {apart} separate gauges of {APART} matches")


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and report."""
    parser = argparse.ArgumentParser(prog="python -m bench.gauge", description=__doc__)
    parser.add_argument(
        "strangers", nargs="*", default=["house", "random", "greedy"], help=f"of {', '.join(STRANGERS)}"
    )
    parser.add_argument("--game", default="standard")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--playouts", type=int, help="for each option of the house; default: what the command takes")
    parser.add_argument("--size", type=int, default=300, help="matches of a gauge, for the coverage")
    parser.add_argument("--samples", type=int, default=2000, help="gauges drawn, for the coverage")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    game = find(given.game)(given.seats, rated_options(find(given.game), {}))
    onward, count = fastest(game)
    count = given.playouts or count
    print(
        f"{game.id}, {game.seats} seats, {given.matches} matches, {count} playouts an option by {type(onward).__name__}"
    )
    for name in given.strangers:
        report(name, sample(game, STRANGERS[name], given.matches, given.seed, count, onward), given.size, given.samples)


if __name__ == "__main__":
    main()
