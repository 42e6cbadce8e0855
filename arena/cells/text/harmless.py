"""Making strangers' text harmless: no text of theirs may move a cursor or hide the text beside it."""

import unicodedata


def harmless(text: object, width: int | None = None) -> str:
    """Make a stranger's text safe for one line of a terminal: no control or invisible characters, at most `width` characters."""
    shown = str(text)
    if not shown.isprintable():
        shown = "".join(
            char if char == " " or unicodedata.category(char)[0] not in "CZ" else char.encode("unicode_escape").decode()
            for char in shown
        )
    if width is not None and len(shown) > width:
        shown = shown[: width - 1] + "…"
    return shown


def harmless_lines(text: str) -> str:
    """Make a stranger's text safe for a terminal, line by line. Of what overwrites itself in a line, the last remains."""
    lines = (line.rstrip("\r").rpartition("\r")[2].replace("\t", "    ") for line in text.split("\n"))
    return "\n".join(harmless(line) for line in lines)
