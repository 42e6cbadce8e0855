"""The kit that docs/adding-a-language.md shows, as a reader would type it."""

import re
from pathlib import Path

from bullring.arena.cells.kits.kit import Declared, kits, read_kit

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-language.md"

_FILE = re.compile(r"`sample_bots/kits/(\w+/[\w.]+)`(?:[^`\n]|\n(?!```))*\n+```\w+\n(.*?)```\n", re.DOTALL)


def typed_in(folder: Path) -> Declared:
    """The kit, made in a folder."""
    text = PAGE.read_text("utf-8")
    files = _FILE.findall(text)
    assert len(files) == text.count("`sample_bots/kits/") - 1, "a file on the page has no contents"
    for name, contents in files:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(contents, "utf-8")
    (language,) = {name.partition("/")[0] for name, _ in files}
    assert language not in kits(), "the page is about a language without a kit"
    return read_kit(folder / language)
