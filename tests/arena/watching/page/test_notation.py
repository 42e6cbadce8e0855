"""Matches drawn from their notation show the same as from their frames, in every game."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from bullring.arena.games.rulebook.language import LANGUAGES
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.watching.page.notation import Shelf
from bullring.arena.watching.page.page import facts_of, said_of_all, script
from bullring.arena.watching.picture.frames_json import written
from tests.arena.games.rules.toy import Toy
from tests.arena.watching.page.matches import QUICK, played, renamed

pytestmark = pytest.mark.xdist_group("chromium")

SHOWN = ("board", "deal", "turn", "planned", "target", "falling", "taken", "deals", "over", "void")
OF_SEATS = ("score", "cards", "left", "rank", "person", "took", "faults", "closed", "figures")

TELL = """([program, shelf, viewer]) =>
  new Function("viewer", "shelf", `${program}; return toldAs(shelf, "7");`)(viewer, shelf)"""


@pytest.fixture(name="page", scope="module")
def _page(browser: Browser) -> Page:
    return browser.new_page()


def told(data: dict[str, Any], code: str) -> list[Any]:
    """What the page shows of each step in which something happens, and what it says in a language."""
    found = []
    for frame in data["frames"]:
        step, picture = frame["step"]["is"], frame["picture"]
        if step != "Asked":
            seats = {key: picture["seats"][key] for key in OF_SEATS}
            found.append([step, frame["said"][code], {key: picture[key] for key in SHOWN}, seats])
    return found


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game in QUICK else pytest.mark.slow) for game in [*GAMES, "toy"]]
)
@pytest.mark.parametrize("seats", [2, 5])
def test_a_match_is_told_as_from_its_frames(
    page: Page, tmp_path: Path, game: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, "toy", Toy)
    lines = played(tmp_path, game, seats)
    names = [f"<b>{chr(97 + seat)}</b>[x|y]{{0}}" for seat in range(len(facts_of(lines, None)["names"]))]
    lines = renamed(lines, names)
    shelf = Shelf()
    shelf.add(7, lines, [*range(len(names))])
    wanted = json.loads(written(facts_of(lines, None)))
    found = page.evaluate(TELL, [script("notation"), json.loads(written(shelf.facts())), said_of_all()])
    assert found["names"] == names
    for code in LANGUAGES:
        for one, other in zip(told(found, code), told(wanted, code), strict=True):
            assert one == other
