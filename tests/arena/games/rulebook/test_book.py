import re
from collections.abc import Iterator
from string import Formatter
from typing import ClassVar

import pytest

from bullring.arena.games.rulebook.book import Book, book
from bullring.arena.games.rulebook.language import LANGUAGES, Language, speaking
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.variants.standard import Standard
from tests.arena.games.rulebook import golden

TOLD_IN_NUMBERS = {"box", "examples", "tips"}
"""The sections that tell of numbers that are no figures of the game: years, minutes, cards of an example."""

every_language = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
every_game = pytest.mark.parametrize("game", GAMES)


def sentences(game: str, code: str) -> Iterator[tuple[str, str]]:
    """All sentences of the rules of a game, with their sections."""
    with speaking(code) as language:
        words = wording(GAMES[game])
    for section in language.find("shared.sections"):
        for text in words.find(f"rules.{section}") or ():
            yield section, language.find(f"shared.sentences.{text[1:]}") if text.startswith("@") else text


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def whole(found: Book) -> str:
    """All words of a book."""
    parts = [text for section in found.sections for text in (*section.paragraphs, *map(" ".join, section.rows))]
    return "\n".join([found.title, *parts])


@every_game
@every_language
def test_figures_come_from_the_game_alone(game: str, language: Language) -> None:
    for section, text in sentences(game, language.code):
        assert section in TOLD_IN_NUMBERS or not re.search(r"\d", text), text


@every_game
def test_all_languages_say_the_same_figures(game: str) -> None:
    told = [
        [
            (section, sorted(placeholders(text)), sorted({*re.findall(r"\d+", text)}))
            for section, text in sentences(game, code)
        ]
        for code in LANGUAGES
    ]
    assert all(one == told[0] for one in told)


@every_game
@every_language
def test_a_book_is_whole(game: str, language: Language) -> None:
    with speaking(language.code):
        found = book(GAMES[game])
    assert found.names[0] == game
    assert [
        section.title for section in found.sections if section.title not in language.find("shared.sections").values()
    ] == []
    assert "{" not in whole(found)
    options = next(section for section in found.sections if section.title == language.say("shared.sections.options"))
    assert [name for name, _ in options.rows] == [spec.name for spec in GAMES[game].option_specs]


@pytest.mark.parametrize("code", LANGUAGES)
def test_another_game_has_other_figures(code: str) -> None:
    class Larger(Standard):
        hand_size: ClassVar[int] = 17
        seat_range: ClassVar[tuple[int, int]] = (2, 5)

    with speaking(code):
        text = whole(book(Larger))
        assert "17" in text
        assert whole(book(Standard)).count("10") > text.count("10")


@every_game
@every_language
@pytest.mark.parametrize("width", [30, 80, 200])
def test_no_line_is_too_long(game: str, language: Language, width: int) -> None:
    for line in golden.printed(game, language.code, width).splitlines():
        assert len(line) <= width
        assert line == line.rstrip()


@every_game
def test_the_heads_of_most_cards_come_last_as_those_of_all_others(game: str) -> None:
    chosen = GAMES[game]
    cards = next(
        section for section in book(chosen).sections if section.title == LANGUAGES["en"].say("shared.sections.cards")
    )
    listed = [int(card) for _, told in cards.rows[:-1] for card in told.split(", ")]
    deck = set(chosen(chosen.seat_range[1]).deck())
    others = deck - set(listed)
    assert cards.rows[-1][1] == "all others"
    assert len(others) > len(listed)
    assert {chosen.heads[card] for card in others} == {int(cards.rows[-1][0].split()[0])}
