"""Tables behind the proxies of docs/serving.md, with TLS: what is alive stays alive, and a person plays a whole match."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from bullring.arena.watching.page.page import live_page
from tests.arena.watching.tables.test_seats import PEOPLE, verified
from tests.support.browser import browser_fixture
from tests.support.patience import PATIENCE
from tests.support.proxies import NAME, PROXIES, SILENCE, Proxy, proxied
from tests.support.seats import House, Message, house

__all__ = ["browser_fixture"]

pytestmark = [pytest.mark.xdist_group("chromium"), pytest.mark.slow]

STALL = 5.0
"""Seconds that a proxy may be late."""

ALONE = {**PEOPLE, "names": ["Ann"], "open": 1}


@pytest.fixture(params=PROXIES)
def proxy(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[House, Proxy]]:
    with house(tmp_path, hosts=NAME) as here, proxied(request.param, tmp_path / "proxy", here.port) as proxy:
        here.way = proxy.way
        yield here, proxy


def test_a_person_plays_and_viewers_follow_each_turn_while_it_is_played(proxy: tuple[House, Proxy]) -> None:
    here, _ = proxy
    key, (token,) = here.makes(**ALONE)
    ann = here.sits(key, token)
    assert ann.connect() == 101
    question = ann.until("question")
    with here.watches(f"/tables/{key}/events") as viewer:

        def looks(browser: object, question: Message) -> None:
            viewer.until(question["after"])  # before the answer, so nothing was held back
            ann.chooses(question)

        looks(ann, question)
        assert ann.plays(looks)["is"] == "over"
        assert "end" in {kind for kind, _ in viewer}
        assert b"content-encoding" not in viewer.read.partition(b"\r\n\r\n")[0].lower()
    verified(here)
    assert here.asks("GET", f"/tables/{key}")[0] == 200


def test_a_proxy_that_is_started_anew_loses_no_seat_and_no_event(proxy: tuple[House, Proxy]) -> None:
    here, between = proxy
    key, (token,) = here.makes(**ALONE)
    ann = here.sits(key, token)
    ann.connect()
    question = ann.until("question")
    with here.watches(f"/tables/{key}/events") as viewer:
        viewer.until(question["after"])
        between.end()
        assert "end" not in {kind for kind, _ in viewer}
    while ann.next() is not None:
        pass
    between.start()
    assert ann.connect() == 101
    assert ann.until("question") == question
    with here.watches(f"/tables/{key}/events", str(question["after"])) as viewer:
        assert ann.plays()["is"] == "over"
        ids = [viewer.frame for kind, _ in viewer if kind == "frame"]
        assert ids == [*range(question["after"] + 1, viewer.frame + 1)]
    verified(here)


def test_where_nothing_happens_for_long_nobody_is_cut_off(proxy: tuple[House, Proxy]) -> None:
    here, _ = proxy
    key, (token,) = here.makes(**ALONE)
    ann = here.sits(key, token)
    ann.connect()
    question = ann.until("question")
    with here.watches(f"/tables/{key}/events") as viewer:
        viewer.until(question["after"])
        since = time.monotonic()
        while time.monotonic() - since < SILENCE + STALL:  # Ann thinks
            viewer.reads()
        assert ann.plays()["is"] == "over"
        assert "end" in {kind for kind, _ in viewer}
    assert len(ann.heard) > 1
    verified(here)


def test_browsers_follow_a_table_by_http_2(proxy: tuple[House, Proxy], browser: Browser, tmp_path: Path) -> None:
    here, between = proxy
    (tmp_path / "more" / "live.html").write_text(live_page(), "utf-8")
    key, (token,) = here.makes(**ALONE)
    context = browser.new_context(ignore_https_errors=True, locale="en-GB", reduced_motion="reduce")
    said: list[str] = []
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"https://{NAME}:{between.way.port}/tables/{key}")
    page.wait_for_selector("#arriving >> text=Ann – not here yet")
    ann = here.sits(key, token)
    ann.connect()
    ann.until("question")
    page.wait_for_selector("#live:text-is('Live')")
    assert ann.plays()["is"] == "over"
    page.keyboard.press("End")
    page.wait_for_selector("#live:text-is('The match is over')")
    used = page.evaluate(
        "performance.getEntries().filter((one) => one.nextHopProtocol).map((one) => one.nextHopProtocol)"
    )
    assert {*used} == {"h2"}
    assert said == []
    context.close()


def test_a_cookie_of_a_seat_is_secure_and_strangers_are_refused(proxy: tuple[House, Proxy]) -> None:
    here, _ = proxy
    key, (token,) = here.makes(**ALONE)
    sit = f"/tables/{key}/sit"
    assert here.asks("POST", sit, {"token": token}, Origin="https://evil.example")[0] == 403
    status, _, cookie = here.asks("POST", sit, {"token": token}, Origin=here.way.origin)
    assert status == 200
    assert {"HttpOnly", "SameSite=strict", "Secure"} <= {*cookie.split("; ")}
    mine = here.browser(key, cookie.partition(";")[0])
    assert mine.connect(Origin="https://evil.example") == 403
    assert mine.connect() == 101
