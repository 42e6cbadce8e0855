import re
from dataclasses import fields
from string import Formatter
from typing import ClassVar

import pytest

from arena.rulebook.book import LANGUAGES, Book, book
from arena.rulebook.de import GERMAN
from arena.rulebook.en import ENGLISH
from arena.rulebook.language import Language
from arena.rulebook.layout import LAYOUTS, SECTIONS, Layout
from arena.rules.registry import GAMES
from arena.rules.variants.standard import Standard
from tests.rulebook import golden

NAMES = re.compile(r"\b(6|11) nimmt!")

every_language = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
every_game = pytest.mark.parametrize("game", GAMES)


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def whole(found: Book) -> str:
    """All words of a book."""
    parts = [text for section in found.sections for text in (*section.paragraphs, *map(" ".join, section.rows))]
    return "\n".join([found.title, *parts])


@every_language
def test_figures_come_from_the_facts_alone(language: Language) -> None:
    for texts in (language.sections, language.text, language.words, language.options):
        for name, template in texts.items():
            assert not re.search(r"\d", NAMES.sub("", template)), name


@every_language
def test_every_sentence_is_there_and_needed(language: Language) -> None:
    needed = {key for layout in LAYOUTS.values() for field in fields(Layout) for key in layout.section(field.name)}
    assert language.text.keys() == needed
    assert language.sections.keys() == set(SECTIONS)
    assert language.words.keys() == ENGLISH.words.keys()


def test_every_section_is_read() -> None:
    assert {field.name for field in fields(Layout)} | {"options", "source"} == set(SECTIONS)


def test_both_languages_say_the_same_figures() -> None:
    for key, text in ENGLISH.text.items():
        assert placeholders(text) == placeholders(GERMAN.text[key]), key


def test_every_game_has_a_layout() -> None:
    assert LAYOUTS.keys() == GAMES.keys()


def test_german_has_all_titles_sources_and_options() -> None:
    assert GERMAN.titles.keys() == GAMES.keys()
    assert GERMAN.sources.keys() == {game.source for game in GAMES.values()}
    assert GERMAN.options.keys() == {spec.help for game in GAMES.values() for spec in game.option_specs}


@every_game
@every_language
def test_a_book_is_whole(game: str, language: Language) -> None:
    found = book(GAMES[game], language.code)
    assert found.names[0] == game
    assert [section.title for section in found.sections if section.title not in language.sections.values()] == []
    assert "{" not in whole(found)
    options = next(section for section in found.sections if section.title == language.sections["options"])
    assert [name for name, _ in options.rows] == [spec.name for spec in GAMES[game].option_specs]


@pytest.mark.parametrize("code", LANGUAGES)
def test_another_game_has_other_figures(code: str) -> None:
    class Larger(Standard):
        hand_size: ClassVar[int] = 17
        seat_range: ClassVar[tuple[int, int]] = (2, 5)

    text = whole(book(Larger, code))
    assert "17" in text
    assert whole(book(Standard, code)).count("10") > text.count("10")


@every_game
@every_language
@pytest.mark.parametrize("width", [30, 80, 200])
def test_no_line_is_too_long(game: str, language: Language, width: int) -> None:
    for line in golden.printed(game, language.code, width).splitlines():
        assert len(line) <= width
        assert line == line.rstrip()


@pytest.mark.parametrize(("file", "text"), golden.files().items(), ids=golden.files())
def test_golden_files_are_fresh(file: str, text: str) -> None:
    assert (golden.FOLDER / file).read_text("utf-8") == text, "say `python -m tests.rulebook.golden`, and read it"


def test_there_are_no_other_golden_files() -> None:
    assert {path.name for path in golden.FOLDER.iterdir()} == golden.files().keys()
