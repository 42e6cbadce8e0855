"""The abilities of the terminal, and whether it is still there."""

import os
import sys
import termios
from pathlib import Path
from typing import TextIO


def full_screen(out: TextIO | None = None) -> bool:
    """Whether a full screen can be drawn on `out`, by default on stdout: both ends are a terminal, and it knows more than lines."""
    return _terminal(out or sys.stdout) and draws()


def only_lines() -> bool:
    """Whether both ends are a terminal that knows nothing but lines, so that no full screen can be drawn on it."""
    return _terminal(sys.stdout) and not draws()


def draws() -> bool:
    """Whether the terminal can move its cursor: TERM says so."""
    return os.environ.get("TERM", "dumb") not in ("", "dumb")


def _terminal(out: TextIO) -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and out.isatty()


def gone(descriptor: int = 0) -> bool:
    """Whether the terminal that this descriptor leads to has been closed."""
    try:
        termios.tcgetattr(descriptor)
    except termios.error:
        return os.isatty(descriptor) or _hung_up(descriptor)
    return False


def _hung_up(descriptor: int) -> bool:
    """Whether it was a terminal: one that is gone can still be named."""
    try:
        return str(Path(f"/proc/self/fd/{descriptor}").readlink()).startswith(("/dev/pts/", "/dev/tty"))
    except OSError:
        return True
