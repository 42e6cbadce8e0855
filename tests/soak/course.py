"""A soak: the ladder plays, its hostile bots are let in again and again, and in the end the honest play alone."""

import json
import signal
import subprocess
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bullring.arena.settings.limits import parse_duration
from tests.ladder.homes import bots, count, log_of, running
from tests.soak.field import Field
from tests.soak.gauges import Gauges
from tests.support.patience import PATIENCE

LIMITS = ("1s", "start=10s")

EVERY = 0.5
"""Seconds between two looks at the ladder."""

PLAN = ("--seats", "3", "--jobs", "2", "--sandbox", "bwrap", "--json")


@dataclass
class Course:
    """The events of the soak."""

    ground: Field
    gauges: Gauges = field(default_factory=Gauges)
    happenings: list[dict[str, Any]] = field(default_factory=list)
    """The events of the ladder except matches."""
    reinstated: Counter[str] = field(default_factory=Counter)
    table: list[dict[str, Any]] = field(default_factory=list)
    """The last one that was printed."""
    problems: list[str] = field(default_factory=list)


def soak(ground: Field, length: str) -> Course:
    """Play for this long ("20s", "60m") and until everybody has played, then once more without the hostile bots."""
    course = Course(ground)
    _run(course, length=parse_duration(length))
    for name in ground.hostile:
        assert bots("remove", name, home=ground.home).exit_code == 0
    _run(course, "--matches", "1")
    return course


def _run(course: Course, *arguments: str, length: float | None = None) -> None:
    """One `bullring ladder run`, to its end or interrupted after `length` seconds, with a look at what it uses now and then.

    The hostile bots are in bubblewrap or nowhere.
    """
    home = course.ground.home
    words = ["env", "-u", "BULLRING_SANDBOX", "-u", "BULLRING_ALLOW_UNSANDBOXED", f"TMPDIR={course.ground.temporary}"]
    began, stopping = time.monotonic(), False
    with running(home, *PLAN, *arguments, wrapped=words) as process:
        while (code := _ended(process)) is None:
            seconds = time.monotonic() - began
            assert seconds < (length or 0.0) + PATIENCE, "the ladder does not end"
            course.gauges.read_owners(process.pid)
            if length is not None and not stopping:
                course.gauges.read(process.pid, seconds, count(home, "matches"))
                _reinstate(course)
                if seconds >= length and _all_have_played(course):
                    process.send_signal(signal.SIGINT)
                    stopping = True
    _listen(course, log_of(home))
    if code != (130 if stopping else 0):
        course.problems.append(f"the ladder ended with {code}: {log_of(home).read_text()[-1000:]}")


def _all_have_played(course: Course) -> bool:
    """Whether all bots have played; a busy machine takes longer."""
    return count(course.ground.home, "bots") == count(course.ground.home, "(SELECT DISTINCT bot FROM played)")


def _ended(process: "subprocess.Popen[str]") -> int | None:
    """Its exit code, waited for until the next look is due."""
    try:
        return process.wait(EVERY)
    except subprocess.TimeoutExpired:
        return None


def _reinstate(course: Course) -> None:
    """Reinstate bots that were benched, so that they go on."""
    with closing(course.ground.home.store(read_only=True)) as store:
        benched = [row.name for row in store.bots() if row.state == "benched"]
    for name in benched:
        if name in course.ground.hostile:
            assert bots("reinstate", name, home=course.ground.home).exit_code == 0
            course.reinstated[name] += 1


def _listen(course: Course, log: Path) -> None:
    """The output of the ladder: JSON lines, and nothing else."""
    for line in log.read_text("utf-8").splitlines():
        try:
            told = json.loads(line)
        except ValueError:
            course.problems.append(f"the ladder has said {line!r}")
            continue
        if told["type"] == "table":
            course.table = told["rows"]
        elif told["type"] != "match":
            course.happenings.append(told)
