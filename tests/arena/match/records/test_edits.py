"""Every edit of a sealed record is noticed (behaviour 88)."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bullring.arena.match.records.reader import Lines, read_lines
from bullring.arena.match.records.replay import Replay
from bullring.arena.match.records.signatures import Signer
from bullring.arena.match.records.verification import verify
from bullring.arena.match.records.writer import encode
from bullring.arena.settings.limits import Limits
from bullring.arena.watching.display.transcript import Story
from bullring.errors import RecordError
from tests.support.record import entries_of, resealed
from tests.support.scripted import first_option, illegal, late, referee, script_of, silent

SIGNER = Signer.new()


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A signed record in which all happens: faults, moves of the referee, a closed seat, a log."""
    path = tmp_path_factory.mktemp("sealed") / "m.jsonl"
    limits = Limits.seconds(card=0.1, row=0.1)
    referee(first_option, script_of(late, illegal), silent, record=path, limits=limits, signer=SIGNER)
    return path.read_bytes()


@pytest.fixture(scope="module")
def plain(signed: bytes, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The same record without a signature."""
    path = tmp_path_factory.mktemp("plain") / "m.jsonl"
    path.write_bytes(signed)
    return resealed(entries_of(path))


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The record of another match of the same bots."""
    path = tmp_path_factory.mktemp("other") / "m.jsonl"
    referee(first_option, first_option, silent, record=path, seed="8", signer=SIGNER)
    return path.read_bytes()


def noticed(data: bytes, key: str | None = None) -> bool:
    """Whether a record does not pass for that of a whole match."""
    whole = data.rfind(b"\n") + 1
    try:
        verdict = verify(Lines(data[:whole], len(data) - whole), key)
    except RecordError:
        return True
    return verdict.difference is not None or not verdict.finished or verdict.torn > 0


def leaves(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values in a JSON value that contain no others."""
    if isinstance(node, dict | list) and node:
        for key in node if isinstance(node, dict) else range(len(node)):
            yield from leaves(node[key], (*path, key))
    else:
        yield path


def test_the_records_themselves_verify(signed: bytes, plain: bytes, other: bytes) -> None:
    for data in (signed, plain, other):
        assert not noticed(data)
    assert not noticed(signed, SIGNER.public)


@given(data=st.data())
def test_no_byte_can_be_changed_dropped_or_added(data: st.DataObject, signed: bytes, plain: bytes) -> None:
    record = data.draw(st.sampled_from([signed, plain]))
    at = data.draw(st.integers(0, len(record) - 1))
    byte = bytes([data.draw(st.integers(0, 255))])
    edited = data.draw(
        st.sampled_from(
            [record[:at] + byte + record[at + 1 :], record[:at] + record[at + 1 :], record[:at] + byte + record[at:]]
        )
    )
    assume(edited != record)
    assert noticed(edited)


@given(data=st.data())
def test_no_value_can_be_changed(data: st.DataObject, signed: bytes, plain: bytes) -> None:
    lines = data.draw(st.sampled_from([signed, plain])).splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    entry = json.loads(lines[at])
    *way, last = data.draw(st.sampled_from(list(leaves(entry))))
    node = entry
    for key in way:
        node = node[key]
    what = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.just([]), st.just({}))
    node[last] = data.draw(what | st.sampled_from([node[last] + 1] if type(node[last]) is int else ["bot", "fallback"]))
    edited = encode(entry).encode()
    assume(edited != lines[at])
    assert noticed(b"\n".join([*lines[:at], edited, *lines[at + 1 :]]) + b"\n")


@given(data=st.data())
def test_no_key_can_be_dropped_or_added(data: st.DataObject, signed: bytes, plain: bytes) -> None:
    lines = data.draw(st.sampled_from([signed, plain])).splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    entry = json.loads(lines[at])
    inner = [node for node in (entry, *entry.values()) if isinstance(node, dict)]
    node = data.draw(st.sampled_from(inner))
    if data.draw(st.booleans()):
        node.pop(data.draw(st.sampled_from(sorted(node))))
    else:
        node[data.draw(st.text().filter(lambda key: key not in node))] = 1
    assert noticed(b"\n".join([*lines[:at], encode(entry).encode(), *lines[at + 1 :]]) + b"\n")


@given(data=st.data())
def test_no_line_can_be_dropped_repeated_moved_or_brought_from_another_record(
    data: st.DataObject, signed: bytes, plain: bytes, other: bytes
) -> None:
    record = data.draw(st.sampled_from([signed, plain]))
    lines = record.splitlines(keepends=True)
    a, b = data.draw(st.integers(0, len(lines) - 1)), data.draw(st.integers(0, len(lines) - 1))
    foreign = data.draw(st.sampled_from(other.splitlines(keepends=True)))
    kind = data.draw(st.sampled_from(["drop", "repeat", "exchange", "insert", "replace", "cut"]))
    match kind:
        case "drop":
            del lines[a]
        case "repeat":
            lines.insert(b, lines[a])
        case "exchange":
            lines[a], lines[b] = lines[b], lines[a]
        case "insert":
            lines.insert(a, foreign)
        case "replace":
            lines[a] = foreign
        case "cut":
            lines[-1] = lines[-1][: a - len(lines)]
    edited = b"".join(lines)
    assume(edited != record)
    assert noticed(edited)


def test_the_end_of_another_match_or_a_second_end_is_noticed(signed: bytes, other: bytes) -> None:
    ours, theirs = signed.splitlines(keepends=True), other.splitlines(keepends=True)
    assert noticed(b"".join([*ours[:-1], theirs[-1]]))
    assert noticed(b"".join([*ours, ours[-1]]))
    assert noticed(b"".join([*ours, theirs[-1]]))
    assert noticed(signed + other)


@given(data=st.data())
def test_a_signature_is_missed_by_those_who_know_whose_record_it_must_be(
    data: st.DataObject, signed: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A forger who seals again cannot sign; what follows from the deals is noticed even so."""
    path = tmp_path_factory.getbasetemp() / "forged.jsonl"
    path.write_bytes(signed)
    entries = entries_of(path)
    faults = [entry["fault"] for entry in entries if "fault" in entry]
    data.draw(st.sampled_from(faults))["got"] = data.draw(st.text())
    forged = resealed(entries)
    assert not noticed(forged), "nothing that follows was changed, and the seal fits"
    assert noticed(forged, SIGNER.public)
    stranger = Signer.new()
    assert noticed(signed, stranger.public)


def first(entries: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    """The first line that has this key."""
    return next(entry for entry in entries if kind in entry)


CONTRADICTIONS: Sequence[Callable[[list[dict[str, Any]]], object]] = [
    lambda entries: entries[-1]["end"].update(void="the machine stood still", ranks=[]),
    lambda entries: first(entries, "by")["by"].reverse(),
    lambda entries: first(entries, "answers")["answers"].reverse(),
    lambda entries: first(entries, "fault")["fault"].update(seat=0),
    lambda entries: first(entries, "fault")["fault"].update(closed=True),
    lambda entries: first(entries, "fault")["fault"].update(strike=3, closed=True),
    lambda entries: first(entries, "fault")["fault"].update(decision="deal 1, turn 2, card"),
    lambda entries: entries[0].update(strikes=1),
    lambda entries: entries[0].update(strikes=9),
    lambda entries: entries[0].update(game="tactics"),
    lambda entries: entries[0]["options"].update(deals=7),
]
"""Edits of lines that contradict others; see also `test_records`."""

MISPLACED_LOGS: Sequence[Callable[[list[dict[str, Any]]], object]] = [
    lambda entries: entries.insert(-1, entries[-2]),
    lambda entries: entries.insert(2, entries.pop(-2)),
]


@pytest.mark.parametrize("edit", [*CONTRADICTIONS, *MISPLACED_LOGS])
def test_what_follows_is_recomputed_even_if_the_seal_fits(edit: Any, signed: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(signed)
    entries = entries_of(path)
    edit(entries)
    path.write_bytes(resealed(entries))
    difference = verify(read_lines(path)).difference
    assert difference is not None
    assert difference.startswith("line ")
    assert "seal" not in difference


def test_a_fallback_move_must_be_the_documented_one(signed: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(signed)
    entries = entries_of(path)
    first = next(entry for entry in entries if "fallback" in entry.get("by", ()))
    seat = first["by"].index("fallback")
    hand = next(entry["deal"] for entry in entries if "deal" in entry)[10 * seat : 10 * seat + 10]
    documented = first["answers"][seat]
    for card in hand:
        first["answers"][seat] = card
        path.write_bytes(resealed(entries))
        difference = verify(read_lines(path)).difference
        if card == documented:
            assert difference is None
        else:
            assert difference is not None
            assert f"the fallback move of seat {seat} is {documented}, but the record says {card}" in difference


HOSTILE: list[Any] = [None, -1, "\x1b[2J\ud800", [], {}]


def test_a_display_of_a_forged_record_shows_it_or_says_what_is_wrong(signed: bytes, tmp_path: Path) -> None:
    """With any value in any place, only `RecordError` is raised, and no control character reaches the terminal."""
    path = tmp_path / "m.jsonl"
    path.write_bytes(signed)
    entries = entries_of(path)
    next(entry["fault"] for entry in entries if "fault" in entry).update(exit="status 1", stderr="last words")
    kinds: dict[tuple[Any, ...], tuple[int, tuple[Any, ...]]] = {}
    for number, entry in enumerate(entries):
        for way in [
            *leaves(entry),
            *((key,) for key in entry),
            *((key, inner) for key in entry for inner in within(entry[key])),
        ]:
            kinds[(number == 0, *(key for key in way if type(key) is str))] = number, way
    for number, whole in kinds.values():
        inner, last = whole[:-1], whole[-1]
        for value in HOSTILE:
            entry = json.loads(encode(entries[number]))
            node = entry
            for key in inner:
                node = node[key]
            node[last] = value
            lines = [*entries[:number], entry, *entries[number + 1 :]]
            told = story(Lines("".join(encode(line) + "\n" for line in lines).encode()))
            assert not {"\x1b", "\ud800"} & set(told)


def within(node: Any) -> list[Any]:
    return list(node) if isinstance(node, dict) else []


def story(lines: Lines) -> str:
    """A record in sentences, up to the first thing that is wrong."""
    replay = Replay(telling=True)
    tale = Story(replay)
    told: list[str] = []
    try:
        for _, happening in replay.play(lines):
            told += tale.lines(happening)
    except RecordError:
        pass
    return "\n".join(told)


def test_a_line_is_of_the_kind_of_its_first_key(signed: bytes, tmp_path: Path) -> None:
    """Other readers skip a line that begins with a key they do not know, so this one must not take it for a deal."""
    path = tmp_path / "m.jsonl"
    path.write_bytes(signed)
    for kind in ("deal", "answers", "fault"):
        entries = entries_of(path)
        at = next(at for at, entry in enumerate(entries) if kind in entry)
        entries[at] = {"unknown": 1, **entries[at]}
        path.write_bytes(resealed(entries))
        difference = verify(read_lines(path)).difference
        assert difference is not None
        assert "unknown kind of line" in difference
        path.write_bytes(signed)
