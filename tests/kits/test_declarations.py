"""Every kit is declared right: whatever is in `sample_bots/kits` is tested by being there."""

import re

import pytest

from bullring.arena.cells.bots.bot import MANIFEST
from bullring.arena.cells.kits.kit import KITS, Declared, kits
from bullring.arena.cells.kits.new_bot import IGNORE

ALL = list(kits().values())
LIMIT = 100
"""Lines of a starter's strategy, at most."""


def test_every_folder_is_a_kit() -> None:
    assert {path.name for path in KITS.iterdir() if path.is_dir()} == set(kits())
    assert len({declared.kit.title for declared in ALL}) == len(ALL)


@pytest.mark.parametrize("declared", ALL, ids=lambda declared: declared.language)
def test_a_kit_is_short_and_says_how_to_get_what_it_needs(declared: Declared) -> None:
    check_declaration(declared)


def check_declaration(declared: Declared) -> None:
    kit = declared.kit
    assert len((declared.folder / kit.strategy).read_text("utf-8").splitlines()) < LIMIT
    for need in kit.needs:
        assert need.debian or need.elsewhere, f"{need.program} comes from nowhere"
    assert bool(kit.library) <= (kit.dialect != "json"), "JSON needs no library worth naming"
    for made in (MANIFEST, "README.md", IGNORE):
        assert not (declared.folder / made).exists(), f"`bullring new` makes {made}"
    assert {"vendor/", "node_modules/"}.isdisjoint(kit.ignore), "what a kit fetches is part of the bot"


@pytest.mark.parametrize("declared", ALL, ids=lambda declared: declared.language)
def test_a_kit_tells_the_time_left_by_processor_time(declared: Declared) -> None:
    (clock,) = [path for path in declared.folder.rglob("*") if path.stem.lower() == "clock"]
    text = clock.read_text("utf-8")
    assert re.search("time_?left", text, re.IGNORECASE)
    calls = re.findall(r"\w{4,}", declared.kit.clock)
    assert any(call in text for call in calls), f"{declared.kit.clock} is what a check tells its authors to call"
