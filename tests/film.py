"""A film strip: pictures of a match that is played, as its page shows it in a browser. `python -m tests.film FOLDER` writes them.

One strip for each screen, colour scheme and language: seats that think, cards turned up, laid, a row that falls, heads taken,
and the end.
"""

import sys
from base64 import b64encode
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from bullring.arena.match.records.reader import read_lines
from docgen.pictures import MIDDLE, RECORD
from tests.support.browser import chromium
from tests.support.patience import PATIENCE
from tests.support.stage import Stage, staged

SCREENS = {"desk": {"width": 1400, "height": 900}, "phone": {"width": 390, "height": 844}}

STEPS = ("Revealed", "Laid", "Falls", "Took")
"""The steps of a turn that are taken as pictures."""

WIDTH = 2200
"""Pixels of the widest strip, about."""

CLOCK = {"seats": {"0": 6.4, "1": 3.1, "3": 8.8}, "limit": 10}


def main(folder: Path) -> None:
    """Write all strips."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for screen, viewport in SCREENS.items():
            for scheme in ("light", "dark"):
                for language in ("en", "de"):
                    options: dict[str, Any] = {"viewport": viewport, "color_scheme": scheme, "locale": language}
                    path = folder / f"{screen}-{scheme}-{language}.png"
                    path.write_bytes(strip(browser, filmed(browser, options), viewport["width"]))
                    print(path)
        browser.close()


def filmed(browser: Browser, options: dict[str, Any]) -> list[bytes]:
    """The pictures of a match, each taken when its step is shown and nothing moves any more."""
    stage = Stage(read_lines(RECORD))
    stage.play(MIDDLE - 4, CLOCK)
    while not all(stage.frames[-1]["picture"]["seats"]["asked"]):
        stage.play(1, CLOCK)
    context = browser.new_context(reduced_motion="reduce", **options)
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    with staged(stage) as address:
        page.goto(address)
        arrive(page, len(stage.frames) - 1)
        page.wait_for_selector(".seat[data-seat='3'] .asked:not(:empty)")
        pictures = [page.screenshot()]
        before = len(stage.frames)
        stage.play_until("Took")
        page.keyboard.press("Space")  # step by step from here on
        kinds = [frame["step"]["is"] for frame in stage.frames[before:]]
        for at in sorted(before + kinds.index(kind) for kind in STEPS):
            while int(page.evaluate("document.documentElement.dataset.step")) < at:
                page.keyboard.press("ArrowRight")
            pictures.append(page.screenshot())
        stage.play(1000)
        page.wait_for_selector("#live.over")
        page.keyboard.press("End")
        arrive(page, len(stage.frames) - 1)
        pictures.append(page.screenshot())
    context.close()
    return pictures


def arrive(page: Page, step: int) -> None:
    """Wait until a step is shown."""
    page.wait_for_selector(f"html[data-step='{step}']", state="attached")


def strip(browser: Browser, pictures: list[bytes], width: int) -> bytes:
    """Pictures side by side, half as large."""
    across = min(len(pictures), WIDTH // (width // 2))
    page = browser.new_page(viewport={"width": across * (width // 2 + 8) + 8, "height": 200})
    images = "".join(
        f'<img width="{width // 2}" src="data:image/png;base64,{b64encode(one).decode()}">' for one in pictures
    )
    grid = (
        f"margin: 8px; display: grid; gap: 8px; grid-template-columns: repeat({across}, max-content); background: #222"
    )
    page.set_content(f'<body style="{grid}">{images}')
    found = page.screenshot(full_page=True)
    page.close()
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/film"))
