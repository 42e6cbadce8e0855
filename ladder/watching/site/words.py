"""The words of the site, which has each in every language: the reader chooses which one is shown."""

from collections.abc import Mapping
from typing import Protocol

from markupsafe import Markup

from bullring.arena.games.rulebook.language import DEFAULT, LANGUAGES, Language
from bullring.ladder.standings.columns import Column, Row


def title(column: Column) -> Markup:
    """The title of a column; in languages that have none for it, the English one."""
    return _translated(f"titles.{column.key}", column.site_title or column.title)


def error_title(column: Column) -> Markup:
    """The title of the column of what is beside its value."""
    return _translated(f"error_titles.{column.key}", column.error_title)


def _translated(key: str, english: str) -> Markup:
    return in_all({code: language.find(f"columns.{key}") or english for code, language in LANGUAGES.items()})


def in_all(texts: Mapping[str, str]) -> Markup:
    """A text in all languages, of which the page shows one."""
    return Markup().join(Markup('<span lang="{}">{}</span>').format(code, text) for code, text in texts.items())


class Sayable(Protocol):
    """Something that says what it is in a sentence."""

    def said(self, language: Language) -> str:
        """The sentence in a language."""


def told(fact: Sayable) -> Markup:
    """The sentence of a fact in all languages; empty if it is."""
    texts = {code: fact.said(language) for code, language in LANGUAGES.items()}
    return in_all(texts) if any(texts.values()) else Markup()


def say(key: str) -> Markup:
    """The text with this key in all languages. Raises `KeyError` if there is none."""
    return in_all({code: language.say(f"site.{key}") for code, language in LANGUAGES.items()})


def cell(text: str) -> Markup | str:
    """The text of a cell of the standings, which may be a word such as "anchor"."""
    known = LANGUAGES[DEFAULT].find("site.words")
    return say(f"words.{text}") if text in known else text


def value(column: Column, row: Row) -> Markup | str:
    """The value of a column in a row, in all languages if it has words."""
    said = column.said
    if said is None:
        return cell(column.shown(row))
    return in_all({code: said(row, language) or "" for code, language in LANGUAGES.items()})
