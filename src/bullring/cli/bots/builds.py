"""What the command line says of builds, on stderr."""

import click

from bullring.arena.cells.text.harmless import harmless
from bullring.errors import BuildFailure

_LINES = 30
"""Lines of the end of a log that are shown."""


def tell_of_build(text: str) -> None:
    """Say that a build begins."""
    click.echo(harmless(text, 200), err=True)


def show_end_of_log(failure: BuildFailure) -> None:
    """Show how the log of a failed build ends."""
    for line in failure.log.splitlines()[-_LINES:]:
        click.echo(f"| {harmless(line, 500)}", err=True)
    if failure.log_path:
        click.echo(f"| (all of it: {harmless(failure.log_path)})", err=True)
