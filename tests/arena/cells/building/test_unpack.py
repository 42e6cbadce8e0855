"""The stream of a build is a stranger's: nothing but plain files, folders and inner links comes of it, and within bounds."""

import struct
from pathlib import Path

import pytest

from bullring.arena.cells.building.unpack import Unpacking
from bullring.arena.cells.files.fill import filling
from bullring.arena.cells.files.hash import hash_folder
from bullring.arena.cells.files.walk import Bounds
from bullring.errors import FilesError

BUILT = b"s" + struct.pack(">i", 0)
END = b"."


def entry(kind: bytes, path: bytes, contents: bytes = b"", size: int | None = None) -> bytes:
    size = len(contents) if size is None else size
    return kind + struct.pack(">H", len(path)) + path + struct.pack(">Q", size) + contents


def unpacked(folder: Path, data: bytes, bounds: Bounds | None = None, step: int = 1 << 20) -> Unpacking:
    with filling(folder, "built") as target:
        unpacking = Unpacking(target, bounds or Bounds())
        for at in range(0, len(data), step):
            unpacking.feed(data[at : at + step])
        return unpacking


GOOD = (
    BUILT
    + entry(b"d", b"lib")
    + entry(b"f", b"lib/a", b"text")
    + entry(b"x", b"bot", b"#!")
    + entry(b"f", b"empty")
    + entry(b"l", b"link", b"lib/a")
    + END
)


@pytest.mark.parametrize("step", [1, 3, 1 << 20])
def test_what_was_built_arrives_however_it_is_cut(tmp_path: Path, step: int) -> None:
    unpacking = unpacked(tmp_path, GOOD, step=step)
    assert unpacking.done
    assert (tmp_path / "lib/a").read_bytes() == b"text"
    assert (tmp_path / "link").resolve() == (tmp_path / "lib/a").resolve()
    modes = {name: (tmp_path / name).stat().st_mode & 0o777 for name in ("lib", "lib/a", "bot", "empty")}
    assert modes == {"lib": 0o755, "lib/a": 0o644, "bot": 0o755, "empty": 0o644}
    assert unpacking.hash == hash_folder(tmp_path, Bounds())


def test_zeros_take_no_room(tmp_path: Path) -> None:
    """A build can make a sparse file of any size in no time."""
    contents = bytes(4 << 20) + b"x" + bytes(1 << 20)
    unpacked(tmp_path, BUILT + entry(b"f", b"sparse", contents) + END, step=1 << 16)
    assert (tmp_path / "sparse").read_bytes() == contents
    assert (tmp_path / "sparse").stat().st_blocks * 512 < 1 << 19


def test_of_a_failed_build_only_the_status_comes(tmp_path: Path) -> None:
    unpacking = unpacked(tmp_path, b"s" + struct.pack(">i", -9))
    assert (unpacking.done, unpacking.status, unpacking.hash) == (True, -9, None)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"HTTP/", "does not begin with the status"),
        (GOOD + b"x", "after the end"),
        (BUILT + b"p", "no kind of file"),
        (BUILT + entry(b"f", b""), "0 bytes"),
        (BUILT + entry(b"f", b"a" * 1025), "1025 bytes"),
        (BUILT + entry(b"f", b"/etc/passwd", b"x"), "before the folder"),
        (BUILT + entry(b"f", b"../x", b"x"), "before the folder"),
        (BUILT + entry(b"f", b"..", b"x"), "no file can have"),
        (BUILT + entry(b"d", b"."), "no file can have"),
        (BUILT + entry(b"d", b"a/"), "before the folder"),
        (BUILT + entry(b"d", b"a") + entry(b"f", b"a/", b"x"), "no file can have"),
        (BUILT + entry(b"f", b"a\0b", b"x"), "no file can have"),
        (BUILT + entry(b"f", b"a" * 256, b"x"), "no file can have"),
        (BUILT + entry(b"f", b"a/b", b"x"), "before the folder"),
        (BUILT + entry(b"f", b"a", b"x") * 2, "came twice"),
        (BUILT + entry(b"d", b"a") * 2, "came twice"),
        (BUILT + entry(b"f", b"a", b"x") + entry(b"f", b"a/b", b"x"), "before the folder"),
        (BUILT + entry(b"d", b"a", b"x"), "no contents|contents of its own"),
        (BUILT + entry(b"l", b"a", b"b" * 1025), "1025 bytes"),
        (BUILT + entry(b"l", b"a", b""), "0 bytes"),
        (BUILT + entry(b"l", b"a", b"b\0"), "nothing that can have a name"),
        (BUILT + entry(b"l", b"a", b"/etc") + END, "leads out"),
        (BUILT + entry(b"l", b"a", b"..") + END, "leads out"),
        (BUILT + entry(b"l", b"a", b".") + entry(b"f", b"a/b", b"x"), "before the folder"),
        (BUILT + entry(b"l", b"a", b"b") + entry(b"l", b"b", b"a") + END, "more than 40 links"),
        (
            BUILT
            + entry(b"d", b"d")
            + entry(b"d", b"d/e")
            + entry(b"l", b"d/e/up", b"../..")
            + entry(b"l", b"z", b"d/e/up/..")
            + END,
            "leads out",
        ),
        (BUILT + entry(b"f", b"a", size=1 << 63), "larger than 1 MiB"),
        (BUILT + entry(b"f", b"a", bytes(1 << 20)) + entry(b"f", b"b", b"x"), "larger than 1 MiB"),
        (BUILT + b"".join(entry(b"d", b"%d" % n) for n in range(11)), "more than 10 files"),
        (BUILT + b"".join(entry(b"d", b"/".join([b"d"] * n)) for n in range(1, 40)), "more than 10 files|folders deep"),
    ],
)
def test_anything_else_is_refused(tmp_path: Path, data: bytes, says: str) -> None:
    with pytest.raises(FilesError, match=says):
        unpacked(tmp_path, data, Bounds(size=1 << 20, files=10))


def test_depth_has_a_bound(tmp_path: Path) -> None:
    with pytest.raises(FilesError, match="more than 32 folders deep"):
        unpacked(tmp_path, BUILT + b"".join(entry(b"d", b"/".join([b"d"] * n)) for n in range(1, 40)))
