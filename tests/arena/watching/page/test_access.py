"""The page of a match hinders nobody, by the rules of axe-core: each part of it, on a screen and a phone, light and dark."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from bullring.arena.watching.page.page import page as made
from bullring.arena.watching.page.page import viewer
from tests.arena.watching.page.matches import analysis_of, played, written
from tests.support.browser import LOOKS, looking, name_of, violations

pytestmark = [pytest.mark.xdist_group("chromium"), pytest.mark.slow]


@pytest.mark.parametrize("look", [LOOKS[0], LOOKS[-1]], ids=name_of)
@pytest.mark.parametrize("game", ["standard", "tournament", "eleven", "logic"])
def test_every_kind_of_table(game: str, look: dict[str, Any], browser: Browser, tmp_path: Path) -> None:
    file = written(tmp_path, played(tmp_path, game, 6))
    with looking(browser, file, "#d1t2.3", **look) as page:
        for key in ("h", "End", "Home"):
            assert violations(page) == [], key
            page.keyboard.press(key)
        assert violations(page) == []


def unfolded(page: Page) -> None:
    """On a phone, panels are folded at first."""
    if not page.is_visible("[data-curve=win]"):
        page.click("#course-title")


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_an_analysis_keys_and_no_spoilers(look: dict[str, Any], browser: Browser, tmp_path: Path) -> None:
    lines = played(tmp_path)
    file = tmp_path / "page.html"
    site: dict[str, Any] = {
        "links": {"home": "index.html", "later": "2.html"},
        "listed": {"en": "A list", "de": "Eine Liste"},
    }
    file.write_text(made(lines, analysis_of(lines), bots=["b.html"] * 4, number=1, ladder="Ring", **site), "utf-8")
    views: list[Callable[[Page], object]] = [
        unfolded,
        lambda page: page.click("[data-curve=win]"),
        lambda page: page.locator("#choices summary").first.click(),
        lambda page: page.keyboard.press("?"),
        lambda page: page.keyboard.press("Escape"),
        lambda page: page.keyboard.press("s"),
    ]
    with looking(browser, file, "#d1t5.4", **look) as page:
        for number, view in enumerate(views):
            view(page)
            assert violations(page) == [], number


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_a_page_that_finds_no_match(look: dict[str, Any], browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "match.html"
    file.write_text(viewer(100), "utf-8")
    with looking(browser, file, **look) as page:
        assert violations(page) == []
