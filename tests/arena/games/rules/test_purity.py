"""LAW 1: the rules import the standard library only, and nothing of it that does I/O, tells the time or draws by itself."""

import ast
import sys
from pathlib import Path

import pytest

import bullring.arena.games.rules

FILES = sorted(Path(bullring.arena.games.rules.__path__[0]).rglob("*.py"))
IMPURE = {
    "os",
    "io",
    "time",
    "datetime",
    "random",
    "secrets",
    "socket",
    "subprocess",
    "threading",
    "asyncio",
    "pathlib",
    "sys",
}


def imported(path: Path) -> set[str]:
    """The full names of all modules that a file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where they lead"
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_rules_are_pure(path: Path) -> None:
    for name in imported(path):
        top = name.partition(".")[0]
        if top == "bullring":
            assert name.startswith("bullring.arena.games.rules"), name
        else:
            assert top in sys.stdlib_module_names, name
            assert top not in IMPURE, name


def test_the_rules_are_looked_at() -> None:
    assert len(FILES) > 8
