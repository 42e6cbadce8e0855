"""The records of a home: what is on disk is found again, whatever was cut off or damaged."""

import errno
import os
import struct
from collections.abc import Sequence
from pathlib import Path
from random import Random
from zlib import crc32

import msgpack
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from bullring.errors import RecordError, StoreError
from bullring.ladder.store import columns, records
from bullring.ladder.store.condense import condense
from bullring.ladder.store.frames import COLUMNS, DENSE, LONGEST, PLAIN, head_of, pack, repack, unpack
from bullring.ladder.store.records import Records

NOTHING: set[int] = set()


def condense_all(folder: Path, *, at_rest: bool = False) -> None:
    kept = Records(folder)
    condense(kept, kept.loose(at_rest=at_rest))


def text_of(match: int) -> bytes:
    """Something like a record, different for each match."""
    random = Random(match)
    turns = "".join(
        f'{{"answers":[{random.randrange(104)},{random.randrange(104)}],"us":[{random.randrange(10**6)},0],'
        f'"check":{random.randrange(2**32)}}}\n'
        for _ in range(5)
    )
    return f'{{"bullring":2,"ladder":{{"match":{match}}}}}\n{turns}{{"end":{{"seed":"{random.randbytes(32).hex()}"}}}}\n'.encode()


def some(*matches: int) -> list[tuple[int, bytes]]:
    return [(match, text_of(match)) for match in matches]


def written(folder: Path, *frames: Sequence[int]) -> Records:
    """Records to which frames with these matches were appended."""
    kept = Records(folder)
    for matches in frames:
        kept.append([pack(some(*matches))])
    kept.sync()
    kept.close()
    return Records(folder)


def stored(*matches: int) -> "dict[int, bytes]":
    return dict(some(*matches))


# Frames

PACKED = (pack(some(1, 2, 3)), repack(some(1, 2, 3)))


@pytest.mark.parametrize("frame", PACKED, ids=["plain", "columns"])
def test_a_frame_holds_records_and_tells_which_without_unpacking(frame: bytes) -> None:
    head = head_of(frame)
    assert head is not None
    assert (head.size, head.matches) == (len(frame), 3)
    assert unpack(frame) == some(1, 2, 3)


def test_columns_take_less_room_than_text() -> None:
    several = some(*range(50))
    assert head_of(repack(several)).way == COLUMNS  # type: ignore[union-attr]
    assert len(repack(several)) < 0.9 * len(pack(several))


@given(
    st.lists(
        st.binary()
        | st.sampled_from([b'"us":[1,2]', b'"us":#', b'"seed":"', b'"check":07', b'"check":1.5', b"us", b":#"])
    )
)
def test_any_bytes_can_be_repacked(pieces: list[bytes]) -> None:
    records = [(7, b"".join(pieces)), (2**63, b"".join(reversed(pieces)))]
    assert unpack(repack(records)) == records


def test_what_columns_would_not_give_back_is_packed_as_text() -> None:
    records = [(1, b'{"us":#}{"us":[1]}\n')]
    frame = repack(records)
    assert head_of(frame).way == DENSE  # type: ignore[union-attr]
    assert unpack(frame) == records


@pytest.mark.parametrize("frame", PACKED, ids=["plain", "columns"])
def test_every_changed_bit_and_every_cut_of_a_frame_is_noticed(frame: bytes) -> None:
    for at in range(len(frame)):
        changed = bytearray(frame)
        changed[at] ^= 1 << at % 8
        with pytest.raises(RecordError, match="altered"):
            unpack(bytes(changed))
        with pytest.raises(RecordError):
            unpack(frame[:at])


def sealed(way: int, sizes: Sequence[int], body: bytes) -> bytes:
    """A frame with a checksum that fits, as somebody makes it who means harm."""
    table = b"".join(struct.pack("<QI", number, size) for number, size in enumerate(sizes))
    rest = struct.pack("<BHI", way, len(sizes), len(body)) + table + body
    return b"6NF1" + struct.pack("<I", crc32(rest)) + rest


squeezed = zstandard.ZstdCompressor().compress
EMPTY = [0] * (columns.COUNT - 1)


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (sealed(PLAIN, [10], squeezed(bytes(1 << 24))), "expected 10 bytes"),
        (sealed(PLAIN, [LONGEST, LONGEST], squeezed(b"")), "must not be longer"),
        (sealed(COLUMNS, [9 << 20], squeezed(b"")), "must not be longer"),
        (sealed(PLAIN, [10], b"nonsense"), "cannot be unpacked"),
        (sealed(COLUMNS, [10], b"nonsense"), "cannot be unpacked"),
        (sealed(COLUMNS, [10], msgpack.packb(7)), "cannot be unpacked"),
        (sealed(COLUMNS, [10], msgpack.packb(([*EMPTY, -1], [b""] * columns.COUNT))), "cannot be unpacked"),
        (sealed(COLUMNS, [10], msgpack.packb(([*EMPTY, 10], [7] * columns.COUNT))), "cannot be unpacked"),
        (sealed(COLUMNS, [10], msgpack.packb(([1 << 40, *EMPTY], [b"x"] * columns.COUNT))), "longer than its records"),
        (sealed(COLUMNS, [10], msgpack.packb(([1 << 40, -1 << 40, *EMPTY[1:]], [b"x"] * columns.COUNT))), "the sizes of"),
        (sealed(COLUMNS, [10], msgpack.packb(({"a": 1}, [b"x"] * columns.COUNT))), "the sizes of"),
        (sealed(COLUMNS, [10], msgpack.packb(([*EMPTY, 3], [*[b""] * len(EMPTY), squeezed(b"abc")]))), "10 bytes together, not 3"),
    ],
)  # fmt: skip
def test_a_frame_that_means_harm_is_refused(frame: bytes, why: str) -> None:
    with pytest.raises(RecordError, match=why):
        unpack(frame)


# Segments


def test_records_are_found_by_number_and_in_order(tmp_path: Path) -> None:
    kept = written(tmp_path, (1, 2), (4,), (3, 5))
    assert [kept.read(match) for match in (3, 1, 6)] == [text_of(3), text_of(1), None]
    assert list(kept.walk()) == some(1, 2, 4, 3, 5)
    assert (list(kept.matches()), kept.newest()) == ([1, 2, 4, 3, 5], 5)


def test_a_reader_sees_what_is_appended_meanwhile(tmp_path: Path) -> None:
    writer, reader = Records(tmp_path), Records(tmp_path)
    for match in (1, 2, 3):
        assert reader.read(match) is None
        writer.append([pack(some(match))])
        assert reader.read(match) == text_of(match)
    writer.close()


def test_a_reader_notices_that_a_segment_was_mended_and_written_to_again(tmp_path: Path) -> None:
    reader = written(tmp_path, (1,), (2, 3))
    assert reader.read(2) == text_of(2)
    Records(tmp_path).mend({2, 3}, {1}.__contains__)
    written(tmp_path, (4,), (5, 6), (7,))
    assert [reader.read(match) for match in (4, 5, 7)] == [text_of(4), text_of(5), text_of(7)]


def test_a_segment_that_is_full_is_followed_by_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "FULL", 4)
    kept = written(tmp_path, *[(match, match + 1) for match in range(1, 21, 2)])
    assert [path.name for path in kept.segments()] == [f"{number:06}.seg" for number in range(5)]
    assert {path.stat().st_mode & 0o777 for path in kept.segments()} == {0o600}
    assert all(kept.read(match) == text_of(match) for match in range(20, 0, -1))
    assert dict(written(tmp_path, (21,)).walk()) == stored(*range(1, 22))


def test_nothing_but_plain_whole_frames_is_appended(tmp_path: Path) -> None:
    kept = Records(tmp_path)
    for wrong in (b"", b"x" * 100, pack(some(1))[:-1], pack(some(1)) + b"x", repack(some(1))):
        with pytest.raises(RecordError, match="expected a whole frame"):
            kept.append([wrong])
    assert list(kept.walk()) == []


def test_a_tail_that_was_torn_at_any_byte_costs_nothing_but_itself(tmp_path: Path) -> None:
    kept = written(tmp_path, (1, 2), (3,))
    (segment,) = kept.segments()
    whole = segment.read_bytes()
    last = kept._look(segment).frames[-1].offset
    for size in range(last, len(whole)):
        segment.write_bytes(whole[:size])
        assert dict(Records(tmp_path).walk()) == stored(1, 2)  # a reader ignores it
        assert Records(tmp_path).mend(NOTHING, stored(1, 2).__contains__) == size - last
        assert segment.stat().st_size == last


def test_a_segment_that_was_torn_in_its_first_frame_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "FULL", 2)
    kept = written(tmp_path, (1, 2), (3, 4))
    first, _ = kept.segments()
    whole = first.read_bytes()
    for size in range(len(whole)):
        first.write_bytes(whole[:size])
        assert Records(tmp_path).read(3) == stored(3)[3]
        assert Records(tmp_path).read(1) is None


def test_what_was_begun_and_not_stored_is_cut_off_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "FULL", 4)
    kept = written(tmp_path, (1, 2), (3,), (4, 5), (6, 7), (8, 9))
    assert kept.mend({4, 5, 6, 7, 8, 9}, stored(1, 2, 3).__contains__) > 0
    assert dict(Records(tmp_path).walk()) == stored(1, 2, 3)
    # A store from an older copy knows nothing of them: that is no reason to lose them.
    assert Records(tmp_path).mend(NOTHING, lambda _: False) == 0
    assert dict(written(tmp_path, (10,)).walk()) == stored(1, 2, 3, 10)


@pytest.mark.parametrize("way", ["overwritten", "size", "cut out"])
def test_of_a_damaged_segment_all_other_frames_are_read(way: str, tmp_path: Path) -> None:
    kept = written(tmp_path, (1, 2), (3, 4), (5,), (6, 7))
    (segment,) = kept.segments()
    frames = list(kept.frames())
    data = bytearray(segment.read_bytes())
    begin, end = frames[1].offset, frames[2].offset
    match way:
        case "overwritten":
            data[begin : begin + 30] = b"x" * 30
        case "size":
            data[begin + 11 : begin + 15] = struct.pack("<I", end - begin + 17)
        case "cut out":
            del data[begin + 20 : end - 20]
    segment.write_bytes(data)
    damaged = Records(tmp_path)
    assert dict(damaged.walk()) == stored(1, 2, 5, 6, 7)
    ((path, size),) = damaged.damaged()
    assert (path, size) == (segment, frames[2].offset - begin - (len(frames[1].read()) - 40) * (way == "cut out"))
    assert damaged.mend(NOTHING, stored(1, 2, 3, 4, 5, 6, 7).__contains__) == 0
    with pytest.raises(RecordError, match="damaged"):
        damaged.condense(segment)


def test_a_damaged_record_is_told_and_its_neighbours_are_read(tmp_path: Path) -> None:
    kept = written(tmp_path, (1, 2), (3,))
    (segment,) = kept.segments()
    data = bytearray(segment.read_bytes())
    data[60] ^= 1
    segment.write_bytes(data)
    with pytest.raises(RecordError, match="altered"):
        Records(tmp_path).read(2)
    assert Records(tmp_path).read(3) == text_of(3)


def test_a_full_disk_leaves_no_half_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Records(tmp_path)
    kept.append([pack(some(1))])
    kept.sync()
    frame = pack(some(*range(2, 40)))
    # A disk that takes the first few bytes: the limit of a file's size is the same for whoever writes.
    tail = kept._tail
    assert tail is not None
    real = tail._file

    class Full:
        def __getattr__(self, name: str) -> object:
            return getattr(real, name)

        def write(self, data: memoryview) -> int:
            if len(data) < len(frame):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real.write(data[:10])

    monkeypatch.setattr(tail, "_file", Full())
    with pytest.raises(StoreError, match="cannot be written: No space left"):
        kept.append([frame])
    monkeypatch.undo()
    kept.append([pack(some(50))])
    assert dict(Records(tmp_path).walk()) == stored(1, 50)
    kept.close()


# Condensing


def test_full_segments_are_condensed_and_read_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "FULL", 100)
    monkeypatch.setattr(records, "DENSE", 40)
    written(tmp_path, *[(match,) for match in range(1, 251)])
    reader = Records(tmp_path)
    assert reader.read(10) == text_of(10)
    before = [path.stat().st_size for path in reader.segments()]
    condense_all(tmp_path)
    after = [path.stat().st_size for path in reader.segments()]
    assert [size < old for size, old in zip(after, before, strict=True)] == [True, True, False]
    assert reader.loose() == []
    assert [len(frame.matches) for frame in reader.frames()][:6] == [40, 40, 20, 40, 40, 20]
    assert list(reader.walk()) == some(*range(1, 251))
    assert all(reader.read(match) == text_of(match) for match in (10, 99, 200, 250))
    assert dict(written(tmp_path, (251,)).walk()) == stored(*range(1, 252))


def test_a_reader_that_is_overtaken_by_condensing_looks_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "FULL", 10)
    written(tmp_path, range(1, 11), (11,))
    reader, real = Records(tmp_path), records.Frame.read

    def late(frame: records.Frame) -> bytes:
        monkeypatch.undo()
        condense_all(tmp_path)
        return real(frame)

    monkeypatch.setattr(records.Frame, "read", late)
    assert reader.read(7) == text_of(7)


def test_condensing_that_is_cut_short_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "FULL", 10)
    kept = written(tmp_path, range(1, 11), (11,))

    def killed(self: Path, target: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            condense_all(tmp_path)
    assert list(Records(tmp_path).walk()) == some(*range(1, 12))
    condense_all(tmp_path)
    assert kept.loose() == []
    assert list(kept.walk()) == some(*range(1, 12))


def test_a_segment_that_was_condensed_is_appended_to_and_condensed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "DENSE", 4)
    first = list(written(tmp_path, range(1, 7)).walk())
    condense_all(tmp_path, at_rest=True)
    (segment,) = Records(tmp_path).segments()
    full = next(Records(tmp_path).frames()).read()
    written(tmp_path, range(7, 10))
    assert Records(tmp_path).loose() == []
    condense_all(tmp_path, at_rest=True)
    assert segment.read_bytes().startswith(full)  # what is dense already is not packed again
    assert [list(frame.matches) for frame in Records(tmp_path).frames()] == [[1, 2, 3, 4], [5, 6, 7, 8], [9]]
    assert list(Records(tmp_path).walk()) == [*first, *some(7, 8, 9)]


def test_what_condensing_has_left_half_done_is_swept(tmp_path: Path) -> None:
    written(tmp_path, (1,))
    (tmp_path / "000000.new").write_bytes(b"half")
    Records(tmp_path).mend(NOTHING, stored(1).__contains__)
    assert [path.name for path in tmp_path.iterdir()] == ["000000.seg"]


def test_damaged_segments_are_set_aside_and_whole_frames_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "FULL", 4)
    kept = written(tmp_path / "records", (1, 2), (3, 4), (5, 6), (7, 8), (9,))
    aside = tmp_path / "aside"
    assert kept.set_aside(aside) == []
    first, second, last = kept.segments()
    head, body = bytearray(first.read_bytes()), bytearray(second.read_bytes())
    head[0] ^= 1
    body[-1] ^= 1
    first.write_bytes(head)
    second.write_bytes(body)
    assert kept.set_aside(aside) == [aside / first.name, aside / second.name]
    assert [path.read_bytes() for path in sorted(aside.iterdir())] == [head, body]
    assert dict(Records(kept.folder).walk()) == stored(3, 4, 5, 6, 9)
    assert not list(kept.damaged())
    first.write_bytes(head)
    assert kept.set_aside(aside) == [aside / f"{first.stem}-2.seg"]
    assert kept.segments() == [first, second, last]


@pytest.mark.parametrize("why", ["a full disk", "damage"])
def test_condensing_that_fails_leaves_nothing(why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = written(tmp_path, (1, 2), (3,))
    (segment,) = kept.segments()
    if why == "damage":
        data = bytearray(segment.read_bytes())
        data[-1] ^= 1
        segment.write_bytes(data)
    else:

        def full(fd: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(os, "fsync", full)
    before = segment.read_bytes()
    condense_all(tmp_path, at_rest=True)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == {segment: before}
