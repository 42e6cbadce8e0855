"""Interrupting a run: Ctrl-C, SIGTERM and SIGHUP."""

import signal
from collections.abc import Awaitable, Callable

import trio

from bullring.errors import INTERRUPTED

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def play(main: Callable[[], Awaitable[None]], patient: Callable[[], bool] | None = None) -> int:
    """Run `main` with trio until it is done or interrupted. Returns 0, or the exit code of an interruption.

    On Ctrl-C, call `patient` if it is given: if it returns True, `main` will end by itself. Otherwise, and on any other signal,
    cancel `main` at once.
    """
    code = 0

    async def heed(nursery: trio.Nursery) -> None:
        nonlocal code
        # Signals ignored from the start stay ignored, as nohup and shells intend.
        heard = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
        with trio.open_signal_receiver(*heard) as signals:
            nursery.start_soon(go, nursery)
            async for number in signals:
                code = INTERRUPTED
                if number != signal.SIGINT or patient is None or not patient():
                    nursery.cancel_scope.cancel()
                    return

    async def go(nursery: trio.Nursery) -> None:
        await main()
        nursery.cancel_scope.cancel()

    async def both() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(heed, nursery)

    trio.run(both)
    return code
