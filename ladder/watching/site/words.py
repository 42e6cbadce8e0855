"""The words of the site, which has each in every language: the reader chooses which one is shown."""

from collections.abc import Callable
from typing import Protocol

from markupsafe import Markup, escape

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import ENGLISH, in_all, spoken
from bullring.ladder.standings.columns import NUMBER, Column, Row
from bullring.ladder.standings.titles import plain_title
from bullring.ladder.store.rows import ListRow


def title(column: Column) -> Markup:
    """The title of a column; in languages that have none for it, the English one."""
    return _translated(f"titles.{column.key}", column.site_title or column.title)


def error_title(column: Column) -> Markup:
    """The title of the column of what is beside its value."""
    return _translated(f"error_titles.{column.key}", column.error_title)


def _translated(key: str, english: str) -> Markup:
    return said(lambda: spoken().find(f"columns.{key}") or english)


def said(text: Callable[[], str]) -> Markup:
    """A text in all languages, of which the page shows one; once if it is the same in all, and empty if it is."""
    texts = in_all(text)
    if len(set(texts.values())) == 1:
        return escape(texts[spoken().code])
    spans = (Markup('<span lang="{}">{}</span>').format(code, text) for code, text in texts.items())
    return Markup().join(spans)


def isolated(name: str) -> str:
    """The name of a bot for a sentence, in whatever direction either of them is written."""
    return f"\u2068{harmless(name, 64)}\u2069"


class Sayable(Protocol):
    """Something that says what it is in a sentence."""

    def said(self) -> str:
        """The sentence."""


def told(fact: Sayable) -> Markup:
    """The sentence of a fact in all languages; empty if it is."""
    return said(fact.said)


def say(key: str, **values: object) -> Markup:
    """The text with this key in all languages, with its slots filled in. Raises `KeyError` if there is none."""
    return said(lambda: spoken().say(f"site.{key}", **values))


def list_title(list_: ListRow) -> Markup:
    """A list as people call it, in all languages."""
    return said(lambda: plain_title(list_))


def list_head(list_: ListRow) -> Markup:
    """A list as the head of a column: its game, and in small print the rest."""

    def part(at: int) -> Markup:
        return said(lambda: plain_title(list_).partition(", ")[at])

    return part(0) + Markup(" <small>{}</small>").format(part(2))


def fault(kind: str) -> Markup:
    """A kind of faults, in all languages."""
    return said(lambda: spoken().find(f"shared.faults.{kind}") or kind)


def cell(text: str) -> Markup | str:
    """The text of a cell of the standings, which may be a word such as "anchor"."""
    return say(f"words.{text}") if text in ENGLISH.find("site.words") else text


def value(column: Column, row: Row) -> Markup | str:
    """The value of a column in a row, in all languages if it has words."""
    own = column.said
    return figure(column.shown(row)) if own is None else said(lambda: own(row) or "")


def figure(text: str) -> Markup | str:
    """A text that may be a word of the standings, or a number with a point, for which languages have marks of their own."""
    if not NUMBER.fullmatch(text):
        return cell(text)
    return said(lambda: text.replace(".", spoken().find("shared.marks.point")))
