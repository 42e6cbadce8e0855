"""docs/adding-a-language.md shows how to add a kit: what it shows is one, and plays."""

import re
from pathlib import Path

import pytest

from bullring.arena.kits.kit import Declared, kits, read_kit
from bullring.arena.sandbox.tiers import Tier
from tests.kits import workshop
from tests.kits.test_declarations import check_declaration
from tests.kits.test_playing import failures
from tests.support.tiers import need

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-language.md"


@pytest.fixture
def shown(tmp_path: Path) -> Declared:
    """The kit on the page, as a reader would type it."""
    tmp_path.chmod(0o755)
    text = PAGE.read_text("utf-8")
    files = re.findall(r"`sample_bots/kits/(\w+/[\w.]+)`(?:[^`\n]|\n(?!```))*\n+```\w+\n(.*?)```\n", text, re.DOTALL)
    assert len(files) == text.count("`sample_bots/kits/") - 1, "a file on the page has no contents"
    for name, contents in files:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(contents, "utf-8")
    (language,) = {name.partition("/")[0] for name, _ in files}
    assert language not in kits(), "the page is about a language without a kit"
    return read_kit(tmp_path / language)


def test_the_kit_on_the_page_passes_the_check(shown: Declared, tmp_path: Path) -> None:
    check_declaration(shown)
    workshop.need(shown)
    need(Tier.BWRAP)
    wrong = failures(workshop.made(shown, tmp_path), Tier.BWRAP, tmp_path / "builds")
    assert not wrong, wrong
