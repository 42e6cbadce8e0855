"""The command `bullring` as a user runs it."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.processes import BOTS

BULLRING = Path(sys.executable).parent / "bullring"


def bullring(*arguments: str, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """Run it to its end, without a terminal."""
    return subprocess.run(
        [str(BULLRING), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=cwd,
        check=False,
        env={**os.environ, "COLUMNS": "100"},
    )


def command_of(name: str) -> str:
    """A test bot as a command line."""
    return f"{sys.executable} {BOTS / name}.py"


POLITE = command_of("polite")
