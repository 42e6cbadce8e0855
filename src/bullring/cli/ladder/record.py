"""`bullring ladder record`: the record of a match as a file."""

from pathlib import Path

import click

from bullring.cli.options import home_option
from bullring.cli.recorded import recorded
from bullring.errors import StoreError


@click.command(name="record")
@click.argument("match", type=click.IntRange(1))
@click.option("--out", type=click.Path(path_type=Path), help="Write to this file. Default: stdout.")
@home_option
def command(match: int, out: Path | None, home: Path | None) -> None:
    """Print the record of a match, to share it: `bullring replay` and `verify` read it anywhere.

    In a home the records of all matches are packed together.
    """
    from bullring.ladder.store.home import Home

    text = recorded(Path(str(match)), Home.find(home).path)[0].read_bytes()
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        out.write_bytes(text)
    except OSError as error:
        raise StoreError(f"{out} cannot be written: {error.strerror or error}") from None
