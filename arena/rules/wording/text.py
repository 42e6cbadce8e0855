"""A text in both languages, and the sections that the rules of a game consist of."""

from dataclasses import dataclass
from typing import NamedTuple


class Text(NamedTuple):
    """The same in English and German. What stands in {braces} is a figure of the game."""

    en: str
    de: str


@dataclass(frozen=True)
class Rules:
    """The rules of a game, section by section in the order in which they are read; an empty section is left out.

    Options and source are no sections here: they are declared by the game itself.
    """

    about: tuple[Text, ...]
    box: tuple[Text, ...]
    """Author, age, duration."""
    players: tuple[Text, ...]
    cards: tuple[Text, ...]
    """A table of the heads follows."""
    deal: tuple[Text, ...]
    turn: tuple[Text, ...]
    place: tuple[Text, ...]
    special: tuple[Text, ...] = ()
    score: tuple[Text, ...] = ()
    end: tuple[Text, ...] = ()
    examples: tuple[Text, ...] = ()
    tips: tuple[Text, ...] = ()
    rulings: tuple[Text, ...] = ()
    """How questions are decided that the rulebooks leave open."""
