"""The entry point of `bullring`: the commands of the arena, and those of the ladder."""

from importlib import import_module
from typing import Any, NoReturn

import click

from arena import cli

LADDER = {"duel": "ladder.cli_duel", "ladder": "ladder.cli", "watch": "ladder.cli_watch"}
"""Commands and their modules, imported when they are wanted: numpy takes longer to load than a short match to play."""


class Commands(click.Group):
    """Those of the arena, and those of the ladder."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names."""
        return sorted([*super().list_commands(ctx), *LADDER])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name."""
        if cmd_name in LADDER:
            command: Any = getattr(import_module(LADDER[cmd_name]), cmd_name)
            assert isinstance(command, click.Command)
            return command
        return super().get_command(ctx, cmd_name)


bullring = Commands(
    name="bullring",
    help=cli.cli.help,
    commands=cli.cli.commands,
    params=cli.cli.params,
    context_settings=cli.cli.context_settings,
)
"""The whole command."""


def main() -> NoReturn:
    """Run it."""
    cli.main(bullring)
