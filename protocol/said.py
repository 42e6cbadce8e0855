"""A bot's messages as plain values."""

from dataclasses import dataclass
from typing import NamedTuple

Option = int | str | list[int]
"""One legal answer: a whole number (a card, a row), a word, or a few numbers."""


@dataclass(frozen=True, slots=True)
class Index:
    """An answer by its position among the options. It never equals an option."""

    position: int
    """From 0."""


Said = Option | Index
"""An answer: one of the options, or its position."""


class Greeting(NamedTuple):
    """A hello."""

    name: str
    version: str


class Answer(NamedTuple):
    """A choice."""

    id: int
    """The id of the decide that it answers."""
    said: Said
