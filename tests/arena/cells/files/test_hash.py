"""The hash of a folder, computed again as its description says."""

import hashlib
import os
from pathlib import Path

from bullring.arena.cells.files.hash import hash_folder
from bullring.arena.cells.files.walk import Bounds


def by_hand(folder: Path) -> str:
    entries = []
    for path in folder.rglob("*"):
        data = b""
        if path.is_symlink():
            kind, data = b"l", os.fsencode(path.readlink())
        elif path.is_dir():
            kind = b"d"
        else:
            kind, data = b"x" if path.stat().st_mode & 0o111 else b"f", path.read_bytes()
        name = os.fsencode(path.relative_to(folder))
        entries.append((name, kind + b" " + hashlib.sha256(data).hexdigest().encode() + b" " + name + b"\0"))
    return "sha256:" + hashlib.sha256(b"".join(entry for _, entry in sorted(entries))).hexdigest()


def some(folder: Path) -> Path:
    (folder / "a").mkdir(parents=True)
    (folder / "a" / "file").write_text("one")
    (folder / "a-file").write_text("two")  # before a/file by bytes, after a by name
    (folder / "program").write_text("three")
    (folder / "program").chmod(0o755)
    (folder / "link").symlink_to("a/file")
    (folder / os.fsdecode(b"\xff\n\x1b[2J")).write_text("odd")
    (folder / "empty").mkdir()
    return folder


def test_any_language_can_compute_it(tmp_path: Path) -> None:
    folder = some(tmp_path / "bot")
    assert hash_folder(folder, Bounds()) == by_hand(folder)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert hash_folder(empty, Bounds()) == f"sha256:{hashlib.sha256().hexdigest()}"


def test_every_change_changes_it_and_nothing_else_does(tmp_path: Path) -> None:
    folder = some(tmp_path / "bot")
    found = {hash_folder(folder, Bounds())}
    os.utime(folder / "program", (1, 1))
    (folder / "program").chmod(0o700)
    assert {hash_folder(folder, Bounds())} == found
    for change in (
        lambda: (folder / "a" / "file").write_text("One"),
        lambda: (folder / "a" / "file").chmod(0o755),
        lambda: (folder / "a-file").rename(folder / "b-file"),
        lambda: (folder / "link").unlink(),
        lambda: (folder / "link").symlink_to("program"),
        lambda: (folder / "empty").rmdir(),
    ):
        change()
        assert hash_folder(folder, Bounds()) not in found
        found.add(hash_folder(folder, Bounds()))
