"""The words of the page: each one that is asked for is there, in both languages, and each one that is there is asked for."""

import re
from pathlib import Path

import bullring.arena.watching.page as room
from bullring.arena.watching.page.texts import words

FOLDER = Path(room.__file__).parent


def test_words_and_scripts_know_each_other() -> None:
    texts = "\n".join(
        path.read_text("utf-8") for path in (*FOLDER.glob("script/*.js"), FOLDER / "page.html", FOLDER / "making.py")
    )
    english, german = words()["en"], words()["de"]
    assert english.keys() == german.keys()
    asked = {*re.findall(r'word\("([^"]+)"', texts), *re.findall(r'data-(?:word|label)[":=]+ ?"([^"]+)"', texts)}
    assert asked <= english.keys()
    made = ("part ", "choose ", "figure ")
    for key in english.keys() - asked:
        assert key.startswith(made) or f'"{key}"' in texts or key == "language_name", key
    for key, text in english.items():
        other = german[key]
        assert type(text) is type(other)
        assert re.findall(r"\{\d\}", str(text)) == re.findall(r"\{\d\}", str(other)) or key == "method"
