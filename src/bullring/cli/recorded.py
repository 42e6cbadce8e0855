"""The record that the user means: a file, or a match of a ladder by its number."""

from pathlib import Path

import click

from bullring.arena.study.analysis.kept import beside
from bullring.errors import LadderError

record_argument = click.argument("file", metavar="FILE|MATCH", type=click.Path(path_type=Path))
match_home_option = click.option(
    "--home", type=click.Path(path_type=Path), help="The ladder whose MATCH is meant, such as 17."
)


def is_match(file: Path) -> bool:
    """Whether this is the number of a match, and not a file."""
    name = str(file)
    return name.isascii() and name.isdecimal() and len(name) < 19 and not file.exists()


def recorded(file: Path, home: Path | None) -> tuple[Path, Path]:
    """The file of the record, and where its analysis is kept: beside it, or in the home of the ladder. Raises `LadderError`.

    A number is a match of a ladder, unless there is a file of that name and no `home` is given.
    """
    name = str(file)
    is_number = name.isascii() and name.isdecimal() and len(name) < 19
    if home is None and (not is_number or file.exists()):
        return file, beside(file)
    if not is_number:
        raise click.UsageError(f"with --home, a match is given by its number, such as 17, not {name[:80]!r}")
    from bullring.ladder.store.home import Home

    place = Home.find(home)
    record = place.record(int(name))
    if not record.is_file():
        raise LadderError(
            f"there is no record of match {name} in {place.path}; list matches with: bullring ladder matches"
        )
    return record, place.analysis(int(name))
