"""Screens without a terminal: what is shown, pressed and read."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen

from bullring.arena.watching.screens.shell import Shell
from tests.support.patience import PATIENCE

Shown = TypeVar("Shown", bound=Screen[Any])
Running = TypeVar("Running", bound=App[int])

OPEN = "open"
"""The result of a screen that was not left."""


def run(
    app: Running, steps: Callable[[Running, Pilot[int]], Awaitable[None]], size: tuple[int, int] = (80, 24)
) -> Running:
    """Run an application, and do something with it."""

    async def main() -> None:
        async with app.run_test(size=size) as pilot:
            try:
                async with asyncio.timeout(PATIENCE):
                    await steps(app, pilot)
            except TimeoutError as error:
                error.add_note(text_of(app.screen))
                raise

    asyncio.run(main())
    return app


def show(
    make: Callable[[], Shown], steps: Callable[[Shown, Pilot[int]], Awaitable[None]], size: tuple[int, int] = (80, 24)
) -> Any:
    """Show a screen alone, and do something with it. Returns the result that it gave, or `OPEN`."""
    given: list[Any] = []

    async def main(app: Shell, pilot: Pilot[int]) -> None:
        screen = make()
        app.push_screen(screen, given.append)
        await until(lambda: screen.is_current)
        await pilot.pause()
        await steps(screen, pilot)
        await pilot.pause()

    run(Shell(), main, size)
    return given[0] if given else OPEN


async def until(condition: Callable[[], object]) -> None:
    """Wait for something to happen on the screen."""
    while not condition():
        await asyncio.sleep(0.01)


def text_of(screen: Screen[Any]) -> str:
    """The text on the screen."""
    return "\n".join(strip.text for strip in screen._compositor.render_strips())
