"""The site in a real browser: nothing of a stranger's runs, and everybody can read it."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from bullring.arena.games.rulebook.language import speak
from bullring.arena.watching.page.page import shared
from bullring.ladder.watching.site.folder import Folder
from bullring.ladder.watching.site.site import Report
from tests.ladder.homes import four, run
from tests.ladder.watching.site.homes import HOSTILE, home_of
from tests.support.browser import LOOKS, looking, name_of, violations

pytestmark = pytest.mark.xdist_group("chromium")

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}}

DESK: dict[str, Any] = {"viewport": {"width": 1400, "height": 900}}

PAGES = ("index.html", "lists/1.html", "pairs/1.html", "bots/2.html", "matches/1.html")

BESIDE = {
    "matches/1.html": {"../results/1-0.js"},
    "match.html": {"records/1-0.js"},
    **{f"replays/{match}.html": {f"../program/{shared()[0]}"} for match in range(1, 13)},
}
"""The files that pages load."""

CONTRASTS = """() => {
  const whole = (text) => text.startsWith("color(srgb") ? 255 : 1;
  const number = (text) => (text.match(/[0-9.]+/g) ?? [0, 0, 0, 0]).map((one, at) => one * (at < 3 ? whole(text) : 1));
  const light = (rgb) => {
    const [r, g, b] = rgb.map((one) => one / 255).map((one) => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (number(colour)[3] !== 0) return number(colour).slice(0, 3);
    }
    return [255, 255, 255];
  };
  const ratio = (one, two) => (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    const mark = element.matches(".course, .interval, .dot");
    if (!own && !mark || !element.checkVisibility() || element.matches("script, title")) continue;
    const style = getComputedStyle(element);
    const colour = element.matches(".course, .interval") ? style.stroke : element.closest("svg") ? style.fill : style.color;
    found.push([ratio(light(number(colour).slice(0, 3)), light(ground(element))), mark ? 3 : 4.5, element.outerHTML.slice(0, 80)]);
  }
  return found;
}"""
"""Each text and each line of a picture: its contrast, the least one that WCAG 2 asks for (AA), and what it is."""


@pytest.fixture(name="site", scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    home = home_of(folder / "home", 12)
    with closing(home.store(read_only=True)) as store:
        Report(home, Folder(folder / "site"), 2).make(store)
    return folder / "site"


def column(page: Page, at: int) -> list[str]:
    """The text of the cells in a column of the first table."""
    found: list[str] = page.eval_on_selector_all(
        f"main > section:first-of-type tbody tr > :nth-child({at})", "(all) => all.map((one) => one.innerText)"
    )
    return found


def test_no_name_is_markup_and_no_page_says_or_asks_for_anything(browser: Browser, site: Path) -> None:
    for name in (*PAGES, "replays/12.html"):
        with looking(browser, site / name, beside=BESIDE.get(name, ())) as page:
            assert page.locator("h1").inner_text()
            assert page.evaluate("document.querySelectorAll('script:not([type], [src]), [onload]').length") == 1
            if name == "bots/2.html":
                assert page.locator("h1").inner_text() == HOSTILE


def test_tables_are_sorted_by_keyboard_and_say_so(browser: Browser, site: Path) -> None:
    with looking(browser, site / "lists/1.html") as page:
        head = page.locator("table.sortable thead th").nth(2)
        head.locator("button").focus()
        page.keyboard.press("Enter")
        assert head.get_attribute("aria-sort") == "ascending"
        rising = [int(text.split()[0].rstrip("?")) for text in column(page, 4) if text]
        assert len(rising) > 1
        assert rising == sorted(rising)
        page.keyboard.press("Space")
        assert head.get_attribute("aria-sort") == "descending"
        assert [int(text.split()[0].rstrip("?")) for text in column(page, 4) if text] == rising[::-1]
        page.locator("table.sortable thead th").nth(6).locator("button").press("Enter")
        assert head.get_attribute("aria-sort") is None


def test_both_languages_are_there_without_a_server(browser: Browser, site: Path) -> None:
    with looking(browser, site / "lists/1.html") as page:
        assert page.locator("h2").first.inner_text() == "Standings"
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.locator("#language").press("Enter")
        assert page.locator("html").get_attribute("lang") == "de"
        assert page.locator("h2").first.inner_text() == "Stand"
        assert "Standings" not in page.locator("main").inner_text()
        assert page.evaluate("localStorage.getItem('bullring-language')") == "de"
    with looking(browser, site / "lists/1.html", locale="de-AT") as page:
        assert page.locator("h2").first.inner_text() == "Stand"


def test_a_site_asked_for_in_a_language_opens_in_it(browser: Browser, tmp_path: Path) -> None:
    home, folder = home_of(tmp_path / "home", 1), Folder(tmp_path / "site")
    with closing(home.store(read_only=True)) as store:
        Report(home, folder).make(store)
        speak("de", asked=True)
        try:
            Report(home, folder).make(store)
        finally:
            speak("en")
    for name, title in (("index.html", "home – Bullring"), ("replays/1.html", "6 nimmt!")):
        with looking(browser, tmp_path / "site" / name, beside=BESIDE.get(name, ())) as page:
            assert page.get_attribute("html", "lang") == "de"
            assert title in page.title()


def test_every_match_can_be_found_by_its_bots_and_looked_at(browser: Browser, site: Path) -> None:
    with looking(browser, site / "matches/1.html", "#1-3", beside=BESIDE["matches/1.html"]) as page:
        page.wait_for_selector("html[data-drawn]", state="attached")
        numbers = page.locator("#found .number").all_inner_texts()
        assert numbers == sorted(numbers, key=int, reverse=True)
        assert page.locator("#count").inner_text() == str(len(numbers)) == "6"
        assert page.locator("#found h2").all_inner_texts() == ["Friday, 2 January 2026"]
        assert page.is_visible("select[name=bot]")  # that matches were chosen is to be seen
        for row in page.locator("#found li").all():
            assert row.locator(".seat a[href='../bots/1.html'], .seat a[href='../bots/3.html']").count() == 2
        for name in ("bot", "other"):
            page.locator(f"select[name={name}]").select_option("")
        assert page.locator("#count").inner_text() == "12"
        page.locator("input[name=faulty]").check()
        assert page.locator("#found .number").all_inner_texts() == ["3", "2"]
        page.locator("input[name=faulty]").uncheck()
        page.locator("input[name=notable]").check()
        notable = page.locator("#found .number").all_inner_texts()
        assert page.locator("#found .tag").count() == len(notable) > 0
        page.locator("input[name=notable]").uncheck()
        page.locator("select[name=bot]").select_option("1")
        page.locator("input[name=won]").check()
        assert page.locator("#found li").count() > 0
        assert page.locator("#found .place").all_inner_texts() == ["1"] * page.locator("#found li").count()
        page.locator("input[name=until]").fill("2001-01-01")
        assert page.locator("#count").inner_text() == "0"
        page.locator("input[name=until]").fill("")
        page.locator("input[name=won]").uncheck()
        page.locator("input[name=faulty]").check()
        page.locator("select[name=bot]").select_option("")
        link = page.locator("#found .watch a").first.get_attribute("href")
    assert link == "../match.html?1-0-3"
    with looking(browser, site / "match.html", "?1-0-3#end", beside=BESIDE["match.html"]) as page:
        assert page.locator(".seat").count() == 3
        assert "Match 3" in page.locator("#about").inner_text()
        assert page.locator("#links a").evaluate_all("(all) => all.map((one) => one.getAttribute('href'))") == [
            "index.html",
            "matches/1.html",
            "?1-0-2",
            "?1-0-4",
        ]


def test_the_map_of_pairs_shows_one_of_its_figures(browser: Browser, site: Path) -> None:
    with looking(browser, site / "pairs/1.html") as page:
        cells = page.locator(".map tbody tr").first.locator("td").nth(2)
        shown = {}
        for name in ("share", "difference", "chance"):
            page.locator(f"#by-{name}").check()
            assert (
                page.locator(".map td span:visible").evaluate_all("(all) => all.map((one) => one.className)")
                == [name] * page.locator(f".map td .{name}:visible").count()
            )
            shown[name] = cells.inner_text()
        assert len(set(shown.values())) == 3


def test_a_pair_on_the_map_leads_to_its_matches_and_stories_to_all_of_them(browser: Browser, site: Path) -> None:
    with looking(browser, site / "pairs/1.html") as page:
        wanted, count = page.locator(".map td a").first.get_attribute("href"), page.locator(".map td a").count()
        assert count == page.locator(".map td[class]:not(.self)").count() > 0
    assert wanted is not None
    for link, ticked in ((wanted.partition("#")[2], False), ("notable", True)):
        with looking(browser, site / "matches/1.html", f"#{link}", beside=BESIDE["matches/1.html"]) as page:
            page.wait_for_selector("html[data-drawn]", state="attached")
            assert page.is_checked("input[name=notable]") == ticked
            assert 0 < page.locator("#found li").count() < 12
    with looking(browser, site / "matches/1.html", beside=BESIDE["matches/1.html"]) as page:
        page.wait_for_selector("html[data-drawn]", state="attached")
        assert not page.is_visible("select[name=bot]")
        page.locator("#filter summary").press("Enter")
        assert page.is_visible("select[name=bot]")


@contextmanager
def _served(site: Path) -> Iterator[str]:
    """The site on a plain web server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.mark.slow
def test_every_match_is_drawn_from_a_disk_as_from_any_web_server(browser: Browser, site: Path) -> None:
    matches = [f"match.html?1-0-{number}" for number in range(1, 13)]
    own = [f"replays/{path.name}" for path in sorted((site / "replays").glob("*.html"))]
    with _served(site) as url, browser.new_context() as context:
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        for place in (site.as_uri(), url):
            for name in matches + own:
                page.goto(f"{place}/{name}")
                page.wait_for_selector("html[data-step]", state="attached")
                assert page.locator("#page .card:visible").count() > 0, name
                assert page.locator(".seat").count() == 3, name
                seen = page.eval_on_selector("#page", "(one) => getComputedStyle(one).maxWidth")
                assert seen != "none", name  # its style is there
        assert said == []


@pytest.mark.slow
def test_a_page_that_was_taken_out_of_its_site_says_what_it_lacks(browser: Browser, site: Path, tmp_path: Path) -> None:
    (tmp_path / "12.html").write_bytes((site / "replays/12.html").read_bytes())
    with browser.new_context() as context:
        page = context.new_page()
        page.goto((tmp_path / "12.html").as_uri())
        page.wait_for_selector("main:visible")
        assert "keep this page in its site" in page.inner_text("main:visible")
        assert page.locator("main:visible li").count() == 3


@pytest.mark.parametrize("link", ["?1-0-99", "?<b>", ""])
def test_a_match_that_is_not_there_is_not_drawn(browser: Browser, site: Path, link: str) -> None:
    beside = BESIDE["match.html"] if "-" in link else ()
    with looking(browser, site / "match.html", link, beside=beside) as page:
        assert "not on this site" in page.locator("#missing").inner_text()
        assert page.locator("h1:visible").all_inner_texts() == ["This match is not here"]
        assert (page.locator("html").get_attribute("lang"), page.title()) == ("en", "This match is not here – Bullring")
        assert page.locator("#missing a:visible").get_attribute("href") == "index.html"


def test_a_page_is_loaded_anew_while_the_ladder_runs_unless_its_reader_does_not_like_that(
    browser: Browser, tmp_path: Path
) -> None:
    home = home_of(tmp_path / "home", 1)
    with closing(home.store(read_only=True)) as store:
        Report(home, Folder(tmp_path / "site"), 0, refresh=1).make(store)
    with looking(browser, tmp_path / "site" / "index.html") as page:
        with page.expect_navigation():
            pass
        page.locator("#refresh").click()
        assert page.locator("#refresh").get_attribute("aria-pressed") == "false"
        assert page.evaluate("localStorage.getItem('bullring-refresh')") == "no"


@pytest.mark.slow
def test_tables_have_captions_and_heads(browser: Browser, site: Path) -> None:
    for name in PAGES:
        with looking(browser, site / name, beside=BESIDE.get(name, ())) as page:
            assert page.locator("table").count() == page.locator("table > caption").count()
            assert page.locator("th:not([scope])").count() == 0
            assert page.locator("tbody tr:not(:has(th[scope=row]))").count() == 0
            assert page.locator("svg[role=img]:not(:has(title))").count() == 0


def test_a_phone_scrolls_within_tables_and_not_beside_the_page(browser: Browser, site: Path) -> None:
    for name in PAGES:
        with looking(browser, site / name, beside=BESIDE.get(name, ()), **PHONE) as page:
            assert page.evaluate("document.scrollingElement.scrollWidth") <= 360, name
            assert page.locator("table").count() == page.locator("[tabindex='0'] > table").count()
            for table in page.locator("table").all():
                heads, cells = (
                    table.evaluate(
                        "(table, rows) => [...table.querySelector(rows)?.cells ?? []].map((cell) => cell.checkVisibility())",
                        rows,
                    )
                    for rows in ("thead tr", "tbody tr")
                )
                assert not cells or not any(heads) or heads == cells, name


@pytest.mark.slow
def test_the_longest_names_cut_no_column_and_widen_no_page(browser: Browser, tmp_path: Path) -> None:
    home = home_of(tmp_path / "home", 12, ["W" * 64, "reinforcement-learner-v2", "gradient-descent-9", "bob"])
    with closing(home.store(read_only=True)) as store:
        Report(home, Folder(tmp_path / "site"), 2).make(store)
    for name in PAGES:
        with looking(browser, tmp_path / "site" / name, beside=BESIDE.get(name, ()), **PHONE) as page:
            assert page.evaluate("document.scrollingElement.scrollWidth") <= 360, name
        with looking(browser, tmp_path / "site" / name, beside=BESIDE.get(name, ()), **DESK) as page:
            cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)"
            assert page.locator(".wide").evaluate_all(cut) == [], name
            outside = """() => [...document.querySelectorAll("td, tbody th")].filter((cell) => cell.checkVisibility()
                && !cell.closest(".map") && cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.innerText)"""
            assert page.evaluate(outside) == [], name


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_suffices(browser: Browser, site: Path, scheme: str) -> None:
    for name in PAGES:
        with looking(browser, site / name, beside=BESIDE.get(name, ()), color_scheme=scheme) as page:
            measured = page.evaluate(CONTRASTS)
            assert len(measured) > 10
            assert [one for one in measured if one[0] < one[1]] == [], name


@pytest.mark.slow
def test_a_ladder_that_was_played(browser: Browser, tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    run(home, "--matches", "8", "--jobs", "1", "--allow-unsandboxed")
    with closing(home.store(read_only=True)) as store:
        Report(home, Folder(tmp_path / "site")).make(store)
        played = {f"{match.id}.html" for match in store.matches()}
    pages = sorted((tmp_path / "site").rglob("*.html"))
    assert len(played) == 8
    assert played == {page.name for page in pages if page.parent.name == "replays"}
    for path in pages:
        assert str(home.path) not in path.read_text()
        name = str(path.relative_to(tmp_path / "site"))
        if name != "match.html":  # which shows nothing without a match
            with looking(browser, path, beside=BESIDE.get(name, ())) as page:
                assert page.locator("h1").first.inner_text()


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS, ids=name_of)
def test_no_page_hinders_anybody(look: dict[str, Any], browser: Browser, site: Path) -> None:
    for name in (*PAGES, "pairs/1.html", "match.html?1-0-3", "replays/12.html"):
        file, _, link = name.partition("?")
        with looking(browser, site / file, f"?{link}" if link else "", beside=BESIDE.get(file, ()), **look) as page:
            assert violations(page) == [], name
