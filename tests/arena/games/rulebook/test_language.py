"""Every language says everything, with the same slots; what is filled in becomes words."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from bullring.arena.games.rulebook import language as languages
from bullring.arena.games.rulebook.language import LANGUAGES, Language
from bullring.arena.games.rules.figures import Listed, Span
from bullring.arena.games.rules.sayings import Count, Heads, Seat

FOLDER = languages.FOLDERS[0]
TOPICS = sorted(path.stem for path in (FOLDER / languages.DEFAULT).iterdir())
ENGLISH_ONLY = {"for_bots"}
"""Texts for documents, which are in English."""
TRANSLATED_ONLY = {"columns"}
"""Topics whose English is in code; tests of that code hold them complete."""


def slots_of(texts: Mapping[str, Any], at: str = "") -> Iterator[tuple[str, set[str]]]:
    """The keys of a topic, each with the slots of its text in all its ways and forms."""
    for key, text in texts.items():
        if isinstance(text, dict) and text.keys() != {"one", "many"}:
            yield from slots_of(text, f"{at}{key}.")
        elif key not in ENGLISH_ONLY:
            ways = [text] if isinstance(text, str) else list(text.values()) if isinstance(text, dict) else text
            yield at + key, {name for way in ways for _, name, _, _ in Formatter().parse(way) if name}


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != languages.DEFAULT])
def test_every_language_has_every_text_with_every_slot(code: str, topic: str) -> None:
    told, own = (dict(slots_of(LANGUAGES[one].topic(topic))) for one in (languages.DEFAULT, code))
    assert own == told


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_language_has_a_topic_of_its_own(code: str) -> None:
    also = TRANSLATED_ONLY if code != languages.DEFAULT else set()
    assert {path.stem for path in (FOLDER / code).iterdir()} == {*TOPICS, *also}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*/*")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_text_is_written_without_stray_spaces(path: Path) -> None:
    def check(value: Any) -> None:
        if isinstance(value, str):
            assert "  " not in value or path.stem == "screens" or "\n" in value, value
        for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            check(one)

    assert path.suffix == ".toml"
    check(tomllib.loads(path.read_text("utf-8")))


@pytest.mark.parametrize(
    ("value", "english", "german"),
    [
        (3, "3", "3"),
        (Seat(1), "Ben", "Ben"),
        (Heads(1), "1 head", "1 Hornochse"),
        (Heads(2), "2 heads", "2 Hornochsen"),
        (Count(1), "1 card", "1 Karte"),
        (Count(0), "0 cards", "0 Karten"),
        (Span(2, 10), "2 to 10", "2 bis 10"),
        (Listed((3, 14, 15)), "3, 14, 15", "3, 14, 15"),
        ((3, 14, 15), "3, 14 and 15", "3, 14 und 15"),
        ((Seat(0), Seat(1)), "Ann and Ben", "Ann und Ben"),
        ((), "", ""),
    ],
)
def test_values_in_words(value: object, english: str, german: str) -> None:
    assert [LANGUAGES[code].words(value, ("Ann", "Ben")) for code in ("en", "de")] == [english, german]


def test_a_new_language_is_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tlh").mkdir()
    (tmp_path / "tlh" / "site.toml").write_text(
        '[a]\nb = "{0}: {n} {nap}"\nc = { one = "1 {what}", many = "{n} {what}s" }\n'
    )
    monkeypatch.setattr(languages, "FOLDERS", [*languages.FOLDERS, tmp_path])
    klingon = Language("tlh")
    assert klingon.say("site.a.b", "Ann", n=3, nap="x") == "Ann: 3 x"
    assert [klingon.say("site.a.c", n=n, what="nap") for n in (1, 2)] == ["1 nap", "2 naps"]
    with pytest.raises(KeyError, match=r"tlh: site\.a\.d"):
        klingon.say("site.a.d")
