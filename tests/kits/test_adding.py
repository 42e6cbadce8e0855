"""docs/adding-a-language.md shows how to add a kit: what it shows is one, and plays."""

from pathlib import Path

from tests.kits import workshop
from tests.kits.page import typed_in
from tests.kits.test_declarations import check_declaration
from tests.kits.test_playing import failures
from tests.support.tiers import need


def test_the_kit_on_the_page_passes_the_check(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    shown = typed_in(tmp_path)
    check_declaration(shown)
    workshop.need(shown)
    need("bwrap")
    wrong = failures(workshop.made(shown, tmp_path), "bwrap", tmp_path / "builds")
    assert not wrong, wrong
