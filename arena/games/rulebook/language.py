"""Texts for people, in every language: the sentences are data, and this is how they are found and filled in.

Below `arena/games/texts` is a folder for each language, with a TOML file for each topic: `shared`, one for each game and family
of games, `match` (what happens at a table), `screens`, `replay`, `watch`, `run`, `page` and `site`; all but English have
`columns`, too, for the standings. So a new language is one folder. A key is the topic and the names in its file: ``match.took``.
A file is read when a text of it is asked for; a test holds the languages equal, key by key and slot by slot.

A text has its slots in {braces}; a number in one may have a format, ``{cost:.1f}``, and gets the marks of the language. A text may
also be a list of ways to say the same, or a table with the forms `one` and `many`, of which the first value decides. What is said
to the one who reads stands before what is said of others: ``[You take|{name} takes] row {place}``. Whether a name in its slots is
that of a `Reader` decides; where it has none, the names before; where there are none, `name`, which it follows. Which text is said
is decided in code; how it is said, in the files.

A process speaks one language (`spoken`), which its children inherit. Pages, which are for everybody, have their sentences in all
of them (`in_all`).
"""

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from bullring.arena.games.rules.figures import Listed, Span
from bullring.arena.games.rules.sayings import Count, Few, Heads, Seat

FOLDERS = [Path(__file__).parents[1] / "texts"]
"""Folders with a folder for each language; games from elsewhere may add theirs."""

DEFAULT = "en"
"""The language of documents and of everything that exists in one language only. It is listed first."""

VARIABLE = "BULLRING_LANG"
"""The variable of the environment with the language of a process."""

_BY_READER = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")
"""What is said to the one who reads, and what of others."""

_SLOT = re.compile(r"\{(\w+)")
"""The beginning of a slot."""

Given = ParamSpec("Given")
Said = TypeVar("Said")


class Reader(str):
    """The name of the one who reads, which sentences do not say: "you"."""


class _Number:
    """A number in a text."""

    def __init__(self, value: float, language: "Language") -> None:
        self._value, self._language = value, language

    def __format__(self, spec: str) -> str:
        return self._language.number(self._value, spec)


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
            first = next(iter(values.values()))
            text = text["one" if isinstance(first, int) and first == 1 else "many"]
        by_name: dict[str, object] = {**{str(at): name for at, name in enumerate(names)}, **values}
        text = self._addressed(text, by_name, names)
        told = {name: self._told(value, names) for name, value in values.items()}
        filled: str = text.format(*(self.words(name) for name in names), **told)
        if (first := _SLOT.match(text)) and _reads(by_name.get(first[1]), names):
            filled = filled[:1].upper() + filled[1:]
        return filled

    def _addressed(self, text: str, values: Mapping[str, object], names: Sequence[str]) -> str:
        """The text as it is said to the one who reads, where it is about them."""

        def chosen(found: re.Match[str]) -> str:
            slots = _SLOT.findall(found[2]) or _SLOT.findall(text[: found.start()]) or ["name"]
            return found[1] if any(_reads(values.get(slot), names) for slot in slots) else found[2]

        return _BY_READER.sub(chosen, text)

    def _told(self, value: object, names: Sequence[str]) -> object:
        """A value as texts take it: a number that may have a format, everything else in words."""
        return _Number(value, self) if type(value) in (int, float) else self.words(value, names)  # type: ignore[arg-type]

    def number(self, value: float, spec: str = "") -> str:
        """A number in a format of Python, with the marks of this language: "2,5"."""
        marks = {ord("."): self.find("shared.marks.point"), ord(","): self.find("shared.marks.thousands")}
        return format(value, spec).translate(marks)

    def words(self, value: object, names: Sequence[str] = ()) -> str:
        """A value in words: a seat by its name, heads and cards with their noun, several things listed."""
        match value:
            case Reader():
                return self.say("shared.you")
            case Seat():
                return self.words(names[value])
            case Heads():
                return self.say("shared.counts.heads", count=int(value))
            case Count():
                return self.say("shared.counts.cards", count=int(value))
            case Few():
                small = self.find("shared.counts.small")
                return small[value] if value < len(small) else str(int(value))
            case Span(low, high):
                return self.say("shared.span", low=low, high=high)
            case Listed(cards):
                return ", ".join(map(str, cards))
            case tuple():
                return self.listed(self.words(one, names) for one in value)
            case float():
                return self.number(value)
        return str(value)

    def heads(self, count: int) -> str:
        """A number of heads: "1 head", "2 heads"."""
        return self.words(Heads(count))

    def listed(self, items: Iterable[object]) -> str:
        """Several things: "Ann", "Ann and Ben", "Ann, Ben and Cid"; empty if there are none."""
        *first, last = [*map(str, items)] or [""]
        return self.say("shared.last", first=", ".join(first), last=last) if first else last


def _reads(value: object, names: Sequence[str]) -> bool:
    """Whether this is the one who reads, or they are among them."""
    match value:
        case Seat():
            return isinstance(names[value], Reader)
        case tuple():
            return any(_reads(one, names) for one in value)
    return isinstance(value, Reader)


def _codes() -> list[str]:
    found = {folder.name for place in FOLDERS for folder in place.iterdir() if folder.is_dir()}
    return sorted(found, key=lambda code: (code != DEFAULT, code))


LANGUAGES = {code: Language(code) for code in _codes()}
"""The languages by their codes."""

ENGLISH = LANGUAGES[DEFAULT]

_now = LANGUAGES.get(os.environ.get(VARIABLE, ""), ENGLISH)
_asked = False


def spoken() -> Language:
    """The language of this process."""
    return _now


def asked() -> str | None:
    """The code of the language of this process, if its user asked for it; None: it is only that of the surroundings."""
    return _now.code if _asked else None


def speak(code: str, *, asked: bool = False) -> None:
    """Let this process speak the language with this code from now on, and the children that it starts. Raises `KeyError`."""
    global _asked, _now
    _now, _asked = LANGUAGES[code], asked
    os.environ[VARIABLE] = code


@contextmanager
def speaking(code: str) -> Iterator[Language]:
    """Let this process, but not its children, speak another language for a while. Raises `KeyError`."""
    global _now
    before, _now = _now, LANGUAGES[code]
    try:
        yield _now
    finally:
        _now = before


def say(key: str, /, *names: str, **values: object) -> str:
    """A text in the language of this process, as `Language.say`."""
    return _now.say(key, *names, **values)


def in_all(said: Callable[Given, Said], *given: Given.args, **named: Given.kwargs) -> dict[str, Said]:
    """What a function says in each language, by code."""
    found = {}
    for code in LANGUAGES:
        with speaking(code):
            found[code] = said(*given, **named)
    return found
