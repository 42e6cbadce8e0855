"""The speed of a machine at the work of bots and referees, and which nodes of a cluster play beside each other by it.

The work is the same everywhere: additions, multiplications and a little list, in Python integers, with no library and no chance.
The figure is the best of several runs by processor time, so others on the machine hardly matter; what does is the processor and
the version of Python.
"""

import platform
import time
from collections import defaultdict
from dataclasses import dataclass
from itertools import count, islice
from math import floor
from pathlib import Path
from typing import Any, NamedTuple

STEPS = 60_000
"""Steps of one run: about 8 ms."""

RUNS, RUNS_HERE = 30, 5
"""Runs, the best of which counts; and where all nodes are on one machine, so that nothing hangs on it."""

REST = 0.02
"""Seconds between two runs: others may disturb several in a row."""

SLOWEST, QUICKEST = 0.01, 1000.0
"""No machine that can play is slower or quicker, in steps in a microsecond."""

EXPECTED = 350_507_633
"""The result of the work."""


@dataclass(frozen=True)
class Speed:
    """The speed of a machine."""

    figure: float
    """Steps in a microsecond of processor time."""
    kind: str
    """The class of the machine: the name of its processor, with the version of Python."""

    def facts(self) -> dict[str, Any]:
        """As plain values, for the head of a record."""
        return {"speed": round(self.figure, 3), "class": self.kind}

    @classmethod
    def of(cls, facts: dict[str, Any]) -> "Speed":
        """From plain values. Raises `ValueError` if no machine is that slow or quick."""
        figure = float(facts["speed"])
        if not SLOWEST < figure < QUICKEST:
            raise ValueError(f"no machine has the speed {figure}")
        return cls(figure, str(facts["class"]))

    def differs(self, other: "Speed", factor: float) -> bool:
        """Whether one of the two is more than `factor` times as quick as the other."""
        low, high = sorted((self.figure, other.figure))
        return high > low * factor

    def factor(self, other: "Speed") -> float:
        """A factor, in tenths, by which the two do not differ."""
        low, high = sorted((self.figure, other.figure))
        return floor(10 * high / low + 1) / 10


def work(steps: int = STEPS) -> int:
    """The work. Returns a number that depends on every step."""
    state, heap = 1, [0] * 64
    for step in range(steps):
        state = (state * 1_103_515_245 + 12_345) & 0x7FFFFFFF
        at = state % 64
        heap[at] = (heap[at] + step) & 0xFFFF
    return (state ^ sum(heap)) & 0x7FFFFFFF


def measured(runs: int = RUNS) -> Speed:
    """Measure this machine, which takes about 30 ms a run."""
    best = 0.0
    for run in range(runs):
        if run:
            time.sleep(REST)
        began = time.thread_time_ns()
        found = work()
        took = time.thread_time_ns() - began
        assert found == EXPECTED, "this Python cannot count"
        best = max(best, STEPS * 1000 / took)
    return Speed(
        best, f"{processor()}, Python {platform.python_version_tuple()[0]}.{platform.python_version_tuple()[1]}"
    )


def processor() -> str:
    """The name of this machine's processor, as the kernel tells it, else its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    found = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return found if found not in ("", "unknown") else platform.machine()


class Measured(NamedTuple):
    """A node and its speed."""

    name: str
    machine: str
    """The id of the machine's running kernel (`session.WHICH`)."""
    speed: Speed


class Speeds:
    """The speeds of the nodes of a run: those that play, and those that have played. A limit of time meant the same to all."""

    def __init__(self, factor: float) -> None:
        """No node may be more than `factor` times as quick as another."""
        self._factor = factor
        self._here: dict[str, Measured] = {}
        self._ends: list[Measured] = []
        """The slowest and the quickest of those that have played and left."""

    def against(self, machine: str, speed: Speed) -> Measured | None:
        """A node that differs too much from this speed; None if there is none.

        Those on the same machine have the same processor, however much others disturbed them while they were measured.
        """
        known = [*self._here.values(), *self._ends]
        return next((one for one in known if one.machine != machine and one.speed.differs(speed, self._factor)), None)

    def enter(self, address: str, measured: Measured) -> None:
        """Note that a node plays from now on."""
        self._here[address] = measured

    def leave(self, address: str, *, played: bool) -> None:
        """Note that it does no longer. One that has not `played` a match that counts is forgotten."""
        one = self._here.pop(address, None)
        if one is not None and played:
            ends = sorted([*self._ends, one], key=lambda measured: measured.speed.figure)
            self._ends = [ends[0], ends[-1]]


class Cores:
    """The cores that each node on a machine uses, by numbers from 0: the lowest that no other has."""

    def __init__(self) -> None:
        self._taken: defaultdict[str, dict[str, list[int]]] = defaultdict(dict)

    def take(self, machine: str, address: str, width: int) -> list[int]:
        """Give a node so many cores."""
        taken = {core for cores in self._taken[machine].values() for core in cores}
        mine = list(islice((core for core in count() if core not in taken), width))
        self._taken[machine][address] = mine
        return mine

    def free(self, machine: str, address: str) -> None:
        """Take back the cores of a node."""
        self._taken[machine].pop(address, None)
