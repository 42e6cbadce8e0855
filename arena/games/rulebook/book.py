"""The rules of a game in one language, assembled from its wording and its figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bullring.arena.games.rulebook.language import LANGUAGES, Language
from bullring.arena.games.rules.figures import Figure
from bullring.arena.games.rules.game import Game


@dataclass(frozen=True)
class Section:
    """A titled section: paragraphs, then a table of two columns. Either may be empty."""

    title: str
    paragraphs: Sequence[str]
    rows: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Book:
    """The rules of a game in one language."""

    title: str
    names: Sequence[str]
    """The id and aliases of the game, as used on the command line."""
    sections: Sequence[Section]


def book(game: type[Game[Any]], code: str) -> Book:
    """The rules of `game` in the language with this code ("en" or "de")."""
    language, figures = LANGUAGES[code], game.figures()
    sections = []
    for name, title in language.sections.items():
        if name == "options":
            sections.append(_options(language, game, figures))
        elif name == "source":
            source = language.of(game.source)
            sections.append(Section(title, [source[0].upper() + source[1:] + "."]))
        elif texts := getattr(game.rules, name):
            paragraphs = [language.fill(text, figures) for text in texts]
            rows = _heads(language, game) if name == "cards" else ()
            sections.append(Section(title, paragraphs, rows))
    return Book(language.of(game.title), (game.id, *game.aliases), sections)


def _heads(language: Language, game: type[Game[Any]]) -> list[tuple[str, str]]:
    """The table of heads: for each number of heads, highest first, its cards. The last line covers all other cards."""
    bears, deck = game.heads, sorted(set(game(game.seat_range[1]).deck()))
    values = sorted({bears[card] for card in deck}, reverse=True)
    return [
        (
            language.heads(value),
            language.cards([card for card in deck if bears[card] == value], last=value == values[-1]),
        )
        for value in values
    ]


def _options(language: Language, game: type[Game[Any]], figures: Mapping[str, Figure]) -> Section:
    rows = [(spec.name, language.option(spec, figures)) for spec in game.option_specs]
    return Section(language.sections["options"], [language.words["how" if rows else "none"]], rows)
