"""The progress of long work on a home, for a display."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Tell = Callable[[str, int, int], None]
"""Takes a name for the work, such as "records verified", the number done, and about the number of all."""

T = TypeVar("T")


def nobody(what: str, done: int, total: int) -> None:
    """Do not show it."""


def told(things: Iterable[T], what: str, total: int, tell: Tell) -> Iterator[T]:
    """The same things; each is told as it is taken."""
    for done, thing in enumerate(things):
        tell(what, done, total)
        yield thing
