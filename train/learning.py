"""A course of self-play that can be interrupted, kept and continued: what `bullring train` follows.

The file of a course is that of its policy (`bullring.train.policy.network`), with these arrays beside it:

=============================== ==================================================================================================
``course``                      JSON: "format" (1), "game", "seats", "tables", "seed", "deals", "seconds", "random" (the state of
                                numpy's generator), "steps" (of Adam) and "measured" (`Measured`, as lists)
``mean_0``, ``square_0``, ...   those of Adam, for the weights of all layers and then the biases
``earlier_0_0``, ...            the league: for each checkpoint, the weights of all layers and then the biases
=============================== ==================================================================================================
"""

import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullring.arena.study.house.moves import TEMPERATURE
from bullring.errors import BotError
from bullring.train.policy.network import Policy
from bullring.train.selfplay import CURIOSITY, RATE, Adam, Array, gradient, new_network, play
from bullring.train.vector import Deals

TABLES = 1024
"""Deals that are played side by side, for one step."""

LAYERS = (32, 32)

LEAGUE = 8
"""Checkpoints, at most, that the policy meets."""

SHARE = 0.3
"""The share of seats that they play."""

TIMES = 20
"""How often in a course the policy is measured, and joins the league."""

MEASURED = 8192
"""Deals of a measurement."""

FORMAT = 1

Choice = Callable[[Deals], NDArray[np.int64]]
"""Chooses a card of the first seat of each table, (count,)."""


class Measured(NamedTuple):
    """The strength of a policy at one moment of its course."""

    deals: int
    """Deals from which it has learned."""
    seconds: float
    """Processor time that it has taken, measuring included."""
    elo: float
    """Against the house of `bullring gauge`, by its places in deals of the simulator."""
    error: float
    """Half of the 95 % interval."""


def against_house(choose: Choice, game: str, seats: int, count: int, seed: int = 1) -> tuple[float, float]:
    """The Elo of the first seat against the house on all others, in `count` deals, and half of its 95 % interval.

    It is that of the share of the others who take more heads, ties counted half, as in `bullring gauge`.
    """
    env = Deals(game, seats, count=count, opponents=["noisy"] * (seats - 1))
    env.reset(seed)
    over = False
    while not over:
        house = env.tables.choose("noisy", TEMPERATURE)
        _, over = env.step(choose(env)[:, None], others={seat: house[:, seat] for seat in range(1, seats)})
    own, others = env.heads[:, :1], env.heads[:, 1:]
    shares = ((own < others) + 0.5 * (own == others)).mean(1)
    share = float(shares.mean().clip(0.5 / count, 1 - 0.5 / count))
    error = 1.96 * float(shares.std()) / math.sqrt(count)
    return 400 * math.log10(share / (1 - share)), 400 / math.log(10) * error / (share * (1 - share))


def best(policy: Policy) -> Choice:
    """Plays the card that the policy likes best."""

    def choose(env: Deals) -> NDArray[np.int64]:
        places = policy.run(env.features()[:, 0])[..., 0].argmax(1)
        cards: NDArray[np.int64] = np.take_along_axis(env.hands[:, 0], places[:, None], 1)[:, 0]
        return cards

    return choose


def simulated(policy: str) -> Choice:
    """Plays as a policy of the simulator does, such as "greedy"."""
    return lambda env: env.tables.choose(policy)[:, 0]


class Course:
    """A policy that learns by playing against itself and what it was earlier."""

    def __init__(self, game: str = "standard", seats: int = 4, *, tables: int = TABLES, seed: int = 1) -> None:
        """Begin. The same seed makes the same policy.

        Raises what `Deals` raises, and `ValueError` for games whose rows do not grow to the right.
        """
        self._env = Deals(game, seats, count=tables)
        self._env.reset(seed)
        self._env.features()
        self.game, self.seats, self.seed = game, seats, seed
        self._random = np.random.default_rng(seed)
        self.policy = new_network(LAYERS, self._random)
        self.policy.about = {"name": "self-taught", "made by": "bullring train", "game": game, "seats": seats}
        self._adam = Adam(_arrays(self.policy))
        self.league: list[Policy] = []
        """What the policy was when it was last measured."""
        self.deals = 0
        """Deals from which it has learned."""
        self.seconds = 0.0
        """Processor time that it has taken."""
        self.measured: list[Measured] = []

    def step(self, done: float) -> None:
        """Play a deal at every table, and learn from it. The more of the course is done (0 to 1), the smaller is the step."""
        began = time.process_time()
        seed = self.seed * 1_000_000 + self._adam.steps
        turns = play(self._env, self.policy, self._random, seed, self.league, SHARE)
        self._adam.step(gradient(self.policy, turns, CURIOSITY), RATE * (1 - done))
        self.deals += self._env.count
        self.seconds += time.process_time() - began

    def measure(self) -> Measured:
        """Measure the policy, and let it join the league."""
        began = time.process_time()
        elo, error = against_house(best(self.policy), self.game, self.seats, MEASURED)
        layers = [*map(np.copy, self.policy.weights)], [*map(np.copy, self.policy.biases)]
        self.league = [*self.league, Policy(self.policy.reads, *layers, self.policy.activation)][-LEAGUE:]
        self.seconds += time.process_time() - began
        self.measured.append(Measured(self.deals, self.seconds, elo, error))
        return self.measured[-1]

    def learn(self, deals: float, seconds: float, told: Callable[["Course", float], bool]) -> None:
        """Go on until it has learned from this many deals, or taken this much processor time, in all; at least one is finite.

        After each step, `told` gets the course and how much of it is done; if it returns False, learning stops.
        """
        done = self._done(deals, seconds)
        while done < 1:
            self.step(done)
            before, done = done, self._done(deals, seconds)
            if int(TIMES * done) > int(TIMES * before):
                self.measure()
            if not told(self, done):
                return

    def _done(self, deals: float, seconds: float) -> float:
        return min(1.0, max(self.deals / deals, self.seconds / seconds))

    def save(self, path: Path) -> None:
        """Write the file, which has its old content or the new one whatever happens. Raises `OSError`."""
        facts = {
            "format": FORMAT,
            "game": self.game,
            "seats": self.seats,
            "tables": self._env.count,
            "seed": self.seed,
            "deals": self.deals,
            "seconds": self.seconds,
            "random": self._random.bit_generator.state,
            "steps": self._adam.steps,
            "measured": self.measured,
        }
        more: dict[str, NDArray[Any]] = {"course": np.array(json.dumps(facts))}
        for number, (mean, square) in enumerate(zip(self._adam.means, self._adam.squares, strict=True)):
            more |= {f"mean_{number}": mean, f"square_{number}": square}
        for number, earlier in enumerate(self.league):
            more |= {f"earlier_{number}_{at}": array for at, array in enumerate(_arrays(earlier))}
        new = path.with_name(f"{path.name}.new")
        try:
            self.policy.save(new, more)
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)  # if the disk is full

    @classmethod
    def load(cls, path: Path) -> "Course":
        """Continue a course. Raises `OSError`, and `BotError` if the file is not one of a course."""
        try:
            policy = Policy.load(path)
            with np.load(path, allow_pickle=False) as kept:
                arrays = {name: kept[name] for name in kept.files}
            facts = json.loads(str(arrays["course"]))
            course = cls(facts["game"], facts["seats"], tables=facts["tables"], seed=facts["seed"])
            _fill(_arrays(course.policy), _arrays(policy))
            adam = course._adam
            for name, own in (("mean", adam.means), ("square", adam.squares)):
                _fill(own, [arrays[f"{name}_{number}"] for number in range(len(own))])
            layers, count = len(policy.weights), len(facts["measured"])
            for number in range(min(LEAGUE, count)):
                parts = [arrays[f"earlier_{number}_{at}"] for at in range(2 * layers)]
                course.league.append(Policy(policy.reads, parts[:layers], parts[layers:], policy.activation))
            course._random.bit_generator.state = facts["random"]
            adam.steps, course.deals, course.seconds = facts["steps"], facts["deals"], facts["seconds"]
            course.measured = [Measured(*each) for each in facts["measured"]]
            known = facts["format"] == FORMAT
        except (ValueError, KeyError, TypeError):
            known = False
        if not known:
            raise BotError(
                f"{path} is not the file of a course of bullring train, so it cannot go on; give another name"
            )
        return course


def _arrays(policy: Policy) -> list[Array]:
    return [*policy.weights, *policy.biases]


def _fill(arrays: list[Array], kept: list[Array]) -> None:
    """Let arrays have the numbers of others, of the same shapes."""
    for array, other in zip(arrays, kept, strict=True):
        if array.shape != other.shape:
            raise ValueError(f"expected the shape {array.shape}, not {other.shape}")
        array[:] = other
