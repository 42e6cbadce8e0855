"""`bullring ladder` with all its commands."""

from ladder import cli_home, cli_run, cli_show
from ladder.group import ladder

COMMANDS = (cli_home, cli_run, cli_show)
"""Modules that add their commands when they are imported."""

__all__ = ["ladder"]
