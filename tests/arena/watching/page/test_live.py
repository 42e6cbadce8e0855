"""The page of a match that is being played, in a real browser: followed from the first card to its replay."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.arena.watching.page.matches import played
from tests.arena.watching.page.test_page import DRAWN, arrive, at
from tests.support.browser import LOOKS, name_of, violations
from tests.support.stage import Stage, staged, viewer

pytestmark = [pytest.mark.xdist_group("chromium"), pytest.mark.slow]


@pytest.fixture(name="stage")
def _stage(tmp_path: Path) -> Stage:
    return Stage(played(tmp_path, options={"deals": 2}))


def cards(frame: dict[str, Any]) -> list[list[int]]:
    """The rows of a frame."""
    return [[*row] for part in frame["picture"]["board"] if type(part).__name__ == "Rows" for row in part.rows]


def rows(page: Page) -> list[list[int]]:
    """The rows that a page shows."""
    groups: list[list[int]] = page.evaluate(DRAWN)["groups"]
    return groups


def test_a_match_is_followed_from_the_first_card_to_its_replay(browser: Browser, stage: Stage) -> None:
    stage.play_until("Opened")
    with staged(stage) as url, viewer(browser, url) as page:
        arrive(page, len(stage.frames) - 1)
        assert page.text_content("#live") == "Live"
        for _ in range(3):
            page.keyboard.press("+")
        while not stage.over:
            newest = stage.play(1 if len(stage.frames) < 40 else 8)
            arrive(page, newest)
            if not stage.over:
                assert rows(page) == cards(stage.frames[newest])
        page.wait_for_selector("#live.over")
        assert " wins" in str(page.text_content("h1"))
        page.click("#hands")  # which are open now, at the same address
        page.wait_for_selector("#page:not([hidden])")
        page.keyboard.press("Home")
        arrive(page, 0)
        page.reload()
        page.wait_for_selector("html[data-bullring=replay][data-step]")
        assert " wins" in str(page.text_content("h1"))


def test_steps_of_a_turn_are_shown_one_after_the_other(browser: Browser, stage: Stage) -> None:
    stage.play_until("Opened")
    with staged(stage) as url, viewer(browser, url) as page:
        before = len(stage.frames) - 1
        arrive(page, before)
        page.evaluate(
            """() => {
              globalThis.steps = [];
              new MutationObserver(() => steps.push(Number(document.documentElement.dataset.step)))
                .observe(document.documentElement, { attributeFilter: ["data-step"] });
            }"""
        )
        newest = stage.play()
        arrive(page, newest)
        assert page.evaluate("steps") == [*range(before + 1, newest + 1)]


def test_who_looks_back_is_left_in_peace_and_returns(browser: Browser, stage: Stage) -> None:
    stage.play(6)
    with staged(stage) as url, viewer(browser, url) as page:
        newest = len(stage.frames) - 1
        arrive(page, newest)
        page.keyboard.press("ArrowLeft")
        arrive(page, newest - 1)
        assert page.get_attribute("#last", "aria-pressed") == "false"
        later = stage.play(2)
        page.wait_for_selector(f"#steering input[max='{later}']")
        assert at(page) == newest - 1
        assert rows(page) == cards(stage.frames[newest - 1])
        page.click("#last")
        arrive(page, later)
        assert page.get_attribute("#last", "aria-pressed") == "true"
        assert page.evaluate("location.hash") == ""
        arrive(page, stage.play())


def test_a_cut_costs_nobody_a_card(browser: Browser, stage: Stage) -> None:
    stage.play(4)
    with staged(stage) as url, viewer(browser, url) as page:
        arrive(page, len(stage.frames) - 1)
        known = len(stage.frames)
        stage.gone = True
        stage.cut()
        page.wait_for_selector("#live.cut")
        stage.play(3)
        stage.gone = False
        page.wait_for_selector("#live.live")
        arrive(page, len(stage.frames) - 1)
        assert rows(page) == cards(stage.frames[-1])
        stage.cut()  # from a server that is there, the stream goes on where it was
        arrive(page, stage.play())
        assert stage.asked[0] == ""
        assert int(stage.asked[-1]) > known


def test_a_page_that_nobody_sees_leaves_its_connection_to_others(browser: Browser, stage: Stage) -> None:
    hide = """(hidden) => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    stage.play(4)
    with staged(stage) as url, viewer(browser, url) as page:
        arrive(page, len(stage.frames) - 1)
        page.evaluate(hide, True)
        page.wait_for_selector("#live.cut")
        stage.play(3)
        assert stage.asked == [""]
        page.evaluate(hide, False)
        arrive(page, len(stage.frames) - 1)
        page.wait_for_selector("#live.live")


def test_who_comes_late_sees_the_newest_picture_and_others_see_the_same(browser: Browser, stage: Stage) -> None:
    stage.play(9)
    phone: Any = {
        "viewport": {"width": 390, "height": 844},
        "is_mobile": True,
        "has_touch": True,
        "color_scheme": "dark",
    }
    with staged(stage) as url, viewer(browser, url) as page:
        arrive(page, len(stage.frames) - 1)
        stage.play(5)
        with viewer(browser, url, **phone) as late, viewer(browser, f"{url}#d1t2") as earlier:
            arrive(late, len(stage.frames) - 1)
            assert str(earlier.text_content("#place")).startswith("Deal 1 of 2, turn 2")
            newest = stage.play()
            for one in (page, late):
                arrive(one, newest)
                assert rows(one) == cards(stage.frames[newest])
            assert late.evaluate("document.documentElement.scrollWidth") == 390
            assert str(earlier.text_content("#place")).startswith("Deal 1 of 2, turn 2")


def test_without_spoilers_who_comes_late_begins_at_the_beginning(browser: Browser, stage: Stage) -> None:
    stage.play(12)
    with staged(stage) as url, viewer(browser, f"{url}?spoilers=no") as page:
        page.wait_for_selector("html[data-step]", state="attached")
        assert stage.frames[at(page)]["picture"]["turn"] == 1
        assert page.locator("#history .take").count() == 0


def test_seats_that_think_show_their_time(browser: Browser, stage: Stage) -> None:
    stage.play_until("Opened")
    with staged(stage) as url, viewer(browser, url) as page:
        arrive(page, len(stage.frames) - 1)
        stage.play(clock={"seats": {"0": 7.0, "2": 95.5}, "limit": 100})
        arrive(page, len(stage.frames) - 1)
        page.wait_for_selector(".seat[data-seat='2'] .asked >> text=/\\d\\d+ s/")
        assert not page.text_content(".seat[data-seat='1'] .asked")
        used = "Number(document.querySelector('[data-seat=\"2\"] .asked').style.getPropertyValue('--used'))"
        assert 0.9 < page.evaluate(used) <= 1


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_a_table_that_is_played_hinders_nobody(look: dict[str, Any], browser: Browser, stage: Stage) -> None:
    stage.play_until("Opened")
    with staged(stage) as url, viewer(browser, url, **look) as page:
        arrive(page, stage.play(3, {"seats": {"0": 7.0, "2": 95.5}, "limit": 100}))
        page.wait_for_selector(".asked:not(:empty)")
        assert violations(page) == []
        page.keyboard.press("ArrowLeft")
        assert violations(page) == []
