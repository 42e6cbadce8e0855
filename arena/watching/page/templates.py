"""The sentences of a match in both languages, as templates with seats and numbers left out, which many steps share."""

import re
from typing import Any

from bullring.arena.match.records.reader import Entry, kind_of

SEAT, NUMBER = "\ue000", "\ue001"
"""The places of a seat and of a number in a template."""

_FIRST = ord("①")
_STANDS_IN = re.compile("[①-⑳]")
_VALUE = re.compile("([①-⑳]|[0-9]+)")


def masked(entry: Entry) -> Entry:
    """An entry of a record with a sign for each name, so that no sentence made of it has a stranger's text but in faults."""
    kind = kind_of(entry)
    if kind == "bullring":
        return {**entry, "seats": [chr(_FIRST + seat) for seat in range(len(entry["seats"]))]}
    if kind in ("fault", "end"):
        return {kind: {key: _without(value) for key, value in entry[kind].items()}}
    return entry


def _without(value: Any) -> Any:
    return _STANDS_IN.sub("?", value) if isinstance(value, str) else value


class Sentences:
    """Collects sentences; `templates` are all their templates."""

    def __init__(self) -> None:
        self.templates: dict[str, int] = {}

    def add(self, text: str) -> list[int]:
        """The number of the template of a sentence, and what fills it in."""
        pieces = _VALUE.split(text)
        values = pieces[1::2]
        pieces[1::2] = [NUMBER if value[0] <= "9" else SEAT for value in values]
        template = self.templates.setdefault("".join(pieces), len(self.templates))
        return [template, *(int(value) if value[0] <= "9" else ord(value) - _FIRST for value in values)]
