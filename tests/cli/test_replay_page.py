"""`bullring replay --html`: where pages go, where not, and what must not be in them."""

import gzip
import json
import re
import struct
from base64 import b64decode
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import bullring
from bullring.arena.games.playouts import simulated
from bullring.arena.study.analysis import analyser, estimate
from bullring.arena.watching.page.page import START
from bullring.cli.study.analyse import AnalysisWish
from bullring.ladder.store.home import Home
from tests.ladder.stored import recorded
from tests.support.command import here


@pytest.fixture(name="record")
def _record(tmp_path: Path) -> Path:
    def highest(message: dict[str, Any]) -> Any:
        return message["options"][-1]

    path = tmp_path / "match.jsonl"
    bullring.play(highest, highest, options={"deals": 1}, seed="page", record=path)
    return path


def embedded(page: str) -> Any:
    """The data that the script of a page draws."""
    (packed,) = re.findall(r'<script type="application/gzip" id="match">(.*?)</script>', page)
    return json.loads(gzip.decompress(b64decode(packed)))


def test_a_page_goes_to_a_file_and_takes_the_place_of_an_older_one(record: Path, tmp_path: Path) -> None:
    out = tmp_path / "match.html"
    for _ in range(2):
        assert here("replay", str(record), "--html", str(out)).exit_code == 0
        assert out.read_text("utf-8").startswith(START)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["match.html", "match.jsonl"]
    assert here("replay", str(record), "--html", "-").stdout == out.read_text("utf-8")


def test_a_page_opens_in_the_language_that_was_asked_for_and_else_in_that_of_its_reader(record: Path) -> None:
    for options, opening in (("--lang", "de"), 'lang="de" data-asked="de">'), ((), 'lang="en">'):
        first = here("replay", str(record), "--html", "-", *options).stdout.splitlines()[1]
        assert first.endswith(f" {opening}")


def test_with_its_address_a_page_has_a_picture_for_previews(record: Path, tmp_path: Path) -> None:
    out, address = tmp_path / "my match.html", "https://example.org/matches/my%20match.html"
    for _ in range(2):
        assert here("replay", str(record), "--html", str(out), "--address", address).exit_code == 0
    picture = out.with_name("my match.html.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (800, 420)
    assert len(picture) < 40_000
    text = out.read_text("utf-8")
    assert '<meta property="og:image" content="https://example.org/matches/my%20match.html.png">' in text
    assert f'<meta property="og:url" content="{address}">' in text
    out.with_name("my match.html.png").write_bytes(b"\x89PNG\r\n\x1a\nmine")
    refused = here("replay", str(record), "--html", str(out), "--address", address)
    assert refused.exit_code == 1
    assert "is not the picture of a match, so it is not overwritten" in refused.stderr
    assert here("replay", str(record), "--html", str(out), "--address", "example.org").exit_code == 2
    assert here("replay", str(record), "--html", "-", "--address", address).exit_code == 2


def test_the_page_of_a_match_of_a_ladder_names_the_ladder(record: Path, tmp_path: Path) -> None:
    home = Home.create(tmp_path / "The Ring", [])
    recorded(home, (1, record.read_bytes()))
    text = here("replay", "1", "--home", str(home.path), "--html", "-").stdout
    assert '<meta property="og:site_name" content="The Ring">' in text


def test_no_other_file_is_overwritten_and_folders_are_looked_at_before_the_work(tmp_path: Path) -> None:
    other = tmp_path / "precious.html"
    other.write_text("<!doctype html>\n<p>mine")
    for out, why in (
        (other, "is not a page of a match, so it is not overwritten"),
        (tmp_path / "missing" / "match.html", f"there is no folder {tmp_path / 'missing'}"),
        (tmp_path, "is a folder"),
    ):
        # The record is not even opened.
        refused = here("replay", "nowhere.jsonl", "--html", str(out))
        assert refused.exit_code == 1
        assert why in refused.stderr
    assert other.read_text() == "<!doctype html>\n<p>mine"
    for option in (["--json"], ["--wire", "0"], ["--stderr", "0"]):
        assert here("replay", "nowhere.jsonl", "--html", "-", *option).exit_code == 2


def test_with_analyse_the_page_tells_what_each_card_cost(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated, "COMPILED", False)
    monkeypatch.setattr(estimate, "FIRST_ROUND", 2)
    monkeypatch.setattr(analyser, "DEALS", 4)
    quick = partial(AnalysisWish, policy="cheapest", error=100, playouts=2)
    monkeypatch.setattr("bullring.cli.play.replay.AnalysisWish", quick)
    assert embedded(here("replay", str(record), "--html", "-").stdout)["analysis"] is None
    made = embedded(here("replay", str(record), "--analyse", "--html", "-").stdout)
    choices = made["analysis"]["choices"]
    assert {choice["seat"] for choice in choices} == {0, 1}
    assert all(len(choice["options"]) == len(choice["heads"]) for choice in choices)
    # It was kept, so the next page has it, too.
    assert embedded(here("replay", str(record), "--html", "-").stdout) == made


def test_the_page_of_an_unfinished_record_is_the_same_whatever_the_hands_hold(record: Path, tmp_path: Path) -> None:
    head, deal, *rest = record.read_bytes().splitlines(keepends=True)
    cards = json.loads(deal)["deal"]
    played = {answer for line in rest for answer in json.loads(line).get("answers", [])[:2]}
    shown = {answer for line in rest[:3] for answer in json.loads(line).get("answers", [])}
    mine, theirs = (next(card for card in cards[at : at + 10] if card in played - shown) for at in (0, 10))
    swapped = {mine: theirs, theirs: mine}
    pages = []
    for dealt in (cards, [swapped.get(card, card) for card in cards]):
        torn = tmp_path / "torn.jsonl"
        torn.write_bytes(
            b"".join([head, json.dumps({"deal": dealt}, separators=(",", ":")).encode() + b"\n", *rest[:3]])
        )
        told = here("replay", str(torn), "--html", "-")
        assert "ends before its match is over" in told.stderr
        pages.append(told.stdout)
    assert pages[0] == pages[1]
    assert embedded(pages[0])["note"] == "unfinished"
