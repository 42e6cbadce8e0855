"""The room of the ratings is arithmetic: arrays in, figures out."""

import re
from pathlib import Path

import pytest

import bullring.ladder.rating

FILES = sorted(Path(bullring.ladder.rating.__file__).parent.glob("*.py"))
HARMLESS = {"collections", "dataclasses", "enum", "functools", "itertools", "math", "numpy", "statistics", "typing"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_only_numpy_and_harmless_parts_of_the_standard_library_are_used(path: Path) -> None:
    text = path.read_text("utf-8")
    names = re.findall(r"^\s*(?:from|import) (\S+)", re.sub(r'""".*?"""', "", text, flags=re.DOTALL), re.MULTILINE)
    assert {name for name in names if name.partition(".")[0] not in HARMLESS and ".ladder.rating." not in name} == set()
    assert not re.search(r"numpy\.random|np\.random|\bopen\(|\bprint\(", text)
