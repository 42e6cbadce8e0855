"""The records of a home: what is on disk is found again, whatever was cut off or damaged."""

import errno
import io
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from bullring.errors import RecordError, StoreError
from bullring.ladder.store import records
from bullring.ladder.store.dictionary import Dictionary
from bullring.ladder.store.packet import pack
from bullring.ladder.store.records import Records

OWN = Dictionary(b'{"bullring":2,"ladder":{"match":1}}')
NOTHING: set[int] = set()


def text_of(match: int) -> bytes:
    """Something like a record, different for each match."""
    return b'{"bullring":2,"ladder":{"match":%d}}\n{"end":"%b"}\n' % (match, Random(match).randbytes(40).hex().encode())


def some(*matches: int) -> list[tuple[int, bytes]]:
    return [(match, text_of(match)) for match in matches]


def packed(*matches: int) -> list[bytes]:
    return [pack(match, text, OWN) for match, text in some(*matches)]


def written(folder: Path, *matches: int) -> Records:
    """Records to which those of these matches were appended."""
    kept = Records(folder)
    kept.keep(OWN)
    kept.append(packed(*matches))
    return Records(folder)


def newest_of(*matches: int) -> Callable[[int, int], int | None]:
    """As a store tells it in which these matches are, in this order."""
    return lambda first, last: next((match for match in matches[::-1] if first <= match <= last), None)


def stored(*matches: int) -> dict[int, bytes]:
    return dict(some(*matches))


@pytest.fixture(autouse=True)
def four(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few matches in a file."""
    monkeypatch.setattr(records, "EACH", 4)


def test_records_are_found_by_number_and_in_order(tmp_path: Path) -> None:
    kept = written(tmp_path, 1, 2, 9, 3, 5)
    assert [kept.read(match) for match in (3, 1, 6, 9, 17)] == [text_of(3), text_of(1), None, text_of(9), None]
    assert list(kept.walk()) == some(1, 2, 3, 5, 9)
    assert (list(kept.matches()), kept.newest()) == ([1, 2, 3, 5, 9], 9)
    assert [path.name for path in kept.files()] == ["000000.records", "000001.records", "000002.records"]
    assert {path.stat().st_mode & 0o777 for path in kept.files()} == {0o600}


def test_a_reader_sees_what_is_appended_or_cut_off_meanwhile(tmp_path: Path) -> None:
    reader = written(tmp_path)
    for match in (1, 2, 3):
        assert reader.read(match) is None
        written(tmp_path, match)
        assert reader.read(match) == text_of(match)
    Records(tmp_path).mend({2, 3}, {2, 3}, newest_of(1))
    assert [reader.read(match) for match in (1, 2, 3)] == [text_of(1), None, None]


def test_nothing_but_whole_packets_is_appended(tmp_path: Path) -> None:
    (good,) = packed(1)
    for wrong in (b"", b"x" * 100, good[:-1], good + b"x"):
        with pytest.raises(RecordError, match="expected a record as referee processes pack it"):
            Records(tmp_path).append([good, wrong])
    assert Records(tmp_path).files() == []


def test_a_packet_counts_once_and_in_its_own_file(tmp_path: Path) -> None:
    kept = written(tmp_path, 1, 2, 5)
    with kept.files()[0].open("ab") as file:
        file.write(b"".join(packed(2, 5, 3)))
    assert [piece.match for piece in kept.pieces()] == [1, 2, None, None, 3, 5]
    assert Records(tmp_path).mend({1}, NOTHING, newest_of(1, 2, 5)) is None
    assert kept.read(3) == text_of(3)


def test_a_tail_that_was_torn_at_any_byte_costs_nothing_but_itself(tmp_path: Path) -> None:
    (file,) = written(tmp_path, 1, 2, 3).files()
    whole = file.read_bytes()
    last = len(whole) - len(packed(3)[0])
    for size in range(last, len(whole)):
        file.write_bytes(whole[:size])
        assert dict(Records(tmp_path).walk()) == stored(1, 2)  # a reader ignores it
        assert Records(tmp_path).mend({3}, {3}, newest_of(1, 2)) is None
        assert file.stat().st_size == last


def test_what_was_begun_and_not_stored_is_cut_off_and_nothing_else(tmp_path: Path) -> None:
    kept = written(tmp_path, *range(1, 10))
    assert kept.mend({6, 7, 8, 9}, {6, 7, 8, 9}, newest_of(1, 2, 3, 4, 5)) is None
    assert dict(Records(tmp_path).walk()) == stored(1, 2, 3, 4, 5)
    # A store from an older copy knows nothing of them: that is no reason to lose them.
    assert Records(tmp_path).mend({0, 5}, NOTHING, newest_of()) is None
    assert dict(written(tmp_path, 10).walk()) == stored(1, 2, 3, 4, 5, 10)


def test_any_flipped_bit_costs_its_own_match_at_most(tmp_path: Path) -> None:
    kept = written(tmp_path, 4, 5, 6)
    (file,) = kept.files()
    whole = file.read_bytes()
    ends = [sum(map(len, packed(*range(4, match + 1)))) for match in (4, 5, 6)]
    for at in range(len(whole)):
        data = bytearray(whole)
        data[at] ^= 1 << at % 8
        file.write_bytes(data)
        lost = 4 + sum(at >= end for end in ends)
        damaged = Records(tmp_path)
        assert {*damaged.matches()} == {4, 5, 6} - {lost}
        with pytest.raises(
            RecordError, match=r"000001.records between bytes \d+ and \d+ is damaged; see: bullring verify"
        ):
            damaged.read(lost)
        assert damaged.mend({7}, {7}, newest_of(4, 5, 6)) == (6 if lost == 6 else None)
        assert file.read_bytes() == data


@pytest.mark.parametrize("name", ["", ".copy"])
def test_of_a_dictionary_one_copy_is_enough_and_the_other_is_mended(name: str, tmp_path: Path) -> None:
    kept = written(tmp_path, 1)
    assert not list(kept.damaged_dictionaries())
    path = tmp_path / "dictionaries" / f"{OWN.id:08x}{name}"
    for spoil in (lambda: path.write_bytes(b"x" + OWN.content), path.unlink):
        spoil()
        assert Records(tmp_path).read(1) == text_of(1)
        assert [found for found, _ in kept.damaged_dictionaries()] == [path]
        Records(tmp_path).mend_dictionaries()
        assert path.read_bytes() == OWN.content
    assert not list(kept.damaged_dictionaries())


def test_without_its_dictionary_a_record_cannot_be_read(tmp_path: Path) -> None:
    written(tmp_path, 1)
    for path in (tmp_path / "dictionaries").iterdir():
        path.write_bytes(b"")
    with pytest.raises(RecordError, match="both copies of its dictionary"):
        Records(tmp_path).read(1)


def test_a_full_disk_leaves_no_half_packet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = written(tmp_path, 1)
    write = io.FileIO.write

    class Full(io.FileIO):
        """A disk that takes the first few bytes."""

        def write(self, data: Sequence[int]) -> int:  # type: ignore[override]
            if len(data) < len(packed(2)[0]):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return write(self, data[:10])  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(os, "fdopen", lambda fd, mode, buffering: Full(fd, mode))
        with pytest.raises(StoreError, match="cannot be written: No space left"):
            kept.append(packed(2))
    kept.append(packed(3))
    assert dict(Records(tmp_path).walk()) == stored(1, 3)
    assert all(piece.match for piece in kept.pieces())


def test_damaged_files_are_set_aside_and_whole_packets_stay(tmp_path: Path) -> None:
    kept = written(tmp_path / "records", *range(1, 10))
    aside = tmp_path / "aside"
    assert kept.set_aside(aside) == []
    first, second, last = kept.files()
    head, body = bytearray(first.read_bytes()), bytearray(second.read_bytes())
    head[0] ^= 1
    body[-1] ^= 1
    first.write_bytes(head)
    second.write_bytes(body)
    assert kept.set_aside(aside) == [aside / first.name, aside / second.name]
    assert [path.read_bytes() for path in sorted(aside.iterdir())] == [head, body]
    assert dict(Records(kept.folder).walk()) == stored(2, 3, 4, 5, 6, 8, 9)
    assert all(piece.match for piece in kept.pieces())
    first.write_bytes(head)
    assert kept.set_aside(aside) == [aside / f"{first.stem}-2.records"]
    assert kept.files() == [first, second, last]
