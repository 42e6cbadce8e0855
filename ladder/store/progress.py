"""How far long work on a home has come, told to whoever shows it."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Tell = Callable[[str, int, int], None]
"""Takes what is being done, such as "records verified", how many are done, and how many there are, about."""

T = TypeVar("T")


def nobody(what: str, done: int, total: int) -> None:
    """Show it to nobody."""


def told(things: Iterable[T], what: str, total: int, tell: Tell) -> Iterator[T]:
    """The same things, each told as it is taken."""
    for done, thing in enumerate(things):
        tell(what, done, total)
        yield thing
