"""A ladder that is played and served, in a real browser: from the front to a table, and from its cards to its replay."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.arena.watching.page.test_page import at, leave
from tests.ladder.homes import four, home_with, run, tiny
from tests.ladder.watching.web.test_serve import RUN, serve
from tests.support.browser import browser_fixture
from tests.support.stage import viewer

__all__ = ["browser_fixture"]

pytestmark = [pytest.mark.xdist_group("chromium"), pytest.mark.slow]


def test_a_table_is_found_on_the_front_followed_and_replayed(browser: Browser, tmp_path: Path) -> None:
    pace = tmp_path / "pace"
    pace.touch()

    def decide(times: int) -> None:
        """Let the bots play on, by so many decisions."""
        with pace.open("ab") as file:
            file.write(b"x" * times)

    home = home_with(tmp_path / "home", dict.fromkeys("ab", tiny("step", pace)), ["600s"])
    with (
        serve(home, "--run-with", f"{RUN} --option deals=2 --matches 1") as serving,
        viewer(browser, serving.url) as page,
    ):
        page.click("#boards li:not(.again) a")
        page.wait_for_selector("html[data-bullring=live][data-step]", state="attached")
        names = page.locator(".seat .name").all_inner_texts()
        assert sorted(names) == ["a", "b"]
        for _ in range(4):
            step = at(page)
            decide(1)
            leave(page, step)
        for _ in range(4):
            page.keyboard.press("+")
        decide(200)
        page.wait_for_selector("#live.over")
        headline = str(page.text_content("h1"))
        assert any(f"{name} wins" in headline for name in names) or "share" in headline
        page.click("#hands")  # the same address has the replay, in which hands are open
        page.click("#links a")
        page.wait_for_selector(".matches, #results li")


@pytest.mark.parametrize("path", ["/tables/2", "/replays/2.html", "/match.html?1-0-2"])
def test_a_reader_has_a_match_analysed_and_sees_it_without_a_reload(
    browser: Browser, tmp_path: Path, path: str
) -> None:
    home = four(tmp_path / "home")
    run(home, "--matches", "2", *RUN.split())
    with serve(home) as serving, viewer(browser, serving.url + path) as page:
        page.wait_for_selector("#unjudged")
        assert "bullring" not in page.inner_text("#unjudged")
        page.evaluate("document.body.dataset.here = 'yes'")
        page.click("#analyse")
        page.wait_for_selector("#balance li")
        assert page.is_hidden("#unjudged")
        assert page.get_attribute("body", "data-here") == "yes"
        page.click("[data-curve=win]")
        for line in page.locator("#worst a").all():  # each leads to the costs of its own decision
            line.click()
            page.locator("#choices .judged").first.wait_for()
        other = browser.new_page()  # somebody else finds it there
        other.goto(serving.url + path)
        other.wait_for_selector("#balance li")
        other.close()


def test_every_page_leads_back_to_the_front(browser: Browser, tmp_path: Path) -> None:
    home = four(tmp_path / "ring")
    run(home, "--matches", "2", *RUN.split())
    with serve(home) as serving, viewer(browser, serving.url) as page:
        front = page.url

        def leads_back() -> None:
            link = page.locator("a", has_text="ring").locator("visible=true").first
            link.click()
            page.wait_for_selector("#boards li")
            assert page.url.removesuffix("index.html") == front

        for path in ("tables/2", "replays/2.html", "match.html?1-0-2", "new.html", "bots/1.html", "lists/1.html"):
            page.goto(front + path)
            leads_back()
        page.goto(front + "new.html")
        page.click("#make")
        seat = str(page.get_attribute("a.sit", "href"))
        page.goto(seat)
        page.wait_for_selector("#sit-down")
        leads_back()
        page.goto(seat)
        page.click("#sit-down")
        page.wait_for_selector("#cards .pick")
        page.goto(seat.partition("/sit")[0])  # as everybody else sees that table
        page.wait_for_selector("html[data-bullring=live] #board .rows")
        leads_back()
