"""`bullring replay`: show a recorded match."""

import json
from pathlib import Path

import click

from bullring.arena.display.story import Story
from bullring.arena.display.text import harmless
from bullring.arena.records.reading import read_lines
from bullring.arena.records.replay import Replay, Wrote
from bullring.arena.rules.wording.words import counted
from bullring.cli.verify import naming
from bullring.errors import RecordError, SeatsError


@click.command(name="replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one event per line, as JSON.")
@click.option(
    "--stderr", "stderr_of", type=int, metavar="SEAT", help="Print what the bot of this seat wrote to stderr."
)
def command(file: Path, as_json: bool, stderr_of: int | None) -> None:
    """Show a recorded match, turn by turn."""
    try:
        lines = read_lines(file)
        replay = Replay(telling=True)
        story = Story(replay)
        for number, happening in replay.play(lines):
            if stderr_of is not None:
                if isinstance(happening, Wrote) and happening.seat == stderr_of:
                    for line in happening.text.splitlines():
                        click.echo(harmless(line))
            elif as_json:
                for event in happening.lines():
                    click.echo(json.dumps({"line": number, **event}))
            else:
                for line in story.lines(happening):
                    click.echo(line)
    except RecordError as error:
        raise naming(file, error) from None
    if stderr_of is not None and stderr_of not in range(len(replay.names)):
        raise SeatsError(f"--stderr must be a seat from 0 to {len(replay.names) - 1}, not {stderr_of}")
    if not lines.finished:
        torn = f" (its last line is incomplete: {counted(lines.torn, 'byte')})" if lines.torn else ""
        click.echo(f"bullring: {harmless(file)} ends before its match is over{torn}", err=True)
