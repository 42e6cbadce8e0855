"""How a call of the API runs and ends, whoever makes it: a script, a notebook, asyncio or trio.

What plays is written once, as a coroutine for trio: `awaited` lets asyncio await it, too, and `waiting` makes the plain function
of it. What fails with an error of Bullring fails in one line: `brief` drops the frames of the house, which tell a caller nothing,
and the groups in which trio's nurseries wrap an error.
"""

import builtins
import re
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial, wraps
from inspect import Parameter, signature
from numbers import Integral, Real
from types import FrameType, UnionType
from typing import Any, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

import trio

from bullring.errors import BullringError, UsageError, first_error

P = ParamSpec("P")
T = TypeVar("T")

WAKE = 0.25
"""Seconds after which asyncio's loop is woken at the latest: in a notebook, it hears of Ctrl-C only when it wakes."""


MISTAKES = (AttributeError, TypeError)
"""The errors that an argument of a wrong type leads to somewhere inside."""


class _Ended(Exception):
    """A call was ended from outside."""


def brief(call: Callable[P, T]) -> Callable[P, T]:
    """The function, whose errors do not show what is inside it."""

    @wraps(call)
    def run(*args: P.args, **given: P.kwargs) -> T:
        try:
            return call(*args, **given)
        except Exception as error:
            found = _mistake(call, args, given, error)
            if isinstance(found, BullringError):
                raise found.with_traceback(None) from None
            raise

    return run


def awaited(call: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """The coroutine function, to be awaited under trio, or under asyncio, where it runs in a thread and leaves the loop free."""

    @wraps(call)
    async def run(*args: P.args, **given: P.kwargs) -> T:
        main = partial(call, *args, **given)
        try:
            return await (main() if trio.lowlevel.in_trio_run() else _in_a_thread(main))
        except Exception as error:
            raise _plain(_mistake(call, args, given, error)) from None

    return run


def waiting(call: Callable[P, Coroutine[Any, Any, T]], name: str) -> Callable[P, T]:
    """The function `name` that waits for what the coroutine function does, in any thread, and in a notebook's, too.

    The first Ctrl-C ends it: bots and processes first, then it raises `KeyboardInterrupt`. The second one is that at once.
    """

    @wraps(call)
    def run(*args: P.args, **given: P.kwargs) -> T:
        if trio.lowlevel.in_trio_run():
            raise UsageError(f"{name}() would stop everything else in trio; use: await {call.__name__}()")
        try:
            with _interrupts() as ending:
                result = trio.run(ending.run, partial(call, *args, **given))
        except _Ended:
            raise KeyboardInterrupt from None
        except BaseException as error:
            raise _plain(_mistake(call, args, given, error)) from None
        if ending.asked:  # too late to end anything, and yet the caller is to stop
            raise KeyboardInterrupt
        return result

    run.__name__, run.__qualname__ = name, call.__qualname__.replace(call.__name__, name)
    return run


def _mistake(
    call: Callable[..., Any], args: Sequence[Any], given: Mapping[str, Any], error: BaseException
) -> BaseException:
    """The error to raise for one in a call: it names the argument whose type explains it, if there is one."""
    if not isinstance(first_error(error), MISTAKES):
        return error
    try:
        bound = signature(call).bind(*args, **given).arguments
    except TypeError:  # the names or the number of arguments, of which Python has told
        return error
    kinds = get_type_hints(call, localns=_Unimported(call.__globals__))
    for name, values in bound.items():
        many = signature(call).parameters[name].kind is Parameter.VAR_POSITIONAL
        for value in values if many else (values,):
            if name in kinds and not _fits(value, kinds[name]):
                kind = re.sub(r"\w+\.|<class '|'>", "", str(kinds[name]))
                return UsageError(f"{name} must be {kind.replace(' | ', ' or ')}, not {value!r:.80}")
    return error


class _Unimported(dict[str, Any]):
    """The names in annotations that only a type checker imports: they may be anything."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        super().__init__()
        self._known = known

    def __missing__(self, name: str) -> Any:
        if name in self._known or hasattr(builtins, name):
            raise KeyError(name)
        return Any


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value is of the kind of an annotation, as far as one can see from outside."""
    origin = get_origin(kind) or kind
    if origin in (Union, UnionType):
        return any(_fits(value, each) for each in get_args(kind))
    if origin is float:
        return isinstance(value, Real)
    if origin is int:
        return isinstance(value, Integral)
    return not isinstance(origin, type) or isinstance(value, origin)


def _plain(error: BaseException) -> BaseException:
    """The error to raise instead of this one: the one in its groups, whose traceback begins behind the house's last frame.

    So an error of a player's function shows that function, one of Bullring and a Ctrl-C nothing, and a bug of ours all.
    """
    found = first_error(error)
    if isinstance(found, BullringError | KeyboardInterrupt):
        return found.with_traceback(None)
    behind = at = found.__traceback__
    while at is not None:
        if at.tb_frame.f_globals.get("__name__", "").startswith("bullring."):
            behind = at.tb_next
        at = at.tb_next
    return found.with_traceback(behind or found.__traceback__)


class _Ending:
    """Ends a call that trio runs, from any thread or signal handler."""

    def __init__(self) -> None:
        self.asked = False
        """Whether it was asked to end."""
        self._cancel: Callable[[], None] | None = None

    def end(self) -> bool:
        """End the call. Returns whether it was asked to end before."""
        before, self.asked = self.asked, True
        if self._cancel is not None:
            with suppress(trio.RunFinishedError):
                self._cancel()
        return before

    async def run(self, main: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run `main`. Raises `_Ended` if it was ended."""
        token = trio.lowlevel.current_trio_token()
        with trio.CancelScope() as scope:
            self._cancel = partial(token.run_sync_soon, scope.cancel, idempotent=True)
            if self.asked:
                scope.cancel()
            return await main()
        raise _Ended


@contextmanager
def _interrupts() -> Iterator[_Ending]:
    """Inside, the first Ctrl-C ends the call. Threads other than the main one hear no signals."""
    ending = _Ending()

    def take(number: int, frame: FrameType | None) -> None:
        if ending.end():
            raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before in (signal.SIG_IGN, None):
        yield ending
        return
    signal.signal(signal.SIGINT, take)
    try:
        yield ending
    finally:
        signal.signal(signal.SIGINT, before)


async def _in_a_thread(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run `main` with trio in a thread, while asyncio goes on. If this is cancelled, it ends when that has ended."""
    import asyncio  # only here: plain calls do without

    ending = _Ending()
    # Not a task: those are cancelled when a loop ends, and this one would be forgotten while its thread plays on.
    work = asyncio.get_running_loop().run_in_executor(None, trio.run, ending.run, main)
    try:
        while not work.done():
            await asyncio.wait([work], timeout=WAKE)
    except asyncio.CancelledError:
        ending.end()
        while not work.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([work])
        work.exception()  # it was ended, and nobody asks for what came of it
        raise
    return work.result()


__all__ = ["awaited", "brief", "waiting"]
