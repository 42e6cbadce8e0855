"""`bullring docs`: read the documents that come with the program."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from bullring.cli.late import late
from bullring.cli.values import Choices
from bullring.errors import UsageError
from bullring.installation import FOLDER

with late():
    from rich.console import Console
    from rich.markdown import Markdown

    from bullring.cli.paged import paged


def topics() -> dict[str, Path]:
    """The documents by name."""
    return {
        "spec": FOLDER / "protocol" / "SPEC.md",
        **{path.stem: path for path in sorted((FOLDER / "docs").glob("*.md"))},
        "samples": FOLDER / "sample_bots" / "README.md",
        "security": FOLDER / "SECURITY.md",
    }


@click.command(name="docs")
@click.argument("topic", required=False, type=Choices("topic", topics))
@click.option("--path", is_flag=True, help="Print the path of the document instead of its text.")
def command(topic: str | None, path: bool) -> None:
    """Read the documents: the protocol, ladders, the sandbox, settings.

    Without a TOPIC, list them. Outside of a terminal, print the plain Markdown.
    """
    known = topics()
    if topic is None:
        for name, file in known.items():
            click.echo(f"{name:10} {file if path else _title(file)}")
        return
    if topic not in known:
        raise UsageError(f"there is no document {topic[:40]!r}; choose one of: {', '.join(known)}")
    if path:
        click.echo(str(known[topic]))
        return
    text = known[topic].read_text("utf-8")
    if sys.stdout.isatty():
        console = Console()
        with paged(console):
            console.print(Markdown(text))
    else:
        click.echo(text, nl=False)


def _title(file: Path) -> str:
    first = file.read_text("utf-8").partition("\n")[0]
    return first.lstrip("# ")
