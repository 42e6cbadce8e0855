"""The entry point: imports nothing before it can be interrupted, because importing the rest takes a moment."""

import gc
import sys


def main() -> None:
    """The entry point. Exits with the exit code (`bullring.errors`)."""
    gc.disable()  # until its command is imported: searching modules for garbage took a sixth of a command's start
    try:
        from bullring.cli import program
    except KeyboardInterrupt:
        sys.stderr.write("bullring: interrupted\n")
        sys.exit(130)  # `bullring.errors.INTERRUPTED`, which may not be imported yet
    program.main()
