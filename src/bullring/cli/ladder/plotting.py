"""What the commands that plot have in common: how it is printed, and where a picture goes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from bullring.errors import WriteError

FORMATS = ("plot", "table", "json", "svg", "png")

PICTURES = ("svg", "png")
"""Formats that go to a file."""

_BEGINNINGS = (b"<?xml", b"<svg", b"\x89PNG")


def plot_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options --format, --json, --output and --overwrite."""
    for option in (
        click.option("--overwrite", is_flag=True, help="Let --output replace a picture that exists."),
        click.option(
            "--output", type=click.Path(path_type=Path), metavar="FILE", help="Where a picture (svg, png) goes."
        ),
        click.option("--json", "as_json", is_flag=True, help="Print JSON; short for --format json."),
        click.option(
            "--format",
            "format_",
            type=click.Choice(FORMATS),
            help="How to print it: svg and png need `pip install 'bullring[plots]'`.  [default: plot on a terminal, else table]",
        ),
    ):
        command = option(command)
    return command


def wished(format_: str | None, output: Path | None, *, as_json: bool, console: Console) -> str:
    """The format that is meant. Raises `UsageError` if the options do not fit each other."""
    if as_json and format_ not in (None, "json"):
        raise click.UsageError("give either --json or --format")
    if format_ in PICTURES and output is None:
        raise click.UsageError(f"--format {format_} needs --output FILE")
    if output is not None and format_ not in PICTURES:
        raise click.UsageError("--output is for --format svg or png")
    return (
        "json" if as_json else format_ or ("plot" if console.is_terminal and not console.is_dumb_terminal else "table")
    )


def free(output: Path, *, overwrite: bool) -> Path:
    """The file of a picture, if it may be written. Raises `WriteError`."""
    if not output.parent.is_dir():
        raise WriteError(f"the folder {output.parent} does not exist; make it first")
    if output.exists():
        if not output.is_file():
            raise WriteError(f"{output} is no file; give --output another name")
        with output.open("rb") as file:
            beginning = file.read(5)
        if beginning and not beginning.startswith(_BEGINNINGS):
            raise WriteError(f"{output} exists and is no picture, so it is not overwritten; give --output another name")
        if beginning and not overwrite:
            raise WriteError(f"{output} exists; give --output another name, or add --overwrite")
    return output
