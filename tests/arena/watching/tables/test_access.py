"""The pages of tables and of what is refused hinder nobody, by the rules of axe-core, and fit on a phone."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from bullring.arena.watching.page.page import live_page
from bullring.arena.watching.page.refusals import write_refusals
from bullring.arena.watching.page.seat import new_page, seat_page
from bullring.arena.watching.web import REFUSALS
from tests.support.browser import LOOKS, browser_fixture, name_of, violations
from tests.support.patience import PATIENCE
from tests.support.seats import house

__all__ = ["browser_fixture"]

pytestmark = [pytest.mark.xdist_group("chromium"), pytest.mark.slow]


def fits(page: Page) -> bool:
    """Whether nothing is to the right of the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_tables_and_refusals(look: dict[str, Any], browser: Browser, tmp_path: Path) -> None:
    said: list[str] = []
    with house(tmp_path) as here, browser.new_context(**look, reduced_motion="reduce") as context:
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        for name, text in (("live", live_page()), ("sit", seat_page()), ("new", new_page())):
            (tmp_path / "more" / f"{name}.html").write_text(text, "utf-8")
        write_refusals(tmp_path / "more" / REFUSALS)
        base = f"http://127.0.0.1:{here.port}"
        key, tokens = here.makes(names=["Ann", "Ben"], open=2, bots=["@random"] * 3, options={"deals": 1}, time=600)

        def looked(path: str, there: str) -> None:
            page.goto(f"{base}{path}")
            sees(there)

        def sees(there: str) -> None:
            page.wait_for_selector(f"{there}:visible")
            assert (violations(page), fits(page)) == ([], True), there

        looked("/new.html", "#make")
        looked("/nothing.html", "h1")
        said.clear()  # the browser tells of the status
        looked(f"/tables/{key}", "#arriving ol")
        looked(f"/tables/{key}/sit#{tokens[0]}", "#sit-down")
        page.click("#sit-down")  # which gives the seat, unless the page is left before the answer
        sees("#people .missing")
        here.sits(key, tokens[1]).connect()
        page.wait_for_selector("#cards .pick")
        for key in ("f", "Escape", "?", "Escape"):
            assert (violations(page), fits(page)) == ([], True), key
            page.keyboard.press(key)
        assert page.locator(".seat.you .own").count() == 1
        assert (violations(page), fits(page)) == ([], True)
        assert said == []
