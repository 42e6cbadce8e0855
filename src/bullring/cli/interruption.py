"""Signals that end a command: what Ctrl-C does in Python, SIGTERM and SIGHUP do, too, so that everything is cleaned up.

Imports next to nothing, because this is the first thing that a command does. `signals` takes over while a command plays.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_raised: list[int] = []
"""Signals for which an exception was raised. It may have got lost: Python drops those raised in a destructor, for example."""


def heard() -> list[signal.Signals]:
    """Those signals that are not ignored. Signals ignored from the start stay ignored, as nohup and shells intend."""
    return [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]


def interrupt_on_signals() -> None:
    """From now on, SIGTERM and SIGHUP raise `KeyboardInterrupt` in the main thread."""
    for number in heard():
        signal.signal(number, _interrupt)


@contextmanager
def kept(note: Callable[[int], None]) -> Iterator[None]:
    """Inside, signals only call `note`: there are places where an exception at any moment would break more than it ends.

    Signals that came before, and nevertheless have ended nothing, are noted, too.
    """

    def take(number: int, frame: FrameType | None) -> None:
        note(number)

    before = {number: signal.signal(number, take) for number in heard()}
    try:
        for number in _raised:
            note(number)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    _raised.append(number)
    raise KeyboardInterrupt
