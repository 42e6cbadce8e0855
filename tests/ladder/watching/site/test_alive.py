"""The site of a server, in a real browser: its parts follow what happens without being loaded anew."""

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from bullring.arena.watching.page.page import packed
from bullring.arena.watching.page.small import small
from bullring.arena.watching.picture.reducer import Reducer
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.home import Home
from bullring.ladder.watching.site.folder import Folder
from bullring.ladder.watching.site.pages import Now, standings_now
from bullring.ladder.watching.site.site import Report
from tests.ladder.watching.site.homes import HOSTILE, home_of, more
from tests.support.browser import LOOKS, name_of, violations
from tests.support.patience import PATIENCE
from tests.support.stage import Answer, Wire, event, served, viewer

pytestmark = [pytest.mark.xdist_group("chromium"), pytest.mark.slow]

TYPES = {".html": "text/html", ".js": "text/javascript", ".png": "image/png"}


class Front(Wire):
    """The site of a home, and news that a test tells."""

    def __init__(self, home: Home, folder: Path) -> None:
        super().__init__()
        self._home = home
        self._folder = folder
        self._report = Report(home, Folder(folder), live=True)
        self._news: list[bytes] = []
        self.asked: list[str] = []
        """The pages that were asked for."""
        self.make()

    def make(self) -> None:
        """Make the site anew."""
        with closing(self._home.store(read_only=True)) as store:
            self._report.make(store)

    def tell(self, kind: str, data: object) -> None:
        """Tell news to all viewers."""
        with self.moved:
            self._news += [event(kind, json.dumps(data)), event("now", "{}", str(len(self._news)))]
            self.moved.notify_all()

    def answer(self, path: str, after: str) -> Answer:
        """What is at an address."""
        if path == "/events":
            return self.streamed(self._telling())
        file = self._folder / path.lstrip("/")
        self.asked.append(path.lstrip("/"))
        return (TYPES[file.suffix], file.read_bytes()) if file.is_file() else 404

    def _telling(self) -> Callable[[], bytes]:
        known = -1

        def more() -> bytes:
            nonlocal known
            told = [event("state", "{}")] if known < 0 else []
            told += self._news[max(0, known) :]
            known = len(self._news)
            return b"".join(told)

        return more


@pytest.fixture(name="home")
def _home(tmp_path: Path) -> Home:
    return home_of(tmp_path / "home", 12)


@pytest.fixture(name="front")
def _front(home: Home, tmp_path: Path) -> Front:
    return Front(home, tmp_path / "site")


@pytest.fixture(name="url")
def _url(front: Front) -> Iterator[str]:
    with served(front, front.answer) as address:
        yield address


def table(home: Home, match: int, entries: int, *, live: bool = True) -> dict[str, Any]:
    """A table of the front, after some entries of a record."""
    reducer = Reducer()
    for entry in home.lines(match).entries[:entries]:
        reducer.feed(entry)
    names = [seat.name for seat in reducer.picture.seats]
    return {"key": str(match), "match": match, "live": live, "names": names, "small": small(reducer.picture)}


def still(page: Page) -> None:
    """Mark the page, so that `is_same` knows whether it was loaded anew."""
    page.evaluate("globalThis.mark = 1")


def is_same(page: Page) -> bool:
    """Whether it was not."""
    return bool(page.evaluate("globalThis.mark === 1"))


ROWS = "[...document.querySelectorAll('.standings tbody th a')].map((link) => link.textContent)"


def test_standings_follow_matches_and_what_was_opened_and_focused_stays(
    browser: Browser, front: Front, home: Home, url: str
) -> None:
    with viewer(browser, f"{url}/lists/1.html") as page:
        still(page)
        page.click("#standings summary")
        page.focus("#pairs a")
        assert page.inner_text("main .sub").startswith("12 matches")
        more(home, 8)
        front.make()
        front.tell("site", {"changed": ["lists/1.html"]})
        page.wait_for_selector("main .sub:has-text('20 matches')")
        assert page.locator("#standings details[open]").count() == 1
        assert page.evaluate("document.activeElement.closest('section').id") == "pairs"
        assert is_same(page)
        found = page.evaluate(ROWS)
        page.reload()
        assert page.evaluate(ROWS) == found


def now(home: Home) -> dict[str, Any]:
    """The standings as a feed tells them."""
    with closing(home.store(read_only=True)) as store:
        list_ = next(iter(store.lists(played=True)))
        made = Standings(store, list_)
        table = standings_now({row.id: row for row in store.bots()}, Now(made.rows(), made.outlook(), list_, {}))
    return {"list": list_.id, "table": packed(json.dumps(table))}


def test_standings_of_the_front_are_those_that_were_told_last_and_keep_what_the_page_alone_knows(
    browser: Browser, front: Front, home: Home, tmp_path: Path, url: str
) -> None:
    file = tmp_path / "site" / "index.html"
    figures = "[...document.querySelectorAll('.standings tbody tr')].map((row) => row.innerText)"
    courses = "document.querySelectorAll('.standings tbody svg, .standings .form span').length"
    with viewer(browser, f"{url}/index.html") as page:
        before, drawn = str(page.text_content(".standings")), page.evaluate(courses)
        assert drawn > 0
        more(home, 8)
        front.tell("standings", now(home))
        expect(page.locator(".standings")).not_to_have_text(before, timeout=PATIENCE * 1000)
        told = page.evaluate(figures)
        assert page.evaluate(courses) == drawn
        file.write_text(file.read_text("utf-8").replace("Bots play", "Machines play"), "utf-8")
        front.tell("site", {"changed": ["index.html"]})  # of the matches before
        page.wait_for_selector("main .sub:has-text('Machines play')")
        assert page.evaluate(figures) == told
        front.tell("standings", now(home) | {"list": 99})  # which this page does not show at its head
        front.tell("tables", [table(home, 1, 6)])
        page.wait_for_selector("#boards > li")
        assert page.evaluate(figures) == told


def test_a_page_of_another_version_is_loaded_anew_and_nothing_is_forbidden(
    browser: Browser, front: Front, tmp_path: Path, url: str
) -> None:
    file = tmp_path / "site" / "lists" / "1.html"
    with viewer(browser, f"{url}/lists/1.html") as page:
        still(page)
        text = file.read_text("utf-8")
        style = text.partition("<style>")[2].partition("</style>")[0]
        young = f"{style}/* of another version */"
        sources = [b64encode(sha256(one.encode()).digest()).decode() for one in (style, young)]
        for old, new in ((style, young), (sources[0], sources[1])):
            assert old in text
            text = text.replace(old, new)
        file.write_text(text.replace("<html", "<html data-young", 1), "utf-8")
        front.tell("site", {"changed": None})
        page.wait_for_selector("html[data-young]", state="attached")
        assert not is_same(page)


def test_a_table_that_was_sorted_stays_sorted(browser: Browser, front: Front, home: Home, url: str) -> None:
    with viewer(browser, f"{url}/lists/1.html") as page:
        page.click("#standings .standings thead button >> nth=1")  # by name
        order = page.evaluate(ROWS)
        more(home, 8)
        front.make()
        front.tell("site", {"changed": None})
        page.wait_for_selector("main .sub:has-text('20 matches')")
        assert page.evaluate(ROWS)[: len(order)] == order


def test_pages_ask_again_only_for_what_has_changed(browser: Browser, front: Front, home: Home, url: str) -> None:
    with viewer(browser, f"{url}/bots/1.html") as bot, viewer(browser, f"{url}/matches/1.html") as matches:
        matches.wait_for_selector("html[data-drawn]", state="attached")
        count, before = int(matches.inner_text("#count")), str(bot.text_content("main"))
        front.asked.clear()
        more(home, 4)
        front.make()
        front.tell("site", {"changed": ["matches/1.html", "results/1-0.js"]})
        matches.wait_for_selector(f"#count:text-is('{count + 4}')")
        assert "bots/1.html" not in front.asked
        front.tell("site", {"changed": ["bots/1.html"]})
        expect(bot.locator("main")).not_to_have_text(before, timeout=PATIENCE * 1000)
        found = bot.inner_text("main")
        bot.reload()
        assert bot.inner_text("main") == found


def test_the_front_shows_tables_results_places_and_what_is_open(
    browser: Browser, front: Front, home: Home, url: str
) -> None:
    with viewer(browser, f"{url}/index.html") as page:
        assert not page.is_visible("#now")
        said = {"en": "Place 1 is decided.", "de": "Platz 1 ist entschieden."}
        counts = {"en": "1,234 matches · 1 table", "de": "1.234 Partien · 1 Tisch"}
        front.tell(
            "progress",
            {"running": True, "tables": 1, "matches": 1234, "decided": 3, "open": 1, "counts": counts, "said": said},
        )
        front.tell("tables", [table(home, 1, 6)])
        page.wait_for_selector("#boards > li")
        assert page.inner_text("#progress [data-told=counts]") == counts["en"]
        assert page.inner_text("#progress [data-told=said]") == said["en"]
        cards = "[...document.querySelectorAll('#boards i')].map((card) => Number(card.textContent))"
        assert page.evaluate(cards) == [card for row in table(home, 1, 6)["small"]["groups"] for card, _ in row]
        assert page.get_attribute("#boards a", "href") == "/tables/1"
        assert page.is_visible("#boards .if-live")
        assert not page.is_visible("#again")
        front.tell("tables", [table(home, 1, 6, live=False)])
        page.wait_for_selector("#again")  # says once what no board says then
        assert not page.is_visible("#boards .if-again")
        for match in range(40, 60):
            seats = [[1, HOSTILE, 3], [2, "eve", 9]]
            front.tell("result", {"match": match, "list": 1, "seats": seats, "void": False, "page": f"tables/{match}"})
        page.wait_for_selector("#results li:first-child .match:text-is('59')")
        assert page.locator("#results li").count() == 6  # a few are enough
        assert page.text_content("#results li:first-child .heads >> nth=1") == "9"
        assert page.text_content("#results .first a >> nth=0") == HOSTILE
        front.tell("place", {"list": 1, "bot": 4, "name": "bob", "from": 4, "to": 2})
        page.wait_for_selector("#moves .up:text-is('▲2')")
        front.tell("place", {"list": 1, "bot": 4, "name": "bob", "from": 2, "to": 3})  # one line a bot
        page.wait_for_selector("#moves li:only-child .up:text-is('▲1')")
        front.tell("place", {"list": 1, "bot": 4, "name": "bob", "from": 3, "to": 4})
        page.wait_for_selector("#moves", state="hidden")
        assert page.inner_text("#pulse .live") == "live"
        front.tell(
            "progress",
            {"running": False, "tables": 0, "matches": 1234, "decided": 3, "open": 1, "counts": {}, "said": {}},
        )
        page.wait_for_selector("#pulse >> text=the ladder rests")
        front.tell("tables", [])
        page.wait_for_selector("#now", state="hidden")


def test_a_page_says_that_it_is_cut_off_and_catches_up(browser: Browser, front: Front, home: Home, url: str) -> None:
    with viewer(browser, f"{url}/index.html") as page:
        still(page)
        front.tell("tables", [table(home, 1, 4)])
        page.wait_for_selector("#boards > li")
        front.gone = True
        front.cut()
        page.wait_for_selector("#pulse >> text=no connection")
        more(home, 4)
        front.make()
        front.gone = False
        front.tell(
            "progress",
            {
                "running": True,
                "tables": 1,
                "matches": 16,
                "decided": 0,
                "open": 4,
                "counts": {"en": "16 matches"},
                "said": {},
            },
        )
        page.wait_for_selector("#pulse .live >> visible=true")
        page.wait_for_selector(".sub >> text=16 matches")
        assert is_same(page)


def test_lines_slide_to_their_new_places_unless_people_do_not_want_it(
    browser: Browser, front: Front, url: str, tmp_path: Path
) -> None:
    file = tmp_path / "site" / "index.html"
    whole = file.read_text("utf-8")
    head, one, two, *rest = re.split(r'(?=<tr[^>]*><td class="rank">)', whole)
    other = "".join([head, two, one, *rest])
    for motion, moves in (("no-preference", True), ("reduce", False)):
        with viewer(browser, f"{url}/index.html", reduced_motion=motion) as page:
            second = page.get_attribute(".standings tbody tr:nth-child(2) th a", "href")
            page.evaluate(
                """() => {
                  globalThis.slides = 0;
                  const animate = Element.prototype.animate;
                  Element.prototype.animate = function (...given) {
                    slides += this.localName === "tr";
                    return animate.apply(this, given);
                  };
                }"""
            )
            file.write_text(other, "utf-8")
            front.tell("site", {"changed": ["index.html"]})
            page.wait_for_selector(f".standings tbody tr:first-child th a[href='{second}']")
            assert (page.evaluate("slides") > 0) is moves
            file.write_text(whole, "utf-8")


@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_a_front_that_is_alive_hinders_nobody(
    look: dict[str, Any], browser: Browser, front: Front, home: Home, url: str
) -> None:
    with viewer(browser, f"{url}/index.html", **look) as page:
        front.tell(
            "progress", {"running": True, "tables": 1, "matches": 12, "decided": 3, "open": 1, "counts": {}, "said": {}}
        )
        front.tell("tables", [table(home, 1, 6), table(home, 4, 9, live=False)])
        seats = [[1, HOSTILE, 3, 1], [2, "eve", 9, 2]]
        front.tell("result", {"match": 5, "list": 1, "seats": seats, "void": False, "page": "tables/5"})
        front.tell("place", {"list": 1, "bot": 4, "name": "bob", "from": 4, "to": 2})
        page.wait_for_selector("#moves .up")
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
