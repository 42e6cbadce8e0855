"""The site in a real browser: nothing of a stranger's runs, and everybody can read it."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from bullring.ladder.watching.site.folder import Folder
from bullring.ladder.watching.site.site import Report
from tests.ladder.homes import four, run
from tests.ladder.watching.site.homes import HOSTILE, home_of
from tests.support.browser import looking

pytestmark = pytest.mark.xdist_group("chromium")

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}}

PAGES = ("index.html", "lists/1.html", "bots/2.html", "matches/1-1.html")

CONTRASTS = """() => {
  const number = (text) => (text.match(/[0-9.]+/g) ?? [0, 0, 0, 0]).map(Number);
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
        f"section:first-of-type tbody tr > :nth-child({at})", "(all) => all.map((one) => one.innerText)"
    )
    return found


def test_no_name_is_markup_and_no_page_says_or_asks_for_anything(browser: Browser, site: Path) -> None:
    for name in (*PAGES, "replays/12.html"):
        with looking(browser, site / name) as page:
            assert page.locator("h1").inner_text()
            assert page.evaluate("document.querySelectorAll('script:not([type]), [onload]').length") == 1
            if name == "bots/2.html":
                assert page.locator("h1").inner_text() == HOSTILE


def test_tables_are_sorted_by_keyboard_and_say_so(browser: Browser, site: Path) -> None:
    with looking(browser, site / "lists/1.html") as page:
        head = page.locator("table.sortable thead th").nth(2)
        head.locator("button").focus()
        page.keyboard.press("Enter")
        assert head.get_attribute("aria-sort") == "ascending"
        rising = [int(text) for text in column(page, 3) if text]
        assert len(rising) > 1
        assert rising == sorted(rising)
        page.keyboard.press("Space")
        assert head.get_attribute("aria-sort") == "descending"
        assert [int(text) for text in column(page, 3) if text] == rising[::-1]
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


@pytest.mark.slow
def test_tables_have_captions_and_heads(browser: Browser, site: Path) -> None:
    for name in PAGES:
        with looking(browser, site / name) as page:
            assert page.locator("table").count() == page.locator("table > caption").count() > 0
            assert page.locator("th:not([scope])").count() == 0
            assert page.locator("tbody tr:not(:has(th[scope=row]))").count() == 0
            assert page.locator("svg[role=img]:not(:has(title))").count() == 0


def test_a_phone_scrolls_within_tables_and_not_beside_the_page(browser: Browser, site: Path) -> None:
    for name in PAGES:
        with looking(browser, site / name, **PHONE) as page:
            assert page.evaluate("document.scrollingElement.scrollWidth") <= 360, name
            assert page.locator("table").count() == page.locator("[tabindex='0'] > table").count()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_suffices(browser: Browser, site: Path, scheme: str) -> None:
    for name in PAGES:
        with looking(browser, site / name, color_scheme=scheme) as page:
            measured = page.evaluate(CONTRASTS)
            assert len(measured) > 10
            assert [one for one in measured if one[0] < one[1]] == [], name


@pytest.mark.slow
def test_a_ladder_that_was_played(browser: Browser, tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    run(home, "--matches", "8", "--jobs", "1", "--allow-unsandboxed")
    with closing(home.store(read_only=True)) as store:
        Report(home, Folder(tmp_path / "site")).make(store)
    pages = sorted((tmp_path / "site").rglob("*.html"))
    assert {f"{number}.html" for number in range(1, 9)} <= {
        page.name for page in pages if page.parent.name == "replays"
    }
    for path in pages:
        assert str(home.path) not in path.read_text()
        with looking(browser, path) as page:
            assert page.locator("h1").first.inner_text()
