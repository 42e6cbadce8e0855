"""The conditions of a soak, checked in the store, in the records and on the machine."""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

from bullring.arena.match.faults import FaultKind
from bullring.arena.match.records.verification import verify
from bullring.errors import RecordError
from bullring.ladder.store.rows import MatchRow
from tests.hostile.behaviours import CONTAINED
from tests.hostile.leftovers import Surroundings
from tests.ladder.homes import count, intact, ladder, left_over, told
from tests.soak.course import Course
from tests.soak.gauges import growth
from tests.support.patience import PATIENCE

MEMORY = 8 << 20
"""Bytes by which all referees together may grow in the second half, and the ladder, too."""
BYTES_PER_MATCH = 512
"""Further growth of the ladder for each match: it keeps all results."""

DESCRIPTORS = 16
"""Most additional descriptors of the ladder or all referees together at the end of the second half, without running bots."""
OF_A_BOT = 11
"""Descriptors that a running bot may take: three pipes, two ends to wait for, its group's freezer, files that tell how it waits."""

STOOD_STILL = "machine stood still"
"""Words in the reason of a void match if only the machine is to blame."""

MOST_VERIFIED = 2000
"""Records that are verified, of many a sample."""


def problems(course: Course, before: Surroundings) -> list[str]:
    """Everything that is not as it should be; `before` is the machine as it was."""
    return [
        *course.problems,
        *_matches(course),
        *_faults(course),
        *_events(course),
        *_flat(course),
        *_left(course, before),
        *_records(course),
        *_rebuilt(course),
    ]


def played(course: Course) -> tuple[list[MatchRow], dict[int, str]]:
    """All matches, and the names of the bots."""
    with closing(course.ground.home.store(read_only=True)) as store:
        return store.matches(), {row.id: row.name for row in store.bots()}


def _matches(course: Course) -> Iterator[str]:
    """Every match that was begun is stored, its deals were played once, and it counts unless the machine spoiled it."""
    matches, names = played(course)
    rated: Counter[str] = Counter()
    for match in matches:
        if match.counted:
            rated.update(names[bot] for bot in match.bots)
        if match.counted != (match.void is None):
            yield f"match {match.id} is void: {match.void}, and counts: {match.counted}"
        if match.void is not None and STOOD_STILL not in match.void:
            yield f"match {match.id} is void: {match.void}"
    if begun := count(course.ground.home, "playing"):
        yield f"{begun} matches were begun and neither stored nor given up"
    deals = Counter(match.seed.seed for match in matches)
    yield from (f"the deals {seed} were played {times} times" for seed, times in deals.items() if times > 1)
    shown = {row["bot"]: row["matches"] for row in course.table}
    for name, wanted in rated.items():
        if shown.get(name) != wanted:
            yield f"{name} has {wanted} matches that count, and {shown.get(name)} are rated"


def _faults(course: Course) -> Iterator[str]:
    """None of an honest bot; of the hostile ones only what they do, and they have done it.

    A deed may take longer than a card may, on a busy machine.
    """
    matches, names = played(course)
    faults: dict[str, Counter[str]] = {one.name: Counter() for one in course.ground.entrants}
    seats: Counter[str] = Counter()
    for match in matches:
        for seat in match.seats:
            seats[names[seat.bot]] += 1
            faults[names[seat.bot]].update(seat.faults)
            if seat.faults and names[seat.bot] not in course.ground.hostile:
                yield f"{names[seat.bot]} is blamed for {seat.faults} in match {match.id}"
    for one in course.ground.entrants:
        if one.hostile and (unwanted := set(faults[one.name]) - {*one.verdicts, FaultKind.TIMEOUT}):
            yield f"{one.name} has faults of {sorted(unwanted)}"
        elif one.hostile and seats[one.name] and not faults[one.name] and CONTAINED not in one.verdicts:
            yield f"{one.name} was never at fault"


def _events(course: Course) -> Iterator[str]:
    """No referee died, nobody honest was benched, and it was in the sandbox that it should be in."""
    for happening in course.happenings:
        if happening["type"] == "worker" or (
            happening["type"] == "bench" and happening["bot"] not in course.ground.hostile
        ):
            yield happening["text"]
        if happening["type"] == "sandbox" and happening["tier"] != "bwrap":
            yield f"it was played in the tier {happening['tier']}"


def _flat(course: Course) -> Iterator[str]:
    gauges = course.gauges
    half = len(gauges.seconds) // 2
    for who, readings in (("the ladder", gauges.ladder), ("the referees", gauges.workers)):
        allowed = MEMORY
        if readings is gauges.ladder:
            allowed += BYTES_PER_MATCH * (gauges.matches[-1] - gauges.matches[half])
        bots = [one.bots for one in readings]
        if (grown := growth(gauges.seconds, [one.resident for one in readings], bots)) > allowed:
            yield f"{who} grew by {grown / 2**20:.1f} MiB in the second half"
        others = [max(0, one.descriptors - OF_A_BOT * one.bots) for one in readings]
        if (more := growth(gauges.seconds, others, bots)) > DESCRIPTORS:
            yield f"{who} had {more:.1f} more descriptors at the end of the second half"


def _left(course: Course, before: Surroundings) -> Iterator[str]:
    """Processes, control groups, mounts, files."""
    token, home = course.ground.token, course.ground.home

    def found() -> list[str]:
        left = {f"process {pid} has the mark of the home" for pid in left_over(home)}
        left |= {f"process {pid}: {words}" for pid, words in _processes(token, course.gauges.users)}
        for referee in course.gauges.referees:
            now = replace(Surroundings.seen("bwrap", token, referee), descriptors=frozenset())  # our own are no matter
            left.update(now.more_than(before))
        return sorted(left)

    yield from _settled(found)
    yield from (f"left behind: {path}" for path in course.ground.temporary.iterdir())


def _settled(found: Callable[[], list[str]]) -> list[str]:
    """Findings that remain after a while."""
    until = time.monotonic() + PATIENCE
    while (left := found()) and time.monotonic() < until:
        time.sleep(0.05)
    return left


def _processes(token: str, users: set[int]) -> Iterator[tuple[int, str]]:
    """Bots and what started them: with the token on their command line, or of a user that a bot has been."""
    users = users - {os.getuid()}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and entry.name != str(os.getpid()):
            try:
                words, user = (entry / "cmdline").read_text("utf-8", "replace").replace("\0", " "), entry.stat().st_uid
            except OSError:
                continue
            if token in words or user in users:
                yield int(entry.name), words


def _records(course: Course) -> Iterator[str]:
    """All of them verify, and no bot tells of an escape."""
    home = course.ground.home
    promised = {one.name: one.promised for one in course.ground.entrants}
    matches = sorted(home.kept.matches())
    if len(matches) != count(home, "matches"):
        yield f"{len(matches)} records of {count(home, 'matches')} matches"
    for match in Random(1).sample(matches, min(len(matches), MOST_VERIFIED)):
        try:
            lines = home.lines(match)
        except RecordError as error:
            yield str(error)
            continue
        verdict = verify(lines)
        if verdict.difference is not None or not verdict.finished or verdict.torn:
            yield f"match {match} does not verify: {verdict}"
        for entry in lines.entries:
            if "stderr" in entry and promised[lines.entries[0]["seats"][entry["stderr"]["seat"]]]:
                yield from (
                    f"match {match}: {line}"
                    for line in entry["stderr"]["text"].splitlines()
                    if line.startswith("escaped: ")
                )


def _rebuilt(course: Course) -> Iterator[str]:
    home = course.ground.home
    if not intact(home):
        yield "the database is not sound"
    before = told("table", "--format", "json", home=home)
    output = ladder("rebuild", home=home).output
    if "left out" in output or told("table", "--format", "json", home=home) != before:
        yield f"made again from the records it is another table: {output}"
