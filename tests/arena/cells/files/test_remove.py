"""Removing folders of any depth."""

import os
from pathlib import Path

from bullring.arena.cells.files.remove import remove_tree


def deep(folder: Path, depth: int) -> None:
    """A tree that may be so deep that its paths are longer than the kernel takes."""
    folder.mkdir()
    here = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("0", dir_fd=here)
        inner = os.open("0", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


def test_a_tree_of_any_depth_is_removed(tmp_path: Path) -> None:
    deep(tmp_path / "deep", 1_100)
    remove_tree(tmp_path / "deep")
    assert not any(tmp_path.iterdir())


def test_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").write_text("")
    (tmp_path / "gone" / "inner").mkdir(parents=True)
    (tmp_path / "gone" / "inner" / "link").symlink_to(tmp_path / "kept")
    (tmp_path / "gone" / "0").mkdir()  # a name that a moved folder might get
    remove_tree(tmp_path / "gone")
    assert [path.name for path in tmp_path.rglob("*")] == ["kept", "file"]


def test_nothing_is_removed_twice(tmp_path: Path) -> None:
    remove_tree(tmp_path / "never was")
