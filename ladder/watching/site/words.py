"""The words of the site, which has each in every language: the reader chooses which one is shown."""

from collections.abc import Mapping

from markupsafe import Markup

from bullring.arena.games.rulebook.language import DEFAULT, LANGUAGES


def titles(given: Mapping[str, str], usual: str) -> dict[str, str]:
    """The title of a column, by language: as it is `given` for this one or for English, else the `usual` one."""
    return {code: given.get(code, given.get(DEFAULT, usual)) for code in LANGUAGES}


def in_all(texts: Mapping[str, str]) -> Markup:
    """A text in all languages, of which the page shows one."""
    return Markup().join(Markup('<span lang="{}">{}</span>').format(code, text) for code, text in texts.items())


def say(key: str) -> Markup:
    """The text with this key in all languages. Raises `KeyError` if there is none."""
    return in_all({code: language.say(f"site.{key}") for code, language in LANGUAGES.items()})


def cell(text: str) -> Markup | str:
    """The text of a cell of the standings, which may be a word such as "anchor"."""
    known = LANGUAGES[DEFAULT].find("site.words")
    return say(f"words.{text}") if text in known else text
