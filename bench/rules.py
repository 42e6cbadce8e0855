"""The rules alone, checked and with history: the standard game beside a plain engine, and all games with random players."""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import median
from typing import Any, cast

from rich.console import Console
from rich.table import Table

from bench import plain_objects
from bench.figures import Target, alone, interleaved, ratios, spread, table
from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.game import Batch, Game, Shuffle
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.rows import RowState
from bullring.arena.games.rules.shuffle import shuffled
from bullring.arena.games.rules.table import cheapest_row
from bullring.arena.games.rules.variants.standard import Standard

SECONDS = 0.25
"""CPU seconds for one run of one engine."""
WANTED = 2.9
"""Least speed relative to plain objects: 13 times that of the environment of rl-6-nimmt, which is 0.22."""
SEATS = 4

GAME = Standard(SEATS, {"deals": 1})
SEED = "5" * 64


def by_sample(shuffle: Shuffle, rng: random.Random) -> list[int]:
    """Cards as simulations deal them: a random sample."""
    return rng.sample(shuffle.deck, shuffle.cards)


def by_seed(shuffle: Shuffle, rng: random.Random) -> list[int]:
    """Cards as the referee deals them: a verifiable shuffle."""
    return shuffled(shuffle.deck, shuffle.cards, SEED, rng.randrange(1000))


def answers(game: Game[RowState], state: RowState, batch: Batch, rng: random.Random) -> list[int]:
    """A random card from each hand, or the cheapest row."""
    if batch.kind == "row":
        return [cheapest_row(state.row_heads) + 1]
    chance, size = rng.random, len(state.hands[0])
    return [hand[int(chance() * size)] for hand in state.hands]


def in_place(deal: Callable[[Shuffle, random.Random], list[int]], rng: random.Random) -> int:
    """A deal as the referee plays it. Returns the total heads."""
    state = GAME.new()
    history: list[Event] = GAME.advance_deal(state, deal(cast("Shuffle", state.pending), rng))
    while isinstance(pending := state.pending, Batch):
        history += GAME.advance(state, answers(GAME, state, pending, rng))
    return sum(state.scores)


def by_value(rng: random.Random) -> int:
    """A deal in which every step makes a new state. Returns the total heads."""
    state = GAME.new()
    state, history = GAME.deal(state, by_sample(cast("Shuffle", state.pending), rng))
    while isinstance(pending := state.pending, Batch):
        state, events = GAME.apply(state, answers(GAME, state, pending, rng))
        history += events
    return sum(state.scores)


def at_random(game: Game[Any], rng: random.Random) -> int:
    """A deal of any game in place, with random answers. Returns the total heads."""
    state, chance, deals = game.new(), rng.random, 0
    history: list[Event] = []
    while deals == 0 or isinstance(state.pending, Batch):
        pending = state.pending
        if isinstance(pending, Batch):
            history += game.advance(state, [options[int(chance() * len(options))] for options in pending.options])
        else:
            deals += 1
            history += game.advance_deal(state, by_sample(pending, rng))
    return sum(state.scores)


CASES: dict[str, Callable[[random.Random], int]] = {
    "plain objects": plain_objects.play,
    "Game.apply (value)": by_value,
    "Game.advance (in place)": partial(in_place, by_sample),
    "Game.advance, cards dealt by the seed": partial(in_place, by_seed),
}


def speed(play: Callable[[random.Random], int]) -> tuple[float, float]:
    """Deals per second, and the mean heads per seat, on which engines of the same game must agree."""
    rng, deals, total = random.Random(1), 0, 0
    began = time.process_time()  # CPU time, because others may run on the same core
    while time.process_time() - began < SECONDS:
        for _ in range(5):
            total += play(rng)
        deals += 5
    return deals / (time.process_time() - began), total / deals / SEATS


def fill(shown: Table, found: Mapping[str, Sequence[tuple[float, float]]], floor: str) -> list[float]:
    """Add a row for each case, with its ratio to the case `floor`. Returns the speeds of the floor."""
    below = [run[0] for run in found[floor]]
    for name, runs in found.items():
        speeds = [run[0] for run in runs]
        shown.add_row(name, spread(speeds, 0), spread(ratios(speeds, below)), f"{median([run[1] for run in runs]):.2f}")
    return below


def section(console: Console, rounds: int) -> list[Target]:
    """Measure all engines and print the table."""
    found = interleaved({name: partial(speed, play) for name, play in CASES.items()}, rounds)
    shown = table(
        f"Rules: deals per second of CPU, four random players, checked, with history: median (min-max) of {rounds} rounds",
        *("engine", "deals/s", "v plain objects", "mean heads of a seat"),
    )
    floor = fill(shown, found, "plain objects")
    console.print(shown)
    console.print(all_games(rounds))
    best = median(ratios([run[0] for run in found["Game.advance (in place)"]], floor))
    return [Target("rules in place v plain objects", best, WANTED, at_least=True)]


def all_games(rounds: int) -> Table:
    """A table of deals per second of each game, with four random players."""
    cases = {name: partial(speed, partial(at_random, kind(SEATS))) for name, kind in GAMES.items()}
    found = interleaved(cases, rounds)
    shown = table(
        f"Rules of all games: deals per second of CPU, {SEATS} random players, in place: median (min-max) of {rounds} rounds",
        *("game", "deals/s", "v standard", "mean heads of a seat"),
    )
    fill(shown, found, "standard")
    return shown


if __name__ == "__main__":
    alone(section, __doc__, rounds=9)
