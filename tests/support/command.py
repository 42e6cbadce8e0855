"""The command `bullring` as a user runs it."""

import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from bullring.cli.program import program
from tests.support.patience import PATIENCE
from tests.support.processes import BOTS

BULLRING = Path(sys.executable).parent / "bullring"


def bullring(*arguments: str, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """Run it to its end, without a terminal."""
    return subprocess.run(
        [str(BULLRING), *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=cwd,
        check=False,
        env={**os.environ, "COLUMNS": "100"},
    )


def here(*arguments: str) -> Result:
    """The command in this process, for what starts no bots: it is much quicker."""
    return CliRunner(env={"COLUMNS": "100"}).invoke(program, arguments)


def command_of(name: str) -> str:
    """A test bot as a command line."""
    return f"{sys.executable} {BOTS / name}.py"


POLITE = command_of("polite")
