"""Records: torn, tampered with, foreign."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bullring.arena.clock.limits import Limits
from bullring.arena.records.reading import read_lines
from bullring.arena.records.verification import verify
from bullring.arena.seeds import Seed
from bullring.errors import RecordError
from tests.support.processes import bot, matches
from tests.support.record import happenings, record_of
from tests.support.scripted import first_option, referee, silent

Entry = dict[str, Any]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return record_of(tmp_path / "m.jsonl", options={"deals": 2})


def tamper(record: Path, change: Callable[[list[Entry]], None]) -> str | None:
    """What `verify` says of the record after a change of its entries."""
    entries = [json.loads(line) for line in record.read_text().splitlines()]
    change(entries)
    record.write_text("".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in entries))
    return verify(read_lines(record)).difference


def nth(entries: list[Entry], key: str, n: int = 0) -> Entry:
    return [entry for entry in entries if key in entry][n]


def test_a_record_is_what_it_says(record: Path) -> None:
    verdict = verify(read_lines(record))
    assert verdict.difference is None
    assert verdict.finished
    assert verdict.deals == 2
    assert tamper(record, lambda entries: None) is None, "written anew without a change, it still verifies"


def swap_cards(entries: list[Entry]) -> None:
    cards = nth(entries, "deal", 1)["deal"]
    cards[0], cards[-1] = cards[-1], cards[0]


def other_card(entries: list[Entry]) -> None:
    """A legal card, but not the one that was played."""
    first = nth(entries, "answers")
    first["answers"][0] = sorted(nth(entries, "deal")["deal"][:10])[-1]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (swap_cards, "line "),
        (other_card, "deal 1, turn 1: replaying these answers"),
        (lambda e: nth(e, "answers")["answers"].__setitem__(0, 200), "seat 0 must answer card with one of"),
        (lambda e: nth(e, "answers")["answers"].__setitem__(0, True), "an answer is not an option"),
        (lambda e: nth(e, "answers")["answers"].pop(), "expected 3 answers, not 2"),
        (lambda e: nth(e, "answers").__setitem__("check", 1), "deal 1, turn 1"),
        (lambda e: nth(e, "end")["end"]["scores"].__setitem__(0, 0), "the scores are"),
        (lambda e: nth(e, "end")["end"].__setitem__("seed", "other"), "the commitment"),
        (lambda e: nth(e, "end")["end"].__setitem__("nonce", "0"), "the commitment"),
        (lambda e: e[0].__setitem__("commitment", "0" * 64), "the commitment"),
        (lambda e: e[0]["seats"].__setitem__(0, "somebody else"), "sealed"),
        (lambda e: nth(e, "answers")["us"].__setitem__(0, 1), "sealed"),
        (lambda e: e[0].__setitem__("bullring", 99), "line 1"),
        (lambda e: e[0].__setitem__("game", "skat"), "there is no game 'skat'"),
        (lambda e: e[0].__setitem__("seats", ["alone"]), "seats"),
        (lambda e: e.insert(3, {"surprise": 1}), "unknown kind of line"),
        (lambda e: e.insert(9, nth(e, "deal")), "cards are dealt in the middle of a deal"),
        (lambda e: e.remove(nth(e, "deal")), "there are answers where no decision is pending"),
        (lambda e: nth(e, "deal")["deal"].__setitem__(0, 500), "none more often than the deck has it"),
        (lambda e: nth(e, "deal").__setitem__("deal", "all"), "expected a whole number"),
        (lambda e: nth(e, "end").__setitem__("end", {}), "line "),
    ],
)
def test_verify_says_the_first_thing_that_differs(
    change: Callable[[list[Entry]], None], says: str, record: Path
) -> None:
    difference = tamper(record, change)
    assert difference is not None
    assert says in difference


def test_a_consistent_forgery_of_the_deals_is_found_by_the_seed(record: Path) -> None:
    """All lines fit together and the commitment is right, but the cards are not those of the seed."""

    def forge(entries: list[Entry]) -> None:
        other = Seed.given("another")
        entries[0]["commitment"] = other.commitment
        nth(entries, "end")["end"] |= {"seed": other.seed, "nonce": other.nonce}

    difference = tamper(record, forge)
    assert difference is not None
    assert difference.startswith("deal 1: card 1 is ")
    assert "but the seed gives" in difference


def test_a_record_cut_anywhere_is_readable_up_to_its_last_whole_line(record: Path) -> None:
    data = record.read_bytes()
    starts = [i + 1 for i, byte in enumerate(data) if byte == 10]
    for cut in {1, starts[0] - 1, starts[0], starts[0] + 5, len(data) // 2, starts[-2], len(data) - 1}:
        record.write_bytes(data[:cut])
        whole = data[:cut].count(b"\n")
        if not whole:
            with pytest.raises(RecordError, match="no complete line"):
                read_lines(record)
            continue
        lines = read_lines(record)
        assert len(lines.entries) == whole
        assert not lines.finished
        assert len(list(happenings(lines))) >= whole
        verdict = verify(lines)
        assert verdict.difference is None
        assert not verdict.finished


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"\xff\xfe\n", b"hello\n", b"[1]\n", b"{}\n", b"[" * 100_000 + b"\n", b"\0" * 99]
)
def test_what_is_no_record_is_said_to_be_none(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(RecordError):
        list(happenings(read_lines(path)))


def test_more_after_the_end_is_no_record(record: Path) -> None:
    with record.open("ab") as file:
        file.write(b'{"more":1}\n')
    with pytest.raises(RecordError, match="more lines after the end"):
        read_lines(record)


def test_faults_and_moves_of_the_referee_are_on_record(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    referee(silent, first_option, record=record, limits=Limits.seconds(card=0.1, row=0.1))
    events = [event for _, event in happenings(read_lines(record))]
    faults = [event for event in events if event["type"] == "fault"]
    assert [fault["kind"] for fault in faults] == ["timeout"] * 3
    assert [fault["closed"] for fault in faults] == [False, False, True]
    cards = [event for event in events if event["type"] == "answers" and event["kind"] == "card"]
    assert all(event["by"] == ["fallback", "bot"] for event in cards)
    assert cards[0]["us"][0] == 100_000


def test_hands_are_for_the_owner_of_the_record_alone(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.touch(0o644)  # also one that was everybody's before
    matches(bot("polite"), bot("polite"), record=path)
    assert path.stat().st_mode & 0o077 == 0
