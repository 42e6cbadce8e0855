"""The promises to those who run strangers' programs, each declared once, and the gaps that tiers and machines leave in them.

`bullring doctor`, SECURITY.md, the first line of a run, records and standings all read this declaration.
"""

import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import itemgetter

from bullring.arena.cells.sandbox.local import users


@dataclass(frozen=True)
class Promise:
    """A promise. The canary's tries whose names begin with one of `tries` prove it."""

    name: str
    """The name in tables and records."""
    sentence: str
    """In Markdown, with links within SECURITY.md."""
    tries: tuple[str, ...]
    known: str = ""
    """The part of it that no try proves, and is known to hold; empty if tries prove all of it."""


class Means(StrEnum):
    """A condition on the machine or the run, by which a tier keeps more of a promise; the value is its name in documents."""

    MEMORY = "a memory cgroup"
    PROCESSES = "a pids cgroup"
    FREEZING = "a freezer"
    CLOCKS = "counts of waiting"
    PRESSURE = "cpu.pressure"
    ROOT = "root"
    SIGNALS = "Linux 6.12"
    LANDLOCK = "Landlock"
    GVISOR = "gVisor"


@dataclass(frozen=True)
class Gap:
    """A part of a promise that a tier does not keep, unless the machine has one of some means."""

    promise: str
    word: str
    """The part in a few words, or the state without it."""
    unless: tuple[Means, ...] = ()
    part: bool = True
    """Whether a part of the promise is kept in spite of it."""
    tries: tuple[str, ...] = ()
    """The beginnings of the canary's tries that may succeed."""
    remedy: str = ""
    """Advice on getting these means, if it is not that on cgroups."""


PROMISES = (
    Promise("network", "It has no network, no loopback, and no abstract sockets of others.", ("network",)),
    Promise(
        "files",
        "It changes nothing on the machine, and sees only its folder, the system's programs and its runtime: no records, and no"
        " ladder home.",
        ("files",),
    ),
    Promise(
        "rivals",
        "It cannot see, signal, debug or read other programs, its rivals and the referee included, and inherits only three pipes"
        " and a small environment.",
        ("processes", "system calls", "inherited", "leaks: the referee's name"),
    ),
    Promise("freezing", "It stands still while it has nothing to decide.", ("time: freezing",)),
    Promise(
        "clocks",
        "Its limits are time on a core of its own, whatever else runs; it cannot use another core, nor change its share.",
        ("time: waking", "time: its share"),
        known="the kernel counts what others use of its core",
    ),
    Promise("memory", "All its processes together have a cap, socket and pipe buffers included.", ("caps: memory",)),
    Promise("processes", "It has a cap on its processes, and all of them end with it.", ("caps: processes",)),
    Promise("disk", "Its files and its box have caps.", ("caps: files",)),
    Promise(
        "channels",
        "It cannot talk to other bots through keyrings, locks, inotify, shared memory, queues, terminals, numbers of eventfds and"
        " counts of mapped pages. What remains is [measured](#channels-between-bots).",
        ("leaks",),
    ),
    Promise(
        "machine",
        "It is not root, cannot become root, and exhausts no resource of which the machine has a"
        " [fixed number](#resources-of-the-whole-machine).",
        ("user", "machine"),
    ),
)

NAMES = tuple(promise.name for promise in PROMISES)

FREEZING = Gap("freezing", "thinks on while others decide", unless=(Means.FREEZING,), part=False)
CLOCKS = Gap("clocks", "plain time", unless=(Means.CLOCKS,))
RUN_DELAYS = Gap("clocks", "less exact for several threads", unless=(Means.PRESSURE,))
WATCHDOG = Gap("memory", "by a watchdog", unless=(Means.MEMORY,))
OF_OTHERS = Gap(
    "channels",
    "through eventfds and mapped pages",
    unless=(Means.LANDLOCK,),
    tries=("leaks: eventfds",),
    remedy="run Linux 5.19 or newer with Landlock, which some machines want in `lsm=` on the kernel's command line",
)
"""Gaps of several tiers."""


def means_of(freezes: bool, counts: bool, *others: Means) -> frozenset[Means]:
    """The means of a sandbox on this machine."""
    found = {
        Means.FREEZING: freezes,
        Means.CLOCKS: counts,
        Means.ROOT: users.draw() is not None,
        Means.SIGNALS: _linux() >= (6, 12),
    }
    return frozenset([means for means, has in found.items() if has] + list(others))


def _linux() -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))


class Grade(StrEnum):
    """How well a promise is kept."""

    PROVEN = "proven now"
    KNOWN = "known to hold"
    PART = "in part"
    NOT = "not given"


def grade_of(promise: Promise, gaps: Collection[Gap], tried: Collection[str]) -> Grade:
    """The grade of a promise with these gaps of its own, after tries of these names that came out as they should."""
    if gaps:
        return Grade.PART if all(gap.part for gap in gaps) else Grade.NOT
    is_proven = not promise.known and any(promise_of(name) is promise for name in tried)
    return Grade.PROVEN if is_proven else Grade.KNOWN


def promise_of(attempt: str) -> Promise:
    """The promise that a try of this name proves. Raises `LookupError` if it is none."""
    fitting = [(len(each), one) for one in PROMISES for each in one.tries if attempt.startswith(each)]
    if not fitting:
        raise LookupError(f"no promise has tries such as {attempt!r}")
    return max(fitting, key=itemgetter(0))[1]


def lacking(gaps: Collection[Gap]) -> list[str]:
    """The names of the promises that these gaps leave unkept, as a whole or in part, as in records."""
    return [name for name in NAMES if any(gap.promise == name for gap in gaps)]


def kept(lacks: Sequence[str]) -> str:
    """Which promises are kept in full: "every promise but clocks, memory"."""
    return f"every promise but {', '.join(lacks)}" if lacks else "every promise"
