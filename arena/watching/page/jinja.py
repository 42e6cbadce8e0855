"""Pages from Jinja2 templates: the page of a match, and any other that extends `base.html`, which is the head of them all.

Whatever a template writes is escaped, and made harmless first, unless it is `Markup`. Style and script stand in the page, and a
Content-Security-Policy allows only these two. Jinja2 takes as long to import as a short match takes: import this room where a page
is made.
"""

from base64 import b64encode
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from bullring.arena.cells.text.harmless import harmless, harmless_lines
from bullring.arena.games.rulebook.language import asked, spoken
from bullring.installation import VERSION

BASE = Path(__file__).parent / "templates"
"""The folder of `base.html`."""


@cache
def environment(folder: Path = BASE, **filters: Callable[..., Any]) -> Environment:
    """The templates of a folder, which may extend and include those here, with more filters."""
    made = Environment(
        loader=FileSystemLoader([folder, BASE]),
        autoescape=True,
        finalize=_content,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"version": VERSION, "language": lambda: spoken().code, "asked": asked}
    made.filters |= {"source": _source, "lines": _lines, **filters}
    return made


def _content(value: Any) -> Any:
    """Content for a page; None is nothing."""
    if value is None:
        return ""
    return value if isinstance(value, Markup) else harmless(value)


def _source(text: str) -> Markup:
    """A style or script as a Content-Security-Policy names it."""
    return Markup("sha256-" + b64encode(sha256(text.encode()).digest()).decode())


def _lines(text: str) -> Markup:
    """A stranger's text of several lines, for an element that keeps them."""
    return escape(harmless_lines(text))
