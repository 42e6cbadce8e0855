"""Records: torn, tampered with, foreign."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bullring.arena.match.records.reader import read_lines
from bullring.arena.match.records.verification import verify
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from bullring.errors import RecordError
from tests.support.command import here
from tests.support.processes import bot, matches
from tests.support.record import happenings, record_of
from tests.support.scripted import fails, first_option, referee, script_of, silent

Entry = dict[str, Any]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return record_of(tmp_path / "m.jsonl", options={"deals": 2})


def tamper(record: Path, change: Callable[[list[Entry]], None]) -> str | None:
    """The difference that `verify` finds after a change of the entries."""
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
        (other_card, "the fallback move of seat 0 is"),
        (lambda e: nth(e, "answers")["answers"].__setitem__(0, 200), "the fallback move of seat 0 is"),
        (lambda e: nth(e, "answers")["answers"].__setitem__(0, True), "the fallback move of seat 0 is"),
        (lambda e: nth(e, "answers")["answers"].pop(), "expected 3 answers, not 2"),
        (lambda e: nth(e, "answers").__setitem__("check", 1), "deal 1, turn 1"),
        (lambda e: nth(e, "end")["end"]["scores"].__setitem__(0, 0), "the scores are"),
        (lambda e: nth(e, "end")["end"].__setitem__("seed", "other"), "the commitment"),
        (lambda e: nth(e, "end")["end"].__setitem__("nonce", "0"), "the commitment"),
        (lambda e: e[0].__setitem__("commitment", "0" * 64), "the commitment"),
        (lambda e: e[0]["seats"].__setitem__(0, "somebody else"), "the seal of these lines"),
        (lambda e: e[0].__setitem__("began", "2001-01-01T00:00:00Z"), "the seal of these lines"),
        (lambda e: e[0]["limits"].__setitem__("card_us", 1), "the seal of these lines"),
        (lambda e: nth(e, "end")["end"].__setitem__("ended", "2001-01-01T00:00:00Z"), "the seal of these lines"),
        (lambda e: nth(e, "end")["end"]["ranks"].__setitem__(0, 2), "the ranks are"),
        (lambda e: nth(e, "end")["end"].__setitem__("void", "no"), "the match was played to its end"),
        (lambda e: nth(e, "answers")["us"].__setitem__(0, 1), "seat 0 was not asked"),
        (lambda e: nth(e, "answers")["by"].__setitem__(0, "bot"), '"by" must be fallback, fallback, fallback'),
        (lambda e: nth(e, "answers").pop("by"), '"by" must be fallback, fallback, fallback'),
        (lambda e: nth(e, "fault")["fault"].__setitem__("strike", 2), "this is fault 1 of seat 0"),
        (lambda e: nth(e, "fault")["fault"].__setitem__("closed", False), "this fault closes seat 0"),
        (lambda e: nth(e, "fault")["fault"].__setitem__("kind", "timeout"), "before the first deal"),
        (lambda e: nth(e, "fault")["fault"].__setitem__("kind", "rudeness"), "unknown fault 'rudeness'"),
        (lambda e: nth(e, "fault")["fault"].__setitem__("seat", 3), "expected a seat from 0 to 2"),
        (lambda e: nth(e, "fault")["fault"].__setitem__("seat", 1), "seat 1 is closed"),
        (lambda e: nth(e, "fault")["fault"].__setitem__("got", "something"), "the seal of these lines"),
        (lambda e: e.remove(nth(e, "fault")), '"by" must be bot, fallback, fallback'),
        (lambda e: e[0].__setitem__("strikes", 0), '"strikes" must be'),
        (lambda e: e[0]["options"].pop("target"), "the options must be"),
        (lambda e: e[0].__setitem__("bullring", 99), "line 1"),
        (lambda e: e[0].__setitem__("game", "skat"), "there is no game 'skat'"),
        (lambda e: e[0].__setitem__("seats", ["alone"]), "seats"),
        (lambda e: e.insert(3, {"surprise": 1}), "unknown kind of line"),
        (lambda e: e.insert(9, nth(e, "deal")), "cards are dealt in the middle of a deal"),
        (lambda e: e.remove(nth(e, "deal")), "there are answers where no decision is pending"),
        (lambda e: nth(e, "deal")["deal"].__setitem__(0, 500), "none more often than the deck has it"),
        (lambda e: nth(e, "deal").__setitem__("deal", "all"), "expected whole numbers"),
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
    assert difference.startswith("line 5: deal 1: card 1 is ")
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
    assert verify(read_lines(record)).difference == "line 34: there are more lines after the end of the match"


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
    path.touch(0o644)  # also one that all could read before
    matches(bot("polite"), bot("polite"), record=path)
    assert path.stat().st_mode & 0o077 == 0


def test_a_void_match_verifies_and_says_that_it_is_void(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"

    referee(first_option, script_of(fails), record=record)
    verdict = verify(read_lines(record))
    assert verdict.difference is None
    assert verdict.void == "the machine failed seat 1: the engine is gone"
    assert here("verify", str(record)).output.endswith(
        "; the match is void: the machine failed seat 1: the engine is gone\n"
    )


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (None, "deal 1, turn 1: replaying these answers does not reproduce"),
        (200, "seat 0 must answer card with one of"),
        (True, "an answer is not an option"),
        (1.0, "an answer is not an option"),
    ],
)
def test_an_answer_that_was_not_given_is_noticed(answer: object, says: str, tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    referee(first_option, first_option, first_option, record=record)

    def change(entries: list[Entry]) -> None:
        """Another legal card, if none is given."""
        other_card(entries)
        if answer is not None:
            nth(entries, "answers")["answers"][0] = answer

    difference = tamper(record, change)
    assert difference is not None
    assert says in difference


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"[" * 500_000 + b"]" * 500_000, "not JSON"),
        (b'{"deal":' + b"[" * 400_000 + b"]" * 400_000 + b"}", "not JSON"),
        (b'{"answers":[NaN],"us":[1]}', "not JSON"),
        (b'{"answers":[1],"us":[-Infinity]}', "not JSON"),
        (b'{"answers":[1],"us":[' + b"9" * 5000 + b"]}", "not JSON"),
        (b'{"answers":[1,2,3],"us":[' + b"9" * 4000 + b",1,1]}", "below 2^53"),
        (b'{"answers":[1,2,3],"us":[1e400,1,1]}', "not written as records are"),
        (b'{"answers":[1], "us":[1]}', "not written as records are"),
        (b'{"answers":[1],"us":[1],"us":[2]}', "not written as records are"),
        (b'{"stderr":{"seat":0,"text":"\xc3\xa9"}}', "not JSON"),
        ('{"answers":[1],"us":[1]}'.encode("utf-16-le"), "not JSON"),
        (b'{"deal":"' + b"x" * (1 << 21) + b'"}', "longer than any line"),
    ],
)
def test_lines_that_are_bombs_are_refused_in_a_short_line(line: bytes, says: str, tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    referee(first_option, first_option, first_option, record=record)
    lines = record.read_bytes().splitlines()
    at = next(number for number, entry in enumerate(lines) if entry.startswith(b'{"answers"'))
    lines[at] = line
    record.write_bytes(b"\n".join(lines) + b"\n")
    difference = verify(read_lines(record)).difference
    assert difference is not None
    assert difference.startswith(f"line {at + 1}: ")
    assert says in difference
    assert len(difference) < 300
    assert here("replay", str(record)).exit_code in (0, RecordError.exit_code)


def test_a_file_without_an_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    huge = tmp_path / "huge.jsonl"
    with huge.open("wb") as file:
        file.truncate(3 << 30)
    for path in (huge, Path("/dev/zero")):
        with pytest.raises(RecordError, match="larger than any record"):
            read_lines(path)
