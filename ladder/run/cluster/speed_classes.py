"""Which machines play beside each other: the speeds of a run's nodes, and the cores of machines with several of them."""

from collections import defaultdict
from itertools import count, islice
from typing import NamedTuple

from bullring.ladder.run.cluster.speed import Speed


class Measured(NamedTuple):
    """What counts of a node."""

    name: str
    machine: str
    """What tells its machine from others (`session.WHICH`)."""
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
        """Note that it does no more. One that has not `played` a match that counts is forgotten."""
        one = self._here.pop(address, None)
        if one is not None and played:
            ends = sorted([*self._ends, one], key=lambda measured: measured.speed.figure)
            self._ends = [ends[0], ends[-1]]


class Cores:
    """Which of a machine's cores each node on it uses, by numbers from 0: the lowest that no other has."""

    def __init__(self) -> None:
        self._taken: defaultdict[str, dict[str, list[int]]] = defaultdict(dict)

    def take(self, machine: str, address: str, width: int) -> list[int]:
        """Give a node so many cores."""
        taken = {core for cores in self._taken[machine].values() for core in cores}
        mine = list(islice((core for core in count() if core not in taken), width))
        self._taken[machine][address] = mine
        return mine

    def free(self, machine: str, address: str) -> None:
        """Take back what a node was given."""
        self._taken[machine].pop(address, None)
