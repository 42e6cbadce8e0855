"""The training environments: turns per second of CPU of deals side by side, and decisions per second of one match."""

import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console

from bench.figures import Target, alone, interleaved, spread, table
from bullring.train.aec import aec_env
from bullring.train.batch import vector_env
from bullring.train.parallel import parallel_env
from bullring.train.vector import Deals

SEATS = 4
TABLES = 4096
SECONDS = 1.0
WANTED = 300_000
"""Turns of deals side by side per second."""

STEPS = 1_000_000
"""Decisions of seats per second in gymnasium's vector API."""

TIMES = 20
"""That over those of the parallel environment."""

VECTOR, PARALLEL = "gymnasium's vector API, all seats learn", "the parallel environment: decisions of one match"

LOWEST = "deals side by side: the lowest card of every hand"


def deals(opponents: int, features: bool) -> float:
    """Turns per second of all tables; learners play their lowest card, the last seats by the policy greedy."""
    env = Deals("standard", SEATS, count=TABLES, opponents=["greedy"] * opponents)
    turns = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        env.reset()
        over = False
        while not over:
            if features:
                env.features()
            _, over = env.step(env.hands[:, :, 0])
            turns += TABLES
    return turns / spent


def vector(opponents: int) -> float:
    """Decisions of learners per second of gymnasium's vector API, observations and masks included."""
    env = vector_env("standard", SEATS, tables=TABLES, opponents=["greedy"] * opponents)
    actions = np.zeros(env.num_envs, np.int64)
    steps = 0
    env.reset(seed=1)
    began = time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        env.step(actions)
        steps += env.num_envs
    return steps / spent


def parallel() -> float:
    """Decisions per second of the parallel environment, observations and masks included."""
    env = parallel_env("standard", SEATS)
    decisions = 0
    seen: dict[str, Any] = {}
    began = time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        if not env.agents:
            seen, _ = env.reset(seed=decisions)
        actions = {agent: int(np.flatnonzero(seen[agent]["action_mask"])[0]) for agent in env.agents}
        seen, *_ = env.step(actions)
        decisions += len(actions)
    return decisions / spent


def match() -> float:
    """Decisions per second of the AEC environment, observations and masks included."""
    env = aec_env("standard", SEATS)
    decisions = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        if not env.agents:
            env.reset(seed=decisions)
        observation, _, terminated, _, _ = env.last()
        env.step(None if terminated else int(np.flatnonzero(observation["action_mask"])[0]))
        decisions += 1
    return decisions / spent


CASES: dict[str, Callable[[], float]] = {
    LOWEST: partial(deals, 0, False),
    "the same, three seats play greedy": partial(deals, 3, False),
    "the same, with features of all cards of four seats": partial(deals, 0, True),
    VECTOR: partial(vector, 0),
    "the same, one learns and three play greedy": partial(vector, 3),
    PARALLEL: parallel,
    "the AEC environment: decisions of one match": match,
}


def section(console: Console, rounds: int) -> list[Target]:
    """Measure all and print the table."""
    env = Deals("standard", SEATS, count=1, opponents=["greedy"])
    env.reset(1)
    env.step(env.hands[:, :, 0])  # compiled before anything is measured
    vector_env("standard", SEATS, tables=1).reset(seed=1)
    found = interleaved(CASES, rounds)
    shown = table(f"Training, standard, four seats: median (min-max) of {rounds} rounds", "what", "a second of CPU")
    for name, speeds in found.items():
        shown.add_row(name, spread(speeds, 0))
    console.print(shown)
    steps = median(found[VECTOR])
    return [
        Target("turns a second of deals side by side", median(found[LOWEST]), WANTED, "", at_least=True),
        Target("decisions a second in gymnasium's vector API", steps, STEPS, "", at_least=True),
        Target("the same, over the parallel environment", steps / median(found[PARALLEL]), TIMES, "x", at_least=True),
    ]


if __name__ == "__main__":
    alone(section, __doc__, rounds=5)
