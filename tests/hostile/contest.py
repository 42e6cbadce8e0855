"""A contest: a hostile bot plays between honest rivals, and all must be as if it had been a polite one."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.promises import Means
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.registry import find
from bullring.arena.match.faults import STRIKES, FaultKind
from bullring.arena.match.play import Report, play_match
from bullring.arena.match.records.reader import Entry, read_lines
from bullring.arena.match.records.verification import verify
from bullring.arena.match.referee.spec import MatchSpec
from bullring.arena.match.seats.pool import open_pool
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from tests.hostile.behaviours import BEHAVIOURS, CONTAINED, Behaviour
from tests.hostile.leftovers import Surroundings, processes_of
from tests.hostile.scene import scene
from tests.hostile.shown import unclean
from tests.hostile.submitting import submitted
from tests.support.patience import PATIENCE
from tests.support.record import NONCE

ROOT = Path(__file__).parents[2]

SETTLE = 60.0
"""Seconds in which what was killed has to be gone, on however busy a machine."""

MEMORY = 48 << 20
"""Bytes by which the referee may grow during a contest."""

LARGEST_RECORD = 1 << 20
LARGEST_LOG = 70_000
"""Characters of a bot's log in the record."""

TRIES = 8
"""A match says nothing of the hostile bot in which the machine stood still, who had to be in time was late on a busy machine, or
who had to be late was not, because it was given back what it had waited for a core, or its answer was read before it was judged. It
is played again, and each time everybody has twice as long to think.
Only what happens then, too, is a problem."""


LONGER = 3
"""Times that a bot which was caught thinking on others' time plays again, while the others take twice as long each time: on a busy
machine it takes the referee longer to freeze it, which is a small part of a long time."""


def contest(tier: str, behaviour: Behaviour) -> list[str]:
    """Let the tier hold the behaviour. What went wrong; nothing if it was held."""
    if behaviour.submitted:
        ways = behaviour.ways if behaviour.played or tier == "none" else behaviour.ways[:1]
        return [f"{way}: {problem}" for way in ways for problem in submitted(tier, behaviour, way)]
    course = _killed_referee if behaviour.survives else _course
    found = []
    for way in behaviour.ways[:1] if behaviour.wire and tier != "none" else behaviour.ways:
        for more in range(TRIES):
            problems, busy = course(tier, with_time(behaviour, 2**more), way)
            if not busy and not (problems and behaviour.slow and more < LONGER):
                break
        found += [f"{way}: {problem}" if way else problem for problem in problems]
    return found


def with_time(behaviour: Behaviour, times: int) -> Behaviour:
    """The same, with so many times the limits for decisions, and the time that slow rivals take."""
    limits = behaviour.limits
    longer = replace(
        limits, card_us=limits.card_us * times, row_us=limits.row_us * times, other_us=limits.other_us * times
    )
    return replace(behaviour, limits=longer, slow=behaviour.slow * times)


def _course(tier: str, behaviour: Behaviour, way: str) -> tuple[list[str], bool]:
    """One match, or as many as the behaviour takes, and whether the machine was too busy to say something of it."""
    expected = reference(tier, behaviour.pair, behaviour.matches)
    with scene(tier, behaviour, way) as (made, listeners):
        table = made.table(behaviour)
        files = _files(made.folder)
        before = Surroundings.seen(tier, made.token)
        with _memory_held() as memory:
            reports = play(tier, table, behaviour.limits, made.folder, behaviour.matches, freeze=behaviour.freeze)
        problems = Surroundings.seen(tier, made.token).more_than(before)
        problems += memory + listeners.heard()
        if changed := {path for path, _ in _files(made.folder).items() ^ files.items()}:
            problems.append(f"files were changed: {sorted(changed)}")
        for report, wanted in zip(reports, expected, strict=True):
            problems += [*_judge(report, behaviour), *_compare(_course_of(report, behaviour.pair), wanted)]
    honest = _honest(behaviour.pair)
    hostile = [seat for seat in range(len(table)) if seat not in honest]
    late = any(
        fault.kind is FaultKind.TIMEOUT
        for report in reports
        for seat in (honest if FaultKind.TIMEOUT in behaviour.verdicts else range(len(table)))
        for fault in report.result.seats[seat].faults
    )
    in_time = behaviour.verdicts == {FaultKind.TIMEOUT} and any(
        len(report.result.seats[seat].faults) < STRIKES for report in reports for seat in hostile
    )
    return problems, late or in_time or any(report.void for report in reports)


def _killed_referee(tier: str, behaviour: Behaviour, way: str) -> tuple[list[str], bool]:
    """The referee is killed while the bot and its daemon run; the next one opens its sandbox."""
    with scene(tier, behaviour, way) as (made, _):
        command = [sys.executable, "-m", "tests.hostile.doomed", tier, str(made.folder), made.token]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT) as referee:
            assert referee.stdout is not None
            assert referee.stderr is not None
            name = referee.stdout.readline().strip()
            before = Surroundings.seen(tier, made.token)
            # The rivals and the hostile bot are three, the daemon makes four.
            came_up = _within(PATIENCE, lambda: len(processes_of(made.token)) >= 4 or referee.poll() is not None)
            time.sleep(0.1)
            running = len(processes_of(made.token))
            referee.kill()
            said = referee.stderr.read()[-500:]
        if not came_up or running < 4:
            return [f"only {running} processes came up: {said}"], False
        trio.run(_opened_and_closed, Wish(tier, allow_unsandboxed=True, proven=False))
        problems = _settled(lambda: Surroundings.seen(tier, made.token).more_than(before))
        left = Surroundings.seen(tier, made.token, name)
        return problems + [f"left behind: {entry}" for entry in (*left.cgroups, *left.containers)], False


def _within(seconds: float, condition: Callable[[], bool]) -> bool:
    """Wait for it."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def _settled(problems: Callable[[], list[str]]) -> list[str]:
    """The problems that remain after a moment: killed processes take time to go, and their orphans may be given to us.

    Asked until nothing was wrong three times, for the kernel's list of children may have gaps while some of them end.
    """
    good = 0
    found: list[str] = []

    def look() -> bool:
        nonlocal good, found
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        found = problems()
        good = 0 if found else good + 1
        return good == 3

    _within(SETTLE, look)
    return found


@cache
def means(tier: str) -> frozenset[Means]:
    """What a tier has on this machine; where it lacks something it says so at the start, and promises less."""
    return trio.run(_opened_and_closed, Wish(tier, allow_unsandboxed=True, freeze=True))


async def _opened_and_closed(wish: Wish) -> frozenset[Means]:
    async with open_sandbox(wish) as sandbox:
        return sandbox.means


# --- playing


def play(
    tier: str, bots: Sequence[Bot], limits: Limits, folder: Path, matches: int = 1, *, freeze: bool = False
) -> list[Report]:
    """Matches of one deal, one after the other; their records stay in the folder until it goes."""
    return trio.run(partial(_play, tier, bots, limits, folder, matches, freeze))


async def _play(
    tier: str, bots: Sequence[Bot], limits: Limits, folder: Path, matches: int, freeze: bool
) -> list[Report]:
    spec = MatchSpec(
        game=find("standard")(len(bots), {"deals": 1}),
        names=[bot.name for bot in bots],
        seed=Seed.given("hostile", NONCE),
        limits=limits,
    )
    reports = []
    wish = Wish(tier, allow_unsandboxed=True, freeze=freeze, proven=False)
    async with open_sandbox(wish) as sandbox, open_pool(limits, sandbox) as pool:
        for number in range(matches):
            record = folder / f"record-{number}.jsonl"
            this = replace(spec, seed=Seed.given(f"hostile.{number}", NONCE))
            reports.append(await play_match(pool, bots, this, record, last=number + 1 == matches))
    return reports


@contextmanager
def _memory_held() -> Iterator[list[str]]:
    """Says afterwards whether this process has grown too much meanwhile, even if for a moment."""
    problems: list[str] = []
    Path("/proc/self/clear_refs").write_text("5")  # the high-water mark begins anew
    before = _peak()
    yield problems
    grown = _peak() - before
    if grown > MEMORY:
        problems.append(f"the referee has grown by {grown >> 20} MiB")


def _peak() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) << 10
    raise AssertionError("the kernel tells no high-water mark")


def _files(folder: Path) -> dict[str, bytes]:
    """All files and folders with what is in them, but the records."""
    return {
        str(path): path.read_bytes() if path.is_file() else b""
        for path in folder.rglob("*")
        if not path.name.startswith("record-")
    }


# --- judging


@dataclass(frozen=True)
class Course:
    """The facts that must not depend on the bot in the hostile bot's seat."""

    deals: Sequence[Entry]
    answers: Sequence[tuple[Sequence[int], int]]
    """Those of each batch, with the checksum of the events that followed."""
    scores: Sequence[int]
    heard: Sequence[Sequence[str]]
    """By honest rival, the digests of all it was told."""


def _course_of(report: Report, pair: bool) -> Course:
    assert report.record is not None
    entries = read_lines(report.record).entries
    return Course(
        [entry for entry in entries if "deal" in entry],
        [(entry["answers"], entry["check"]) for entry in entries if "answers" in entry],
        [seat.score for seat in report.result.seats],
        [_heard(report.logs[seat]) for seat in _honest(pair)],
    )


def _honest(pair: bool) -> list[int]:
    return [0] if pair else [0, 2]


def _heard(log: str) -> Sequence[str]:
    """Its reports before each answer, and at the end; the latter may come too late for the log."""
    return [line for line in log.splitlines() if line.startswith("heard")]


@cache
def reference(tier: str, pair: bool, matches: int) -> Sequence[Course]:
    """The matches with a polite bot in the hostile one's seat."""
    behaviour = replace(BEHAVIOURS[0], pair=pair, matches=matches)
    problems: list[object] = []
    for more in range(TRIES):
        with scene(tier, behaviour, "") as (made, _):
            limits = with_time(behaviour, 2**more).limits
            reports = play(tier, made.table(behaviour, polite=True), limits, made.folder, matches)
            problems = [problem for report in reports for problem in (report.void, *report.faults) if problem]
            if not problems:
                return [_course_of(report, pair) for report in reports]
    raise AssertionError(f"polite bots alone: {problems}")


def _compare(course: Course, expected: Course) -> Iterator[str]:
    for batch, (answers, wanted) in enumerate(zip(course.answers, expected.answers, strict=False), 1):
        if answers != wanted:
            yield f"batch {batch} is {answers}, with a polite bot it is {wanted}"
            return
    for name in ("deals", "scores"):
        came, wanted_one = getattr(course, name), getattr(expected, name)
        if came != wanted_one:
            yield f"{name}: {came}, with a polite bot {wanted_one}"
    for rival, (lines, wanted_lines) in enumerate(zip(course.heard, expected.heard, strict=True)):
        both = min(len(lines), len(wanted_lines))
        if lines[:both] != wanted_lines[:both] or both < _turns(expected):
            yield f"rival {rival} was told other things: {lines}, not {wanted_lines}"
    if len(course.answers) != len(expected.answers):
        yield f"{len(course.answers)} batches, with a polite bot {len(expected.answers)}"


def _turns(course: Course) -> int:
    """In each of them everybody is asked at least once."""
    return sum(len(answers) > 1 for answers, _ in course.answers)


def _judge(report: Report, behaviour: Behaviour) -> list[str]:
    """Verdict, rivals, record."""
    problems = [f"the match is void: {report.result.void}"] if report.result.void else []
    honest = _honest(behaviour.pair)
    for seat, result in enumerate(report.result.seats):
        log = report.logs[seat]
        if seat in honest:
            problems += [f"rival at seat {seat}: {fault.facts()}" for fault in result.faults]
            continue
        problems += [f"seat {seat} {line}" for line in log.splitlines() if line.startswith("escaped: ")]
        kinds = {fault.kind for fault in result.faults}
        if not kinds and (CONTAINED not in behaviour.verdicts or "held: " not in log):
            problems.append(f"seat {seat} had no fault and told {log[-300:]!r}")
        if unwanted := kinds - set(behaviour.verdicts):
            problems.append(f"seat {seat} had faults of {sorted(unwanted)}: {_last(report, seat)}")
        problems += [
            f"seat {seat} was not told of {behaviour.says}: {fault.got}"
            for fault in result.faults
            if behaviour.says not in fault.got
        ]
        if log.count("started\n") > 1:
            problems.append(f"seat {seat} was started more than once")
        if FaultKind.CRASH in kinds and not result.faults[-1].exit:
            problems.append(f"seat {seat}: nothing tells how it ended")
    return problems + list(_judge_record(report))


def _last(report: Report, seat: int) -> str:
    fault = report.result.seats[seat].faults[-1]
    return f"expected {fault.expected}, got {fault.got}, {fault.exit}, stderr {fault.stderr[-400:]!r}"


def _judge_record(report: Report) -> Iterator[str]:
    assert report.record is not None
    data = report.record.read_bytes()
    lines = read_lines(report.record)
    verdict = verify(lines)
    if verdict.difference or not verdict.finished or verdict.torn:
        yield f"the record does not verify: {verdict}"
    if len(data) > LARGEST_RECORD:
        yield f"the record has {len(data)} bytes"
    if any(len(log) > LARGEST_LOG for log in report.logs):
        yield f"logs of {[len(log) for log in report.logs]} characters"
    if any((byte < 32 and byte != 10) or byte > 126 for byte in data):
        yield "the record holds raw bytes that a terminal might obey"
    yield from unclean(report)
