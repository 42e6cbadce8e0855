"""Signals that end a command: SIGTERM and SIGHUP do what Ctrl-C does in Python, so that everything is cleaned up.

Imports next to nothing, because a command calls `interrupt_on_signals` first of all. `play` takes over while a command plays.
"""

import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_raised: list[int] = []
"""Signals for which an exception was raised. It may have got lost: Python drops those raised in a destructor, for example."""


def heard() -> list[signal.Signals]:
    """The signals that are not ignored. Signals ignored from the start stay ignored, as nohup and shells intend."""
    return [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]


def interrupt_on_signals() -> None:
    """From now on, SIGTERM and SIGHUP raise `KeyboardInterrupt` in the main thread."""
    for number in heard():
        signal.signal(number, _interrupt)
    sys.unraisablehook = _say_unraisable


def _say_unraisable(unraisable: "sys.UnraisableHookArgs") -> None:
    """Say that an exception was dropped, unless it is an interrupt, which was noted."""
    if not isinstance(unraisable.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)


def _interrupt(number: int, frame: FrameType | None) -> None:
    _raised.append(number)
    raise KeyboardInterrupt


@contextmanager
def noted(note: Callable[[int], None]) -> Iterator[None]:
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


def play(main: Callable[[], Awaitable[None]], patient: Callable[[], bool] | None = None) -> int:
    """Run `main` with trio until it is done or interrupted. Returns 0, or the exit code of an interruption.

    On Ctrl-C, call `patient` if it is given: if it returns True, `main` will end by itself. Otherwise, and on any other signal,
    cancel `main` at once. Where there is `patient`, SIGTERM is the order of a service manager, which is carried out: 0.
    """
    import trio  # most commands play nothing

    from bullring.errors import DONE, INTERRUPTED

    code = 0
    early: list[int] = []
    """Signals that came before trio listened to them."""

    def ends(number: int) -> bool:
        nonlocal code
        code = DONE if number == signal.SIGTERM and patient is not None and not code else INTERRUPTED
        return number != signal.SIGINT or patient is None or not patient()

    async def heed(nursery: trio.Nursery) -> None:
        nonlocal code
        with trio.open_signal_receiver(*heard()) as signals:
            if early:
                code = INTERRUPTED
                return
            nursery.start_soon(go, nursery)
            async for number in signals:
                if ends(number):
                    nursery.cancel_scope.cancel()
                    return

    async def go(nursery: trio.Nursery) -> None:
        await main()
        nursery.cancel_scope.cancel()

    async def both() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(heed, nursery)

    with noted(early.append):
        trio.run(both)
    return code
