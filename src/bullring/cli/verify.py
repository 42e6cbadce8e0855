"""`bullring verify`: recompute a recorded match."""

from pathlib import Path

import click

from bullring.arena.display.text import harmless
from bullring.arena.records.reading import read_lines
from bullring.arena.records.verification import verify
from bullring.arena.rules.wording.words import counted
from bullring.errors import DONE, FAILED, RecordError


def naming(file: Path, error: RecordError) -> RecordError:
    """The error with the name of the file, unless the error begins with it already."""
    return error if str(error).startswith(f"{file} ") else RecordError(f"{file}: {error}")


@click.command(name="verify")
@click.argument("file", type=click.Path(path_type=Path))
def command(file: Path) -> int:
    """Recompute a recorded match and report the first difference.

    The exit code is 1 if something differs or the record is not finished.
    """
    try:
        verdict = verify(read_lines(file))
    except RecordError as error:
        raise naming(file, error) from None
    name = harmless(file)
    if verdict.difference is not None:
        click.echo(f"{name}: does not verify: {harmless(verdict.difference)}")
        return FAILED
    done = f"{counted(verdict.deals, 'deal')} and {counted(verdict.answers, 'answer')}"
    if not verdict.finished:
        click.echo(
            f"{name}: unfinished: {done} agree; the deals cannot be checked, as the seed is only in the last line"
        )
        return FAILED
    click.echo(f"{name}: verified: {done}, placements, scores, seed and commitment")
    return DONE
