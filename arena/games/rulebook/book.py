"""The rules of a game in the language of the process, assembled from its wording and its figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bullring.arena.games.rulebook.language import Language
from bullring.arena.games.rulebook.wording import Wording, wording
from bullring.arena.games.rules.figures import Listed
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.options import OptionSpec
from bullring.arena.games.rules.sayings import Heads


@dataclass(frozen=True)
class Section:
    """A titled section: paragraphs, then a table of two columns. Either may be empty."""

    title: str
    paragraphs: Sequence[str]
    rows: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Book:
    """The rules of a game in one language."""

    title: str
    names: Sequence[str]
    """The id and aliases of the game, as used on the command line."""
    sections: Sequence[Section]


def book(game: type[Game[Any]]) -> Book:
    """The rules of `game`."""
    words = wording(game)
    language = words.language
    sections = []
    for name, title in language.find("shared.sections").items():
        if name == "options":
            sections.append(_options(words, game))
        elif name == "source":
            sections.append(Section(title, [_capital(words.say("source")) + "."]))
        elif paragraphs := words.rules(name):
            rows = _heads(language, game) if name == "cards" else ()
            sections.append(Section(title, paragraphs, rows))
    return Book(words.title, (game.id, *game.aliases), sections)


def _heads(language: Language, game: type[Game[Any]]) -> list[tuple[str, str]]:
    """The table of heads: for each number of heads, highest first, its cards. The last line covers all other cards."""
    bears, deck = game.heads, sorted(set(game(game.seat_range[1]).deck()))
    values = sorted({bears[card] for card in deck}, reverse=True)
    cards = [language.words(Listed(tuple(card for card in deck if bears[card] == value))) for value in values]
    return list(zip(map(language.words, map(Heads, values)), [*cards[:-1], language.say("shared.others")], strict=True))


def _options(words: Wording, game: type[Game[Any]]) -> Section:
    language = words.language
    rows = [(spec.name, _option(words, spec)) for spec in game.option_specs]
    how = language.say(f"shared.options.{'how' if rows else 'none'}")
    return Section(language.say("shared.sections.options"), [how], rows)


def _option(words: Wording, spec: OptionSpec) -> str:
    """A sentence about an option: what it does, its values and its default."""
    language = words.language
    if spec.choices:
        values = language.say("shared.or").join(spec.choices)
    elif spec.type == "bool":
        values = language.say("shared.options.switch")
    else:
        values = language.say("shared.options.number", minimum=spec.minimum, maximum=spec.maximum)
    default = language.say("shared.options.unset") if spec.default is None else str(spec.default)
    default = default.lower() if spec.type == "bool" else default
    what = _capital(words.option(spec.name))
    return language.say("shared.options.option", what=what, values=values, default=default)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
