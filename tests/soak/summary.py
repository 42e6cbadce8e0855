"""A soak in figures, for people."""

from collections import Counter
from collections.abc import Iterator

from tests.soak.course import Course
from tests.soak.verdict import played

ROWS = 12
"""Readings that are shown."""


def summary(course: Course) -> Iterator[str]:
    """Line by line."""
    matches, names = played(course)
    counted = sum(match.counted for match in matches)
    hostile = set(course.ground.hostile)
    honest = sum(all(names[seat.bot] not in hostile for seat in match.seats) for match in matches)
    yield f"{len(matches)} matches, {honest} of them of honest bots alone; {counted} count"
    yield from (f"  match {match.id} is void: {match.void}" for match in matches if match.void is not None)
    seats: Counter[str] = Counter()
    faults: dict[str, Counter[str]] = {one.name: Counter() for one in course.ground.entrants}
    for match in matches:
        for seat in match.seats:
            seats[names[seat.bot]] += 1
            faults[names[seat.bot]].update(seat.faults)
    for one in course.ground.entrants:
        told = ", ".join(f"{kind} {count}" for kind, count in faults[one.name].items()) or "no faults"
        again = f", benched and reinstated {course.reinstated[one.name]} times" if one.hostile else ""
        yield f"  {one.name:24} {seats[one.name]:6} matches, {told}{again}"
    gauges = course.gauges
    yield "seconds  matches  ladder: MiB  files   referees: MiB  files  bots"
    step = max(1, len(gauges.seconds) // ROWS)
    for at in [*range(0, len(gauges.seconds) - 1, step), len(gauges.seconds) - 1]:
        ladder, workers = gauges.ladder[at], gauges.workers[at]
        yield (
            f"{gauges.seconds[at]:7.0f}  {gauges.matches[at]:7}  {ladder.resident / 2**20:11.1f}  {ladder.descriptors:5}"
            f"   {workers.resident / 2**20:13.1f}  {workers.descriptors:5}  {workers.bots:4}"
        )
