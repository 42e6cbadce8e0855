"""What an ignore file leaves out, as Docker reads it."""

import pytest

from bullring.arena.files.ignoring import ignoring
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
    assert ignoring(text, ".dockerignore")(path) == left_out


def test_no_pattern_takes_long() -> None:
    """Backtracking would take longer than the universe is old."""
    assert not ignoring("/".join(["**"] * 60) + "/x\n" + "*a" * 120 + "b\n" + "**/a" * 60 + "/b", "")(
        "/".join(["a" * 250] * 30)
    )
    with pytest.raises(FilesError, match="more than 200 patterns"):
        ignoring("x\n" * 201, ".dockerignore")
