"""The room of the ratings is arithmetic: arrays in, figures out."""

import ast
import sys
from pathlib import Path

import pytest

import bullring.ladder.rating

FILES = sorted(Path(bullring.ladder.rating.__file__).parent.glob("*.py"))
OUTSIDE = {
    "asyncio",
    "io",
    "multiprocessing",
    "os",
    "pathlib",
    "random",
    "socket",
    "subprocess",
    "sys",
    "threading",
    "time",
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_only_numpy_and_harmless_parts_of_the_standard_library_are_imported(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    names += [str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    for name in names:
        top = name.partition(".")[0]
        assert name.startswith("bullring.ladder.rating.") or top == "numpy" or top in sys.stdlib_module_names
        assert top not in OUTSIDE
        assert not name.startswith("numpy.random")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_is_drawn_opened_or_printed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not [word for word in ("np.random", "open(", "print(") if word in text]
