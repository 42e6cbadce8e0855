"""A text in both languages, and the sections of a game's rules."""

from dataclasses import dataclass
from typing import NamedTuple


class Text(NamedTuple):
    """The same text in English and German. Names in {braces} are figures of the game."""

    en: str
    de: str


@dataclass(frozen=True)
class Rules:
    """The rules of a game, section by section in reading order; empty sections are left out.

    Options and source are not sections here: the game itself declares them.
    """

    about: tuple[Text, ...]
    box: tuple[Text, ...]
    """Author, age, duration."""
    players: tuple[Text, ...]
    cards: tuple[Text, ...]
    """A table of heads follows these sentences."""
    deal: tuple[Text, ...]
    turn: tuple[Text, ...]
    place: tuple[Text, ...]
    special: tuple[Text, ...] = ()
    score: tuple[Text, ...] = ()
    end: tuple[Text, ...] = ()
    examples: tuple[Text, ...] = ()
    tips: tuple[Text, ...] = ()
    rulings: tuple[Text, ...] = ()
    """Decisions on questions that the rulebooks leave open."""
