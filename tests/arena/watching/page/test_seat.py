"""The page of a seat, in a real browser: every kind of decision of every game can be made, and nothing that was not meant."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from bullring.arena.games.rules.registry import GAMES
from bullring.arena.match.records.wire import Exchange
from bullring.arena.watching.tables.line import OVER
from tests.arena.watching.page.matches import played
from tests.support.browser import LOOKS, name_of, until, violations
from tests.support.stage import viewer
from tests.support.staged_seat import TOKEN, Table, items_of, table_of

pytestmark = [pytest.mark.xdist_group("chromium"), pytest.mark.slow]

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
MEANT = 400
"""Milliseconds after which what is new can have been meant."""
HELD = 1600


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Table:
    return Table(played(tmp_path))


@contextmanager
def seated(browser: Browser, table: Table, **options: Any) -> Iterator[Page]:
    """A browser at the seat of a table."""
    with table_of(table) as url, viewer(browser, "about:blank", **options) as page:
        page.clock.install()
        page.goto(url)
        page.click("#sit-down")
        page.wait_for_selector("#people li")
        yield page


def asked(page: Page, table: Table, exchange: Exchange, left: float | None = None, **more: Any) -> None:
    """Ask, and let the person look at it."""
    table.ask(exchange, left, **more)
    page.wait_for_selector("#page:not([hidden])")
    page.keyboard.press("End")
    page.wait_for_selector("[data-item]:not([aria-disabled])")
    page.clock.run_for(MEANT)


def pointed(page: Page, item: str) -> None:
    """Point at an item, on the table or in the hand, unless it is chosen already because nothing else was left."""
    place = page.locator(f'[data-item="{item}"]')
    if place.get_attribute("aria-pressed") != "true":
        place.click()


@pytest.mark.parametrize("game", GAMES)
def test_a_person_can_point_at_every_kind_of_decision(game: str, browser: Browser, tmp_path: Path) -> None:
    table = Table(played(tmp_path, game, 4))
    met: dict[str, int] = {}
    with seated(browser, table, **PHONE) as page:
        for exchange in table.questions:
            met[exchange.kind] = met.get(exchange.kind, 0) + 1
            if met[exchange.kind] > 2 or exchange.option is None:
                continue
            asked(page, table, exchange)
            option = exchange.option
            for item in items_of(table, exchange, option):
                pointed(page, item)
            if page.locator("#send-now").count() == 0:
                page.click('[data-item="done:"]')
            page.clock.run_for(MEANT)
            page.click("#send-now")
            chosen = table.answered(exchange)
            assert chosen == option
    assert met


def test_a_choice_is_held_and_can_be_taken_back(browser: Browser, table: Table) -> None:
    first, second = table.questions[:2]
    with seated(browser, table) as page:
        asked(page, table, first)
        one, other = first.question["options"][:2]
        page.click(f'[data-item="card:{one}"]')
        page.wait_for_selector("#send-now")
        page.click("#board")  # anywhere else
        page.clock.run_for(HELD)
        page.click(f'[data-item="card:{one}"]')
        page.keyboard.press("x")
        page.clock.run_for(HELD)
        page.click(f'[data-item="card:{other}"]')
        page.clock.run_for(HELD)
        assert table.answered(first) == other  # and nothing else was sent
        asked(page, table, second)
        option = second.question["options"][-1]
        page.click(f'[data-item="card:{option}"]')
        page.clock.run_for(MEANT)
        page.click(f'[data-item="card:{option}"]')  # once more: now
        assert table.answered(second) == option


def test_no_key_plays_what_was_not_meant(browser: Browser, table: Table) -> None:
    exchange, second = table.questions[:2]
    with seated(browser, table) as page:
        asked(page, table, exchange)
        for _ in range(3):
            page.keyboard.press("Enter")
            page.clock.run_for(HELD)
        page.click('[data-item="card:26"]')
        page.keyboard.press("ArrowRight")  # the focus goes where the cursor is
        page.keyboard.press("Enter")
        page.wait_for_selector("#send-now")
        page.clock.run_for(MEANT)
        page.keyboard.press("Enter")
        options = exchange.question["options"]
        assert table.answered(exchange) == options[options.index(26) + 1]
        asked(page, table, second)
        last = str(second.question["options"][-1])
        for digit in last:
            page.keyboard.press(digit)
        page.keyboard.press("Enter")
        page.clock.run_for(HELD)
        assert table.answered(second) == int(last)


def test_the_referee_moves_if_that_is_wished_twice(browser: Browser, table: Table) -> None:
    exchange, second = table.questions[:2]
    with seated(browser, table) as page:
        asked(page, table, exchange)
        page.keyboard.press("f")
        assert "Once more" in page.inner_text("#ask")
        assert page.inner_text("#fall-back") == "Skip: once more"
        page.keyboard.press("ArrowRight")  # another key: it was not meant
        page.keyboard.press("f")
        page.keyboard.press("f")
        assert table.heard() == {"fall back": True, "id": exchange.question["id"]}
        table.take(exchange)
        asked(page, table, second)
        option = second.question["options"][0]
        page.keyboard.press("f")
        page.click(f'[data-item="card:{option}"]')
        page.keyboard.press("f")  # takes back what is held
        page.click(f'[data-item="card:{option}"]')
        page.clock.run_for(HELD)
        assert table.answered(second) == option


def test_what_a_person_wishes_is_kept(browser: Browser, table: Table) -> None:
    first, second = table.questions[:2]
    with seated(browser, table) as page:
        asked(page, table, first)
        page.select_option("#send", "confirmed")
        page.click(f'[data-item="card:{first.question["options"][0]}"]')
        page.clock.run_for(20 * HELD)
        page.click(f'[data-item="card:{first.question["options"][1]}"]')
        page.clock.run_for(MEANT)
        page.click("#send-now")
        assert table.answered(first) == first.question["options"][1]
        page.select_option("#send", "at-once")
        page.reload()
        asked(page, table, second)
        page.click(f'[data-item="card:{second.question["options"][0]}"]')
        assert table.answered(second) == second.question["options"][0]


def test_the_token_is_shown_once_and_stays_in_no_address(browser: Browser, table: Table) -> None:
    with seated(browser, table) as page:
        assert table.posted == [{"token": TOKEN}]
        assert TOKEN not in page.url
        page.fill("#name", "Ann")
        page.click("#sit-down")
        until(page, "localStorage.getItem('bullring-name') === 'Ann'")
        assert table.posted[-1] == {"token": TOKEN, "name": "Ann"}
        page.reload()
        page.wait_for_selector("#people li")  # known by a cookie
        assert len(table.posted) == 2
        assert TOKEN not in page.evaluate(
            "document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)"
        )


def test_who_is_refused_is_told_why(browser: Browser, table: Table) -> None:
    table.refuses = True
    with table_of(table) as url, viewer(browser, url) as page:
        page.click("#sit-down")
        page.wait_for_selector("#refused:has-text('no such seat')")


def test_a_reload_and_a_cut_lose_nothing_and_play_nothing_twice(browser: Browser, table: Table) -> None:
    first, second, third = [one for one in table.questions if one.kind == "card"][:3]
    with seated(browser, table) as page:
        asked(page, table, first, 30.0)
        page.reload()
        page.wait_for_selector("[data-item]:not([aria-disabled])")
        page.clock.run_for(MEANT)
        option = first.question["options"][0]
        page.click(f'[data-item="card:{option}"]')
        table.gone = True
        table.cut_seat()
        page.wait_for_selector("#cut:not([hidden])")
        page.clock.run_for(HELD)  # it is sent into nothing
        assert table.told.empty()
        table.gone = False
        page.clock.run_for(10_000)
        assert table.answered(first) == option  # the question is the same
        asked(page, table, second)
        page.click(f'[data-item="card:{second.question["options"][0]}"]')
        table.gone = True
        table.cut_seat()
        page.wait_for_selector("#cut:not([hidden])")
        page.clock.run_for(HELD)
        table.holds.pop("question")
        table.gone = False
        page.clock.run_for(10_000)
        page.wait_for_selector("#cut", state="hidden")
        asked(page, table, third)  # the referee has moved meanwhile
        page.click(f'[data-item="card:{third.question["options"][-1]}"]')
        page.clock.run_for(HELD)
        assert table.answered(third) == third.question["options"][-1]


def test_whoever_sits_at_a_table_that_has_died_is_told(browser: Browser, table: Table) -> None:
    with seated(browser, table) as page:
        asked(page, table, table.questions[0])
        table.lost = True
        table.cut_seat()
        page.clock.run_for(1000)
        page.wait_for_selector("#door:has-text('This table has ended before its match was over')")
        assert not page.is_visible("#page")


def test_a_held_choice_is_sent_before_the_time_is_over(browser: Browser, table: Table) -> None:
    exchange = table.questions[0]
    with seated(browser, table) as page:
        asked(page, table, exchange, 60.0)
        page.select_option("#send", "confirmed")
        page.click(f'[data-item="card:{exchange.question["options"][0]}"]')
        page.clock.run_for(50_000)
        assert "soon" in str(page.get_attribute("#time", "class"))
        assert table.told.empty()
        page.clock.run_for(9_000)
        assert table.answered(exchange) == exchange.question["options"][0]


def test_hints_tell_what_each_card_costs(browser: Browser, table: Table) -> None:
    exchange = table.questions[0]
    options = exchange.question["options"]
    with seated(browser, table) as page:
        asked(page, table, exchange)
        page.click("#hints")
        assert table.heard() == {"hint": exchange.question["id"]}
        costs = [[option, float(at), 0.1] for at, option in enumerate(options)]
        why = {"en": "it goes last", "de": "sie kommt zuletzt"}
        about = {"is": "hint", "id": exchange.question["id"], "by": "@bayes", "best": options[0]}
        table.say({**about, "costs": costs, "why": why})
        page.wait_for_selector(f'[data-item="card:{options[0]}"].best')
        assert page.text_content(f'[data-item="card:{options[2]}"] .worth') == "2.0"
        assert "it goes last" in str(page.text_content("#advice"))


def test_people_who_are_away_and_the_end(browser: Browser, table: Table) -> None:
    with seated(browser, table) as page:
        asked(page, table, table.questions[0])
        table.say({"is": "left", "seats": [1]})
        page.wait_for_selector(".seat[data-seat='1'].away")
        while not table.over:
            table.play(20)
        seats = [{"seat": seat, "rank": 4 - seat, "score": 10 * (4 - seat)} for seat in range(4)]
        table.say({"is": "over", "seats": seats, "void": False})
        page.keyboard.press("End")
        page.wait_for_selector("#over:not([hidden])")
        assert "Place 1" in str(page.text_content(".ranks li:first-child")) or "place 1" in str(
            page.text_content(".ranks li:first-child")
        )
        assert page.locator("#over a").first.get_attribute("href") == "/tables/1"
        table.close_seat(OVER)
        page.evaluate("new Promise(requestAnimationFrame)")
        assert "You have left" not in page.inner_text("#steering")


@pytest.mark.parametrize(("game", "seats"), [("standard", 4), ("standard", 7), ("professional", 4), ("nifty", 4)])
def test_hand_board_and_clock_are_on_one_screen_of_a_phone(
    game: str, seats: int, browser: Browser, tmp_path: Path
) -> None:
    table = Table(played(tmp_path, game, seats))
    with seated(browser, table, **PHONE) as page:
        asked(page, table, table.questions[0], 25.0)
        for place in ("#seats", "#board", "#time", "#cards", "#acts"):
            box = page.locator(place).bounding_box()
            assert box is not None, place
            assert box["y"] >= 0, place
            assert box["y"] + box["height"] <= 844, place
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert page.locator("#cards button").first.bounding_box()["width"] >= 44  # type: ignore[index]  # it is there


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_the_page_of_a_seat_hinders_nobody(look: dict[str, Any], browser: Browser, tmp_path: Path) -> None:
    table = Table(played(tmp_path))
    row = next(one for one in table.questions if one.kind == "row")
    with seated(browser, table, **look) as page:
        assert violations(page) == []
        asked(page, table, table.questions[0], 25.0)
        assert violations(page) == []
        page.click(f'[data-item="card:{table.questions[0].question["options"][0]}"]')
        assert violations(page) == []
        asked(page, table, row)
        assert violations(page) == []
