"""What is being done, told to whoever waits: work that may take long says so where it is done, and a display shows it.

    with doing("verifying records", total=len(records)) as work:
        for work.done, record in enumerate(records):
            ...

Without a display, as in a process whose user looks at another one, nothing happens. Telling is cheap: a display looks at the work
when it wants to, so `done` and `detail` are just assigned.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol


@dataclass(slots=True, eq=False)
class Work:
    """Something that takes a while. Its texts may hold what strangers wrote."""

    what: str
    """What is done, as "building my-bot"."""
    total: int = 0
    """About how much there is of it; 0: not known."""
    done: int = 0
    detail: str = ""
    """What it is at just now, such as the last line of a build's log."""
    look: Callable[[], str] | None = None
    """Returns the detail anew whenever it is shown; it may be called in another thread."""


class Display(Protocol):
    """Shows work. Work begins and ends within other work, or beside it."""

    def begin(self, work: Work) -> None:
        """It has begun."""

    def end(self, work: Work) -> None:
        """It has ended, well or badly."""


class _Nobody:
    def begin(self, work: Work) -> None:
        pass

    def end(self, work: Work) -> None:
        pass


_display: Display = _Nobody()


@contextmanager
def doing(what: str, total: int = 0) -> Iterator[Work]:
    """Say that this is being done, for as long as the context lasts."""
    work, display = Work(what, total), _display
    display.begin(work)
    try:
        yield work
    finally:
        display.end(work)


@contextmanager
def shown_on(display: Display) -> Iterator[None]:
    """Show on this display all work that begins inside."""
    global _display
    before, _display = _display, display
    try:
        yield
    finally:
        _display = before


def unshown() -> AbstractContextManager[None]:
    """Show no work that begins inside: something else has the terminal."""
    return shown_on(_Nobody())
