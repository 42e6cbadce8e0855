"""The record that the user means, a file or a match of a ladder by its number; and lines about what is wrong with records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import count, groupby, islice
from operator import itemgetter
from pathlib import Path

import click

from bullring.cli.late import late
from bullring.cli.options import PATH
from bullring.errors import LadderError, RecordError

with late():
    from bullring.arena.cells.text.harmless import harmless
    from bullring.arena.study.analysis.kept import beside


MATCH = "match "
"""Before the number of a match in the name of a finding."""
MOST_PARTS = 100
"""Most names and ranges of matches in a line."""

record_argument = click.argument("file", metavar="FILE|MATCH", type=PATH)
match_home_option = click.option("--home", type=PATH, help="The ladder whose MATCH is meant, such as 17.")


def _is_number(file: Path) -> bool:
    name = str(file)
    return name.isascii() and name.isdecimal() and len(name) < 19


def is_match(file: Path) -> bool:
    """Whether this is the number of a match, and not a file."""
    return _is_number(file) and not file.exists()


def _number_of(file: Path) -> int:
    """The number of the match that is meant. Raises `click.UsageError`."""
    if not _is_number(file):
        raise click.UsageError(f"with --home, a match is given by its number, such as 17, not {str(file)[:80]!r}")
    return int(str(file))


def recorded(file: Path, home: Path | None) -> tuple[Path, Path]:
    """The file of the record, and where its analysis is kept: beside it, or in the home of the ladder. Raises `LadderError`.

    A number is a match of a ladder, unless there is a file of that name and no `home` is given.
    """
    if home is None and not is_match(file):
        return file, beside(file)
    number = _number_of(file)
    from bullring.ladder.store.home import Home

    place = Home.find(home)
    record = place.record(number)
    if not record.is_file():
        raise LadderError(
            f"there is no record of match {number} in {place.path}; list matches with: bullring ladder matches"
        )
    return record, place.analysis(number)


def party_of(file: Path, home: Path | None) -> str:
    """The bots of the match as text for another process: of a match of a ladder, the versions that played it; of a file, built-in
    bots by their names.

    Raises `BullringError` if one of them is not there any more, or is not known.
    """
    from bullring.arena.study.branches.party import Party

    if home is None and not is_match(file):
        from bullring.arena.cells.bots import builtin
        from bullring.arena.cells.bots.load import load
        from bullring.arena.match.records.reader import parse_line, read_lines
        from bullring.arena.settings.load import load_settings

        settings, head = load_settings(None, ()), parse_line(next(read_lines(file).raw()), 1)
        names = [str(program["name"]) if program else "" for program in head["programs"]]
        if head.get("people") or not {*names} <= {*builtin.names()}:
            raise LadderError("only bots of a ladder's home, and built-in ones, are known again")
        return Party([settings.admit(load(f"@{name}")) for name in names], settings.sandbox, settings.build).told()
    number = _number_of(file)
    from bullring.ladder.store.home import Home

    place = Home.find(home)
    settings = place.settings()
    with closing(place.store(read_only=True)) as store:
        rows = {row.id: row for row in store.bots()}
        if not store.has(number):
            raise LadderError(f"match {number} is not stored in {place.path}")
        bots = [place.bot(rows[bot]) for bot in store.match(number).bots]
    return Party(bots, settings.sandbox, settings.build, place.builds).told()


def named_match(file: Path, home: Path | None) -> tuple[str | None, int | None]:
    """The name of the ladder whose match is meant, and its number; None for a record in a file. Raises `LadderError`."""
    if home is None and not is_match(file):
        return None, None
    number = _number_of(file)
    from bullring.ladder.store.home import Home

    return Home.find(home).name, number


def naming(file: Path, error: RecordError) -> RecordError:
    """The error with the name of the file, unless the error begins with it already."""
    return error if str(error).startswith(f"{file} ") else RecordError(f"{file}: {error}")


def finding_lines(findings: Iterable[tuple[str, str]], most: int) -> tuple[list[str], int]:
    """At most `most` lines about findings, each a name and what is wrong; and the number of findings in these lines.

    Findings that follow each other with the same fault share a line.
    """
    lines, told = [], 0
    for why, same in islice(groupby(findings, key=itemgetter(1)), most):
        names = [name for name, _ in same]
        lines.append(f"{harmless(_together(names))}: {harmless(why)}")
        told += len(names)
    return lines, told


def _together(names: Sequence[str]) -> str:
    """Names as a list, in which matches with numbers that follow each other are one part."""
    numbers = sorted(int(name.removeprefix(MATCH)) for name in names if name.startswith(MATCH))
    places = count()
    ranges = [list(run) for _, run in groupby(numbers, key=lambda number: number - next(places))]
    parts = [name for name in names if not name.startswith(MATCH)]
    parts += [f"{MATCH}{run[0]}" + (f" to {run[-1]}" if run[1:] else "") for run in ranges]
    more = f" and {len(parts) - MOST_PARTS} more" if len(parts) > MOST_PARTS else ""
    return ", ".join(parts[:MOST_PARTS]) + more
