"""What the terminal can do."""

import os
import sys


def full_screen() -> bool:
    """Whether a full screen can be drawn: both ends are a terminal, and it knows more than lines."""
    return sys.stdin.isatty() and sys.stdout.isatty() and draws()


def draws() -> bool:
    """Whether the terminal can move its cursor: TERM says so."""
    return os.environ.get("TERM", "dumb") not in ("", "dumb")
