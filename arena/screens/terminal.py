"""What the terminal can do."""

import os
import sys
from typing import TextIO


def full_screen(out: TextIO | None = None) -> bool:
    """Whether a full screen can be drawn on `out`, by default on stdout: both ends are a terminal, and it knows more than lines."""
    out = out or sys.stdout
    return sys.stdin is not None and sys.stdin.isatty() and out.isatty() and draws()


def draws() -> bool:
    """Whether the terminal can move its cursor: TERM says so."""
    return os.environ.get("TERM", "dumb") not in ("", "dumb")
