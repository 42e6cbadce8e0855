"""HTML that is escaped by construction: text becomes HTML only through `element`, which escapes it."""

from collections.abc import Iterable
from html import escape

from bullring.arena.cells.text.harmless import harmless, harmless_lines


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


Content = Html | str | int | None


def element(name: str, *content: Content, **attributes: str | int | None) -> Html:
    """An element. Its content is escaped unless it is `Html`; None is nothing.

    Underscores at the end of names of attributes are dropped, others become hyphens: ``class_``, ``aria_label``. An attribute that
    is None is left out.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(harmless(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{written}>{joined(content)}</{name}>")


def joined(content: Iterable[Content]) -> Html:
    """Pieces one after the other."""
    return Html("".join(html(piece) for piece in content))


def html(content: Content) -> Html:
    """The content as HTML. Strangers' text is made harmless, too."""
    if isinstance(content, Html):
        return content
    return Html("" if content is None else escape(harmless(content)))


def lines(text: str) -> Html:
    """A stranger's text of several lines, for an element that keeps them."""
    return Html(escape(harmless_lines(text)))


def both(en: str, de: str) -> Html:
    """A text in both languages, of which the page shows one."""
    return Html(f'<span lang="en">{html(en)}</span><span lang="de">{html(de)}</span>')
