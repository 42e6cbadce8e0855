"""Two ways to find what is not translated: a language whose every letter is marked, and the English words that German does not use.

In the marked language each letter of the English texts is another character, as wide as the letter, so whatever is cut, wrapped or
put beside something else still shows whether it came through the catalogue: a plain letter on a screen did not.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from bullring.arena.games.rulebook.language import ENGLISH, LANGUAGES, Language
from bullring.ladder.standings.columns import COLUMNS

MARKED = "xx"
"""The code of the marked language."""

_MARKS = {
    ord(letter): chr(first + at)
    for letters, first in ((ascii_uppercase, 0x1D670), (ascii_lowercase, 0x1D68A))
    for at, letter in enumerate(letters)
}
_SLOT = re.compile(r"(\{[^{}]*\})")
_WORD = re.compile(r"[A-Za-zÄÖÜäöüß]{2,}")

OURS = ("bullring", "Elo", " ms")
"""Names and units that are the same in every language."""


class Marked(Language):
    """The marked language."""

    def topic(self, name: str) -> Mapping[str, Any]:
        """The English texts of a topic, marked."""
        if name not in self._topics:
            self._topics[name] = _marked(_columns() if name == "columns" else ENGLISH.topic(name))
        return self._topics[name]


def _columns() -> Mapping[str, Any]:
    """The titles of columns, whose English is where they are declared."""
    return {
        "short": {column.key: column.title for column in COLUMNS},
        "titles": {column.key: column.site_title or column.title for column in COLUMNS},
        "error_titles": {column.key: column.error_title for column in COLUMNS},
    }


def _marked(value: Any) -> Any:
    if isinstance(value, str):
        if value.startswith("@"):  # names a sentence
            return value
        return "".join(part if _SLOT.fullmatch(part) else part.translate(_MARKS) for part in _SLOT.split(value))
    if isinstance(value, Mapping):
        return {key: _marked(one) for key, one in value.items()}
    return [_marked(one) for one in value] if isinstance(value, list) else value


def untranslated(code: str, text: str, names: Iterable[str] = ()) -> list[str]:
    """The words of a text in this language that were never translated; `names` are those of players, bots and the like."""
    for name in sorted((*OURS, *names), key=len, reverse=True):
        text = text.replace(name, " ")
    found = _WORD.findall(text)
    if code != MARKED:
        found = [word for word in found if len(word) > 2 and word.lower() in _of_english_alone(code)]
    return list(dict.fromkeys(found))


@cache
def _of_english_alone(code: str) -> frozenset[str]:
    """The words of the English texts that those of this language do not use, nor as an end of a word, as a screen may cut it."""
    english, own = ({word.lower() for word in _words(LANGUAGES[one])} for one in (ENGLISH.code, code))
    cut = {word[:at] for word in own for at in range(len(word))} | {
        word[at:] for word in own for at in range(len(word))
    }
    return frozenset(english - own - cut)


def _words(language: Language) -> Iterator[str]:
    from bullring.arena.games.rulebook import language as languages

    for path in (languages.FOLDERS[0] / ENGLISH.code).iterdir():
        for text in _texts(language.topic(path.stem)):
            yield from _WORD.findall(_SLOT.sub(" ", text))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    else:
        for key, one in value.items() if isinstance(value, Mapping) else enumerate(value):
            if key != "for_bots":
                yield from _texts(one)


Check = Callable[..., None]
"""Asserts that a text is wholly in the language of the test: called with it, and with names that it may hold."""
