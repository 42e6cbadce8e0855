"""Four people at phones and three bots play a whole match in real browsers, against the real processes."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute

from bullring.arena.watching.page.page import live_page
from bullring.arena.watching.page.seat import new_page, seat_page
from tests.arena.watching.tables.test_seats import cards_of, verified
from tests.support.browser import browser_fixture
from tests.support.seats import House, house
from tests.support.stage import viewer

__all__ = ["browser_fixture"]

pytestmark = [pytest.mark.xdist_group("chromium"), pytest.mark.slow]

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
NAMES = ("Ann", "Ben", "Cid", "Dora")
CUT = 4000
"""A code that says nothing of why a line was closed."""
LOOK = 50
"""Milliseconds between two looks at a phone."""


class Phone:
    """A person at a phone, who takes the last of what can be chosen and notes what was meant."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lines: list[WebSocketRoute] = []
        self.meant: list[int] = []
        page.route_web_socket("**/seat", self._connects)

    def _connects(self, line: WebSocketRoute) -> None:
        line.connect_to_server()
        self.lines.append(line)

    def sits(self, url: str, name: str) -> None:
        """Sit down by a link."""
        self.page.goto(url)
        self.page.fill("#name", name)
        self.page.tap("#sit-down")
        self.page.wait_for_selector("#people li, #page:not([hidden])")

    @property
    def over(self) -> bool:
        """Whether the page tells the result."""
        return self.page.is_visible("#over")

    def cut(self) -> None:
        """Lose the line."""
        self.lines[-1].close(code=CUT)

    def looks(self) -> None:
        """Do the next thing that there is to do, if there is one."""
        page = self.page
        sent = page.locator("#send-now")
        chosen = page.locator("[data-item][aria-pressed=true]")
        open_ = page.locator("[data-item]:not([aria-disabled])")
        if sent.count():
            self.meant.append(int(str(chosen.first.get_attribute("data-item")).partition(":")[2]))
            sent.tap()
        elif open_.count():
            open_.last.tap()
        else:
            page.keyboard.press("End")  # nobody waits for cards that move
        page.wait_for_timeout(LOOK)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path) as found:
        for name, page in (("live", live_page()), ("sit", seat_page()), ("new", new_page())):
            (tmp_path / "more" / f"{name}.html").write_text(page, "utf-8")
        yield found


@contextmanager
def phones(browser: Browser, urls: list[str]) -> Iterator[list[Phone]]:
    """Phones whose people sit down by these links."""
    with ExitStack() as stack:
        found = [Phone(stack.enter_context(viewer(browser, "about:blank", **PHONE))) for _ in urls]
        for phone, url, name in zip(found, urls, NAMES, strict=False):
            phone.sits(url, name)
        yield found


def test_four_phones_and_three_bots_play_a_match(here: House, browser: Browser) -> None:
    base = f"http://127.0.0.1:{here.port}"
    with viewer(browser, f"{base}/new.html", viewport={"width": 1400, "height": 900}) as page:
        page.select_option("#wish-seats", "7")
        page.select_option("#wish-open", "4")
        page.select_option("#wish-level", label="easy")
        page.select_option("#wish-deals", label="1 deal")
        page.click("#make")
        page.wait_for_selector("#made:not([hidden])")
        urls = [str(field.input_value()) for field in page.locator("#made .links input").all()]
    assert len(urls) == len(NAMES)
    with phones(browser, urls) as people:
        for phone in people:
            phone.page.wait_for_selector("#page:not([hidden])")
            phone.page.select_option("#send", "confirmed")
        ann, ben, *_ = people
        reloaded = cut = False
        while not all(phone.over for phone in people):
            for phone in people:
                phone.looks()
            if not reloaded and len(ann.meant) >= 2:
                ann.page.reload()
                reloaded = True
            if not cut and len(ben.meant) >= 3 and ben.page.locator("[data-item]:not([aria-disabled])").count():
                ben.cut()
                cut = True
        assert reloaded
        assert cut
        assert len(ben.lines) == 2  # it came back by itself
        for phone in people:
            assert phone.page.locator(".ranks li").count() == len(NAMES) + 3
    record = verified(here)
    assert cards_of(record, *NAMES) == {name: phone.meant for name, phone in zip(NAMES, people, strict=True)}
