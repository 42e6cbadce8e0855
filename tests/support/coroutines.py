"""Tests that are coroutines, so that no function has to stand within a function."""

import asyncio
from collections.abc import Callable, Collection, Coroutine
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from typing import Any

Test = Callable[..., Coroutine[Any, Any, None]]


def made(test: Test, own: Collection[object], run: Callable[..., object], *needs: str) -> Callable[..., None]:
    """Make a test of a coroutine.

    `run` gives it the parameters whose types are `own`, and gets the fixtures that it `needs` itself. All others are fixtures and
    parameters of the test, by their names.
    """
    wanted = [name for name, one in signature(test).parameters.items() if one.annotation not in own]

    @wraps(test)
    def called(**given: Any) -> None:
        run(partial(test, **{name: given[name] for name in wanted}), *(given[name] for name in needs))

    names = dict.fromkeys((*needs, *wanted))
    called.__dict__["__signature__"] = Signature([Parameter(name, Parameter.KEYWORD_ONLY) for name in names])
    return called


def in_asyncio(test: Test) -> Callable[..., None]:
    """Make a test of a coroutine of asyncio."""
    return made(test, (), lambda main: asyncio.run(main()))
