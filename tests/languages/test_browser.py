"""Pages in a real browser, wholly in the language of their reader: all that their scripts fill in, shown or read out."""

import json
from calendar import day_name, month_abbr, month_name
from collections.abc import Iterable
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from bullring.arena.games.rulebook import language
from bullring.arena.games.rulebook.language import spoken
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.match.records.reader import Lines
from bullring.arena.watching.page.page import page as made
from bullring.arena.watching.page.page import shared
from bullring.ladder.store.home import Home
from bullring.ladder.watching.site.folder import Folder
from bullring.ladder.watching.site.site import Report
from tests.arena.watching.page.matches import analysis_of, played, renamed
from tests.languages.catalogue import MARKED, Check
from tests.languages.test_ladders import RECORDED, TERMS, home_fixture
from tests.languages.test_tables import NAMES
from tests.support.browser import browser_fixture, looking

__all__ = ["browser_fixture", "home_fixture"]

pytestmark = [pytest.mark.xdist_group("chromium"), pytest.mark.slow]

TEXTS = """() => {
  const found = new Set();
  const hidden = "script, style, noscript, svg.defs, code, kbd";
  for (const item of document.querySelectorAll("body, body *")) {
    if (item.closest(hidden) || item.closest("[lang]").lang !== document.documentElement.lang) continue;
    for (const name of ["aria-label", "aria-valuetext", "title", "alt", "placeholder"]) found.add(item.getAttribute(name) ?? "");
    for (const node of item.childNodes) if (node.nodeType === 3) found.add(node.textContent.trim());
  }
  return [...found, document.title];
}"""
"""Each text for people that is in the page now, shown or not."""

WALK = f"""(steps) => {{
  const found = new Set(), look = {TEXTS};
  for (let step = 0; step < steps; step++) {{
    document.body.dispatchEvent(new KeyboardEvent("keydown", {{ key: "ArrowRight", bubbles: true }}));
    for (const text of look()) found.add(text);
  }}
  return [...found];
}}"""

BY_BROWSER = ("and", "at", "am", "pm", *month_name[1:], *month_abbr[1:], *day_name)
"""Words that the browser puts between names and into dates, in English where it does not know the language."""


@pytest.fixture(autouse=True)
def _asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages open in the language of the test."""
    monkeypatch.setattr(language, "_asked", True)


def look(browser: Browser, file: Path, link: str = "", **options: Any) -> AbstractContextManager[Page]:
    """A page as readers of the language of the test see it."""
    return looking(browser, file, link, locale="de-DE" if spoken().code == "de" else "en-GB", **options)


def judge(whole: Check, texts: Iterable[str], *names: str) -> None:
    """Assert that these texts are wholly in the language."""
    whole("\n".join(sorted({*texts})), *(BY_BROWSER if spoken().code == MARKED else ()), *names)


@pytest.mark.parametrize("game", GAMES)
def test_every_step_of_a_match(game: str, browser: Browser, tmp_path: Path, whole: Check) -> None:
    original = played(tmp_path, game)
    lines = renamed(original, NAMES[:4])
    file = tmp_path / "match.html"
    file.write_text(made(lines, analysis_of(original) if game == "standard" else None), "utf-8")
    with look(browser, file, "#d0t0") as page:
        page.keyboard.press("h")
        judge(
            whole, page.evaluate(WALK, page.evaluate("Number(document.querySelector('input[type=range]').max)")), *WORDS
        )
        page.emulate_media(media="print")
        judge(whole, page.evaluate(TEXTS), *WORDS)
        page.emulate_media(media="screen")
        page.keyboard.press("s")
        if page.is_visible("[data-curve=win]"):
            page.click("[data-curve=win]")
        judge(whole, page.evaluate(TEXTS), *WORDS)


WORDS = ("none", "cheapest", "Elo", "JavaScript", "Bullring", "Ctrl", "Space", "Home", "End")
"""Names of programs, keys and the like."""


def test_dates_are_in_the_form_of_the_reader(browser: Browser, tmp_path: Path) -> None:
    head, rest = played(tmp_path).data.split(b"\n", 1)
    lines = Lines(json.dumps({**json.loads(head), "began": "2026-03-05T12:30:00Z"}).encode() + b"\n" + rest, 0)
    file = tmp_path / "match.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(language, "_asked", False)
        file.write_text(made(lines), "utf-8")
    for locale, date in (("de-AT", "5. März 2026"), ("en-GB", "5 March 2026"), ("en-US", "March 5, 2026")):
        with looking(browser, file, locale=locale, timezone_id="UTC") as page:
            assert date in str(page.text_content("#about"))


def test_every_page_of_a_site(browser: Browser, home: Home, tmp_path: Path, whole: Check) -> None:
    site = tmp_path / "site"
    with closing(home.store(read_only=True)) as store:
        Report(home, Folder(site)).make(store)
    beside = {
        "matches": [f"../results/{path.name}" for path in (site / "results").iterdir()],
        "replays": [f"../program/{shared()[0]}"],
    }
    for file in site.rglob("*.html"):
        with look(browser, file, beside=beside.get(file.parent.name, ())) as page:
            judge(whole, page.evaluate(TEXTS), *TERMS, *RECORDED, *WORDS, "bullring gauge", "stderr", home.name)
    with look(browser, site / "match.html", "?1-0-1", beside=["records/1-0.js"]) as page:
        judge(whole, page.evaluate(WALK, 200), *TERMS, *RECORDED, *WORDS, home.name)
