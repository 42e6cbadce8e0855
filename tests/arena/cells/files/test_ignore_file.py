"""Ignore files leave out the same files as Docker's."""

import pytest

from bullring.arena.cells.files.ignore_file import Ignoring
from bullring.errors import FilesError


@pytest.mark.parametrize(
    ("text", "path", "left_out"),
    [
        ("*.log", "a.log", True),
        ("*.log", "sub/a.log", False),
        ("**/*.log", "sub/sub/a.log", True),
        ("**/*.log", "a.log", True),
        ("sub", "sub/deep/file", True),
        ("/sub/", "sub/file", True),
        ("sub/*/x", "sub/a/x", True),
        ("sub/*/x", "sub/a/b/x", False),
        ("sub/**/x", "sub/a/b/x", True),
        ("sub/**", "sub/a", True),
        ("f?le", "file", True),
        ("f[a-i]le", "file", True),
        ("f[^a-i]le", "file", False),
        ("*.md\n!README.md", "README.md", False),
        ("*.md\n!README.md\nREADME*", "README.md", True),
        ("# *.md", "a.md", False),
        ("", "a", False),
    ],
)
def test_patterns(text: str, path: str, left_out: bool) -> None:
    assert Ignoring(text, ".dockerignore").leaves_out(path) == left_out


def test_no_pattern_takes_long() -> None:
    """Backtracking would take longer than the universe is old."""
    assert not Ignoring("/".join(["**"] * 60) + "/x\n" + "*a" * 120 + "b\n" + "**/a" * 60 + "/b", "").leaves_out(
        "/".join(["a" * 250] * 30)
    )
    with pytest.raises(FilesError, match="more than 200 patterns"):
        Ignoring("x\n" * 201, ".dockerignore")


@pytest.mark.parametrize(
    ("text", "path", "skipped"),
    [
        ("target", "target", True),
        ("target/*\n!target/release/bot", "target/release", False),
        ("target/*\n!target/release/bot", "target/debug", True),
        ("target/*\n!target/release/bot", "target/release/deps", True),
        ("target/*\n!target/release/bot", "target/release/bot", False),
        ("lib\n!**/*.lua", "lib", False),
        ("*\n!**/*.lua", "secret", False),
        ("*\n!lib/**/*.lua", "lib/deep", False),
    ],
)
def test_what_is_left_out_is_entered_only_if_something_in_it_may_be_brought_back(
    text: str, path: str, skipped: bool
) -> None:
    assert Ignoring(text, ".bullringignore").skips(path, is_folder=True) == skipped


def test_a_file_that_is_left_out_holds_nothing_that_may_be_brought_back() -> None:
    ignoring = Ignoring("*\n!**/*.lua", ".bullringignore")
    assert ignoring.skips("secret", is_folder=False)
    assert not ignoring.skips("lib/a.lua", is_folder=False)
