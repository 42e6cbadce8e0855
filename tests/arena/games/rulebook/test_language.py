"""Every language says everything, with the same slots; what is filled in becomes words."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from bullring.arena.games.rulebook import language as languages
from bullring.arena.games.rulebook.language import LANGUAGES, Language, Reader, in_all, say, speaking, spoken
from bullring.arena.games.rules.figures import Listed, Span
from bullring.arena.games.rules.sayings import Count, Heads, Seat

FOLDER = languages.FOLDERS[0]
TOPICS = sorted(path.stem for path in (FOLDER / languages.DEFAULT).iterdir())
ENGLISH_ONLY = {"for_bots"}
"""Texts for documents, which are in English."""
ALIGNED = ("screens", "replay", "story", "watch")
"""Topics of which some texts have wide gaps."""
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
            assert "  " not in value or path.stem in ALIGNED or "\n" in value, value
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


@pytest.mark.parametrize(
    ("value", "spec", "english", "german"),
    [
        (2.5, ".1f", "2.5", "2,5"),
        (-0.25, "+.2f", "-0.25", "-0,25"),
        (12345, ",", "12,345", "12.345"),
        (7, "", "7", "7"),
    ],
)
def test_numbers_have_the_marks_of_the_language(value: float, spec: str, english: str, german: str) -> None:
    assert [LANGUAGES[code].number(value, spec) for code in ("en", "de")] == [english, german]
    assert [LANGUAGES[code].fill(f"{{n:{spec}}}", (), {"n": value}) for code in ("en", "de")] == [english, german]


@pytest.mark.parametrize(
    ("text", "of_ann", "to_ann"),
    [
        ("[You take|{name} takes] row 3.", "Ann takes row 3.", "You take row 3."),
        (
            "[Your {card}|{name}'s {card}] is low, so [you take|{name} takes] it.",
            "Ann's 5 is low, so Ann takes it.",
            "Your 5 is low, so you take it.",
        ),
        ("{name} [take|takes] it.", "Ann takes it.", "You take it."),
        ("[take|takes] it", "takes it", "take it"),
        ("It falls to {name}.", "It falls to Ann.", "It falls to you."),
        (
            "[Your {card}|{name}'s {card}] goes after [your|{other}'s] 3.",
            "Ann's 5 goes after Ben's 3.",
            "Your 5 goes after Ben's 3.",
        ),
        ("{other} gives {name} a card.", "Ben gives Ann a card.", "Ben gives you a card."),
    ],
)
def test_the_one_who_reads_is_addressed(text: str, of_ann: str, to_ann: str) -> None:
    english, values = LANGUAGES["en"], {"other": "Ben", "card": 5}
    assert english.fill(text, (), {"name": "Ann", **values}) == of_ann
    assert english.fill(text, (), {"name": Reader("Ann"), **values}) == to_ann
    assert english.fill(text, ("Ann",), {"name": Seat(0), **values}) == of_ann
    assert english.fill(text, (Reader("Ann"),), {"name": Seat(0), **values}) == to_ann
    assert english.fill(text.replace("name", "0"), (Reader("Ann"),), values) == to_ann or "name" not in text


def test_the_one_who_reads_is_one_of_several() -> None:
    text = "[{names} share|{names} have] it"
    names = (Reader("Ann"), "Ben")
    assert LANGUAGES["en"].fill(text, (), {"names": names}) == "You and Ben share it"
    assert LANGUAGES["en"].fill(text, names, {"names": (Seat(1), Seat(0))}) == "Ben and you share it"
    assert LANGUAGES["en"].fill(text, (), {"names": ("Ann", "Ben")}) == "Ann and Ben have it"


def test_a_name_may_hold_what_texts_are_made_of() -> None:
    assert LANGUAGES["en"].fill("[You|{name}] sit", (), {"name": "[a|{b}] {"}) == "[a|{b}] { sit"


def test_a_process_speaks_one_language_at_a_time() -> None:
    assert (spoken().code, say("shared.you")) == ("en", "you")
    with speaking("de") as german:
        assert spoken() is german
        assert say("shared.you") == "du"
        assert in_all(say, "shared.you") == {"en": "you", "de": "du"}
        assert spoken() is german
    assert spoken().code == "en"
