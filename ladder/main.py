"""The entry point of `bullring`: the commands of the arena, and those of the ladder."""

from typing import NoReturn

from arena import cli
from ladder import cli_duel, cli_run, cli_show, cli_watch

COMMANDS = (cli_duel, cli_run, cli_show, cli_watch)
"""Modules that add their commands when they are imported."""

bullring = cli.cli
"""The whole command."""


def main() -> NoReturn:
    """Run it."""
    cli.main()
