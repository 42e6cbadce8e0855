"""The first process of a cell with process ids of its own: a shell that waits for the program and takes in orphans.

It ends with the program's status, or with a status above 128 if a signal ended the program, which may also be a status of the
program's own. But it says so on stderr ("Segmentation fault"), and by that the two are told apart.
"""

import signal

SHELL = "/bin/sh"

COMMAND = (SHELL, "-c", '"$@"; exit $?', "sh")
"""To be put before the program and its arguments. The second command keeps the shell from becoming the program."""

UNREADABLE = "/sh"
"""Where bubblewrap puts a copy of the shell that can be executed, but not read. So the kernel lets no program of the same user
look into the process or write to its memory (`/proc/1/mem`, ptrace), and code that a bot put there would run while it is frozen."""


def after(*steps: str) -> tuple[str, ...]:
    """The same, after these steps of a script."""
    return (*COMMAND[:2], "; ".join((*steps, COMMAND[2])), *COMMAND[3:])


def limit(addresses: int) -> str:
    """A step: a limit in bytes on the addresses of each process (RLIMIT_AS). Engines of containers know no such limit."""
    return f"ulimit -v {addresses >> 10}"


LAST_WORDS = 256
"""Bytes at the end of stderr to look for what the shell says of a signal."""

_UNTOLD = (signal.SIGINT, signal.SIGPIPE, signal.SIGTERM)
"""Signals about which some shells say nothing."""


def signal_of(status: int, last_words: bytes) -> int:
    """The number of the signal that ended the program; 0 if it exited by itself, or where that cannot be told."""
    number = status - 128
    if number not in signal.valid_signals():
        return 0
    said = signal.strsignal(number) or ""
    return number if said.encode() in last_words else 0


def told(status: int, last_words: bytes) -> str:
    """Describe how the program ended, by the status of the first process and the end of what came on stderr."""
    if number := signal_of(status, last_words):
        return f"killed by {name(number)}"
    return either(status) if status - 128 in _UNTOLD else f"exited with status {status}"


def either(status: int) -> str:
    """Describe how a program ended of which only such a status is known."""
    if status - 128 not in signal.valid_signals():
        return f"exited with status {status}"
    return f"killed by {name(status - 128)}, or exited with status {status}"


def name(number: int) -> str:
    """The name of a signal; not all of those for real time have one."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
