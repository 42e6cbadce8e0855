"""Recipes of docs/serving.md, to be tried as they are printed."""

import re
from pathlib import Path

_DOCUMENT = Path(__file__).parents[2] / "docs" / "serving.md"


def recipe(marker: str, *pairs: tuple[str, object]) -> str:
    """The block of the document in which `marker` occurs, with other values. What is to be replaced must be in it."""
    blocks = re.findall(r"```text\n(.*?)```", _DOCUMENT.read_text("utf-8"), re.DOTALL)
    (found,) = (block for block in blocks if marker in block)
    for old, new in pairs:
        assert old in found, old
        found = found.replace(old, str(new))
    return str(found)


def section(heading: str) -> str:
    """All that the document says below a heading."""
    (found,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", _DOCUMENT.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return str(found)


def commands(text: str) -> list[str]:
    """The commands that a text has people type."""
    return re.findall(r"^\$ (.*)", text, re.MULTILINE)


def units(text: str) -> dict[str, str]:
    """The unit files of a text, by the path under which it has people write them."""
    return dict(re.findall(r"^`(/etc/systemd/system/\S+)`:\n\n```text\n(.*?)```", text, re.DOTALL | re.MULTILINE))
