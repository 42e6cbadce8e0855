"""The words of the page: each one that is asked for is there, and each one that is there is asked for."""

import re
from collections import Counter
from pathlib import Path

import pytest

import bullring.arena.watching.page as room
from bullring.arena.games.rulebook.language import LANGUAGES
from bullring.arena.watching.page import page

FOLDER = Path(room.__file__).parent


def test_words_and_scripts_know_each_other() -> None:
    texts = "\n".join(
        path.read_text("utf-8")
        for path in (*FOLDER.glob("script/*.js"), *FOLDER.glob("templates/*.html"), FOLDER / "page.py")
    )
    words = {**LANGUAGES["en"].topic("page"), **LANGUAGES["en"].topic("seat")}.keys()
    asked = {*re.findall(r'word\("([^"]+)"', texts), *re.findall(r'data-(?:word|label)[":=]+ ?"([^"]+)"', texts)}
    assert asked <= words
    made = ("badge ", "part ", "choose ", "figure ", "send ", "field ", "help ", "more ", "fewer ", "no analysis ")
    for key in words - asked:
        assert key.startswith(made) or f'"{key}"' in texts or key == "language_name", key


@pytest.mark.parametrize("source", page._SOURCES)
def test_no_two_scripts_of_a_page_declare_the_same_name(source: str) -> None:
    declared = re.findall(r"^(?:async )?(?:const|let|function|class) (\w+)", page._script(source), re.MULTILINE)
    assert [name for name, times in Counter(declared).items() if times > 1] == []
