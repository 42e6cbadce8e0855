"""The rules of a game on the terminal: titles, bulleted sentences and small tables, wrapped to the width of the screen."""

import textwrap
from collections.abc import Iterable, Iterator

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from bullring.arena.games.rulebook.book import Book, Section

_BULLET = "- "
_NARROW = 20
"""Minimum width of wrapped text, in columns, however small the window."""


class RulesPage:
    """A rule book that wraps its own lines, so that piped output has no trailing spaces."""

    def __init__(self, book: Book) -> None:
        self._book = book

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = max(options.max_width, _NARROW)
        title = f"{self._book.title} - {', '.join(self._book.names)}"
        yield from _styled(_wrapped(title, "", width), "bold")
        for section in self._book.sections:
            yield Text()
            yield from _styled(_wrapped(section.title, "", width), "bold cyan")
            yield from _styled(_lines(section, width), "")


def _styled(lines: Iterable[str], style: str) -> Iterator[Text]:
    return (Text(line, style) for line in lines)


def _lines(section: Section, width: int) -> Iterator[str]:
    bullet = _BULLET if len(section.paragraphs) > 1 else ""
    for paragraph in section.paragraphs:
        yield from _wrapped(paragraph, bullet, width)
    indent = " " * len(bullet)
    wide = max((len(left) for left, _ in section.rows), default=0)
    for left, right in section.rows:
        if wide * 3 <= width:
            yield from _wrapped(right, f"{indent}{left:<{wide}}  ", width)
        else:
            yield from _wrapped(left, indent, width)
            yield from _wrapped(right, f"{indent}    ", width)


def _wrapped(text: str, begin: str, width: int) -> list[str]:
    """Wrap `text`; the first line begins with `begin`, and the others are indented to match."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=begin,
        subsequent_indent=" " * len(begin),
        break_long_words=False,
        break_on_hyphens=False,
    )
