"""A headless Chromium for tests of pages: one for all tests of a module, driven by Playwright, without downloads."""

import os
import re
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.support.engine import MUST
from tests.support.patience import PATIENCE
from tests.support.proxies import NAME

BEFORE = """addEventListener("securitypolicyviolation", (event) => console.error("CSP", event.violatedDirective));
if (location.protocol === "file:") localStorage.clear();"""
"""Runs before a page: what breaks its policy is told, and it remembers nothing of the test before."""


def chromium() -> str | None:
    """The path of the browser; None: it is not installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module", name="browser")
def browser_fixture() -> Iterator[Browser]:
    """The browser. Tests that take it belong to the group "chromium", so that only one worker starts it.

    It ends with its module, because Playwright keeps an event loop running, beside which no other test could run one.
    """
    path = chromium()
    if path is None:
        why = "no Chromium; on Debian: apt install chromium"
        if os.environ.get(MUST):
            pytest.fail(why)
        pytest.skip(why)
    with sync_playwright() as playwright:
        known = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", known])
        yield browser
        browser.close()


def until(page: Page, expression: str) -> None:
    """Wait until an expression holds on a page. Playwright's own way asks within the page, whose policy forbids that."""
    while not page.evaluate(expression):
        page.wait_for_timeout(10)


SCREEN = {"width": 1200, "height": 900}


@dataclass
class Seen:
    """Messages and requests of a page, beside showing itself."""

    said: list[str] = field(default_factory=list)
    """Messages on its console, errors among them."""
    asked: list[str] = field(default_factory=list)
    """Addresses that it asked for."""


@contextmanager
def looking(
    browser: Browser, path: Path, link: str = "", *, beside: Collection[str] = (), **options: Any
) -> Iterator[Page]:
    """The page in this file; at the end it must not have said or asked for anything but the files `beside` it.

    `options` are those of Playwright's contexts, such as `viewport` and `color_scheme`. Tests with the same options share a tab,
    because a new one takes longer than most tests.
    """
    seen = Seen()
    listeners: dict[Any, Any] = {
        "console": lambda message: seen.said.append(message.text),
        "pageerror": lambda error: seen.said.append(str(error)),
        "request": lambda request: seen.asked.append(request.url),
    }
    page = _tab(browser, {"viewport": SCREEN, "locale": "en-GB", "reduced_motion": "reduce", **options})
    page.goto("about:blank")
    for event, listener in listeners.items():
        page.on(event, listener)
    try:
        page.goto(f"{path.as_uri()}{link}")
        if page.locator("html[data-bullring=replay]").count():  # which unpacks its frames first
            page.wait_for_selector("html[data-step]", state="attached")
        yield page
    finally:
        page.emulate_media(media="null")  # the next test has the same tab
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
    assert seen.said == [], seen.said
    asked = {re.split("[?#]", url)[0] for url in seen.asked}
    assert asked == {path.as_uri(), *((path.parent / name).resolve().as_uri() for name in beside)}, asked


AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")


def violations(page: Page) -> list[str]:
    """What axe-core finds that hinders people, in the page as it is: each rule with the elements that break it."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE)
    found: list[str] = page.evaluate(
        """async () => (await axe.run({ resultTypes: ["violations"] })).violations.flatMap((one) =>
          one.nodes.map((node) => `${one.id}: ${node.target} ${node.any.concat(node.all).map((each) => each.message)}`))"""
    )
    return found


LOOKS: tuple[dict[str, Any], ...] = tuple(
    {"viewport": {"width": width, "height": height}, "color_scheme": scheme, "locale": locale}
    for width, height in ((1400, 900), (390, 844))
    for scheme, locale in (("light", "en-GB"), ("dark", "de-DE"))
)
"""What pages are looked at with: a screen and a phone, light and dark."""


def name_of(look: dict[str, Any]) -> str:
    """The name of a look, for tests."""
    return f"{look['viewport']['width']}-{look['color_scheme']}"


def _tab(browser: Browser, options: dict[str, Any]) -> Page:
    for context in browser.contexts:
        if _OPTIONS.get(context) == options:
            return context.pages[0]
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE * 1000)
    context.add_init_script(BEFORE)
    _OPTIONS[context] = options
    return context.new_page()


_OPTIONS: dict[BrowserContext, dict[str, Any]] = {}
