"""The rules of a game, put together: its layout, in the words of a language, with its figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.rulebook.de import GERMAN
from arena.rulebook.en import ENGLISH
from arena.rulebook.facts import Facts, facts_of
from arena.rulebook.language import Language
from arena.rulebook.layout import LAYOUTS, SECTIONS
from arena.rules.game import Game

LANGUAGES = {language.code: language for language in (ENGLISH, GERMAN)}


@dataclass(frozen=True)
class Section:
    """Something to read under a title: sentences, then a table of two columns. Either may be empty."""

    title: str
    paragraphs: Sequence[str]
    rows: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Book:
    """The rules of a game in a language."""

    title: str
    names: Sequence[str]
    """How the game is called on the command line."""
    sections: Sequence[Section]


def book(game: type[Game[Any]], code: str) -> Book:
    """The rules of `game` in the language with this code."""
    language, facts, layout = LANGUAGES[code], facts_of(game), LAYOUTS[game.id]
    sections = []
    for name in SECTIONS:
        if name == "options":
            sections.append(_options(language, facts))
        elif name == "source":
            source = language.sources.get(facts.source, facts.source)
            sections.append(Section(language.sections[name], [source[0].upper() + source[1:] + "."]))
        elif keys := layout.section(name):
            paragraphs = [language.fill(language.text[key], facts.figures) for key in keys]
            rows = _heads(language, facts) if name == "cards" else ()
            sections.append(Section(language.sections[name], paragraphs, rows))
    return Book(language.titles.get(game.id, facts.title), (game.id, *game.aliases), sections)


def _heads(language: Language, facts: Facts) -> list[tuple[str, str]]:
    *_, (most, _) = facts.heads
    return [(language.heads(count), language.cards(cards, last=count == most)) for count, cards in facts.heads]


def _options(language: Language, facts: Facts) -> Section:
    rows = [(spec.name, language.option(spec, facts.figures)) for spec in facts.options]
    return Section(language.sections["options"], [language.words["how" if rows else "none"]], rows)
