"""Interrupting what a command plays: Ctrl-C, SIGTERM and SIGHUP."""

import signal
from collections.abc import Awaitable, Callable

import trio

from bullring.cli.interruption import heard, kept
from bullring.errors import INTERRUPTED


def play(main: Callable[[], Awaitable[None]], patient: Callable[[], bool] | None = None) -> int:
    """Run `main` with trio until it is done or interrupted. Returns 0, or the exit code of an interruption.

    On Ctrl-C, call `patient` if it is given: if it returns True, `main` will end by itself. Otherwise, and on any other signal,
    cancel `main` at once.
    """
    code = 0
    early: list[int] = []
    """Signals that came before trio listened to them."""

    def ends(number: int) -> bool:
        nonlocal code
        code = INTERRUPTED
        return number != signal.SIGINT or patient is None or not patient()

    async def heed(nursery: trio.Nursery) -> None:
        with trio.open_signal_receiver(*heard()) as signals:
            if early:
                ends(signal.SIGTERM)
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

    with kept(early.append):
        trio.run(both)
    return code
