"""The rules alone: checked, with history, four random players, a low card takes the cheapest row."""

import argparse
import random
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import cast

from rich.console import Console

from arena.rules.game import Batch, Event, Game, Shuffle
from arena.rules.rows import RowState
from arena.rules.shuffle import shuffled
from arena.rules.table import cheapest_row
from arena.rules.variants.standard import Standard
from bench import plain_objects
from bench.figures import Target, interleaved, ratios, spread, table, wide_console

SECONDS = 0.25
"""For one run of one engine."""
WANTED = 2.2

GAME = Standard(4, {"deals": 1})
SEED = "5" * 64


def by_sample(shuffle: Shuffle, rng: random.Random) -> list[int]:
    """Cards for who simulates."""
    return rng.sample(shuffle.deck, shuffle.cards)


def by_seed(shuffle: Shuffle, rng: random.Random) -> list[int]:
    """Cards as the referee deals them: a shuffle that can be verified."""
    return shuffled(shuffle.deck, shuffle.cards, SEED, rng.randrange(1000))


def answers(game: Game[RowState], state: RowState, batch: Batch, rng: random.Random) -> list[int]:
    """A random card of each hand, or the cheapest row."""
    if batch.kind == "row":
        return [cheapest_row(state.row_heads) + 1]
    return [rng.choice(hand) for hand in state.hands]


def in_place(deal: Callable[[Shuffle, random.Random], list[int]], rng: random.Random) -> int:
    """A deal as the referee plays it; returns the heads of all."""
    state = GAME.new()
    history: list[Event] = GAME.advance_deal(state, deal(cast("Shuffle", state.pending), rng))
    while isinstance(pending := state.pending, Batch):
        history += GAME.advance(state, answers(GAME, state, pending, rng))
    return sum(state.scores)


def by_value(rng: random.Random) -> int:
    """A deal in which each step makes a new state; returns the heads of all."""
    state = GAME.new()
    state, history = GAME.deal(state, by_sample(cast("Shuffle", state.pending), rng))
    while isinstance(pending := state.pending, Batch):
        state, events = GAME.apply(state, answers(GAME, state, pending, rng))
        history += events
    return sum(state.scores)


CASES: dict[str, Callable[[random.Random], int]] = {
    "plain objects": plain_objects.play,
    "Game.apply (value)": by_value,
    "Game.advance (in place)": partial(in_place, by_sample),
    "Game.advance, cards dealt by the seed": partial(in_place, by_seed),
}


def speed(play: Callable[[random.Random], int]) -> tuple[float, float]:
    """Deals per second, and the mean heads of a seat: engines that play the same game agree on these."""
    rng, deals, total = random.Random(1), 0, 0
    began = time.process_time()  # not the wall's: others may run on the same core
    while time.process_time() - began < SECONDS:
        for _ in range(20):
            total += play(rng)
        deals += 20
    return deals / (time.process_time() - began), total / deals / 4


def section(console: Console, rounds: int) -> list[Target]:
    """Measure all engines, print the table."""
    found = interleaved({name: partial(speed, play) for name, play in CASES.items()}, rounds)
    shown = table(
        f"Rules: deals per second of CPU, four random players, checked, with history: median (least-most) of {rounds} rounds",
        *("engine", "deals/s", "v plain objects", "mean heads of a seat"),
    )
    floor = [run[0] for run in found["plain objects"]]
    for name, runs in found.items():
        speeds = [run[0] for run in runs]
        shown.add_row(name, spread(speeds, 0), spread(ratios(speeds, floor)), f"{median([run[1] for run in runs]):.2f}")
    console.print(shown)
    best = median(ratios([run[0] for run in found["Game.advance (in place)"]], floor))
    return [Target("rules in place v plain objects", best, WANTED, at_least=True)]


def main() -> None:
    """Print this table alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    section(wide_console(), parser.parse_args().rounds)


if __name__ == "__main__":
    main()
