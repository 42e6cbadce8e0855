"""Texts for people, in every language: the sentences are data, and this is how they are found and filled in.

Below `arena/games/texts` is a folder for each language, with a TOML file for each topic: `shared`, one for each game and family of
games, `match` (what happens at a table), `screens`, `page` and `site`; all but English have `columns`, too, for the standings. So a
new language is one folder. A key is the topic and the names in its file: ``match.took``. A file is read when a text of it is asked
for; a test holds the languages equal, key by key and slot by slot.

A text has its slots in {braces}. It may also be a list of ways to say the same, or a table with the forms `one` and `many`, of
which the first value decides. Which text is said is decided in code; how it is said, in the files.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bullring.arena.games.rules.figures import Listed, Span
from bullring.arena.games.rules.sayings import Count, Heads, Seat

FOLDERS = [Path(__file__).parents[1] / "texts"]
"""Folders with a folder for each language; games from elsewhere may add theirs."""

DEFAULT = "en"
"""The language of documents and of everything that exists in one language only. It is listed first."""


class Language:
    """A language."""

    def __init__(self, code: str) -> None:
        self.code = code
        self._topics: dict[str, Mapping[str, Any]] = {}

    def __repr__(self) -> str:
        return f"<Language {self.code}>"

    def topic(self, name: str) -> Mapping[str, Any]:
        """The texts of a topic; none if there is no such file."""
        if name not in self._topics:
            paths = (folder / self.code / f"{name}.toml" for folder in FOLDERS)
            found = next((path.read_text("utf-8") for path in paths if path.exists()), "")
            self._topics[name] = tomllib.loads(found)
        return self._topics[name]

    def find(self, key: str) -> Any:
        """The text, list of texts or table with this key; None if there is none."""
        name, *names = key.split(".")
        found: Any = self.topic(name)
        for name in names:
            found = found.get(name) if isinstance(found, dict) else None
        return found

    def say(self, key: str, /, *names: str, **values: object) -> str:
        """The text with this key and its slots filled in; `names` are those of the seats. Raises `KeyError`."""
        found = self.find(key)
        if found is None:
            raise KeyError(f"{self.code}: {key}")
        return self.fill(found, names, values)

    def fill(self, text: Any, names: Sequence[str], values: Mapping[str, object]) -> str:
        """A text, in its right form, with its slots filled in."""
        if isinstance(text, dict):
            text = text["one" if next(iter(values.values())) == 1 else "many"]
        filled: str = text.format(*names, **{name: self.words(value, names) for name, value in values.items()})
        return filled

    def words(self, value: object, names: Sequence[str] = ()) -> str:
        """A value in words: a seat by its name, heads and cards with their noun, several things listed."""
        match value:
            case Seat():
                return names[value]
            case Heads():
                return self.say("shared.counts.heads", count=int(value))
            case Count():
                return self.say("shared.counts.cards", count=int(value))
            case Span(low, high):
                return self.say("shared.span", low=low, high=high)
            case Listed(cards):
                return ", ".join(map(str, cards))
            case tuple():
                return self.listed(self.words(one, names) for one in value)
        return str(value)

    def heads(self, count: int) -> str:
        """A number of heads: "1 head", "2 heads"."""
        return self.words(Heads(count))

    def listed(self, items: Iterable[object]) -> str:
        """Several things: "Ann", "Ann and Ben", "Ann, Ben and Cid"; empty if there are none."""
        *first, last = [*map(str, items)] or [""]
        return self.say("shared.last", first=", ".join(first), last=last) if first else last


def _codes() -> list[str]:
    found = {folder.name for place in FOLDERS for folder in place.iterdir() if folder.is_dir()}
    return sorted(found, key=lambda code: (code != DEFAULT, code))


LANGUAGES = {code: Language(code) for code in _codes()}
"""The languages by their codes."""

ENGLISH = LANGUAGES[DEFAULT]
