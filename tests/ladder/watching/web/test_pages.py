"""Pages of matches beside the site: whatever the front names can be looked at."""

import time
from pathlib import Path

import pytest

from bullring.arena.watching.page.preview import START
from bullring.arena.watching.web.replays import Replays
from bullring.ladder.watching.web import pages
from bullring.ladder.watching.web.pages import Allowance, Pages
from tests.ladder.homes import four, run
from tests.ladder.watching.web.test_serve import RUN


def test_a_page_stays_as_long_as_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MOST", 2)
    home = four(tmp_path / "home")
    run(home, "--matches", "3", *RUN.split())
    kept = Pages(home, home.store(read_only=True), Replays(tmp_path))
    for match in (1, 2, 1, 3):
        assert kept.keep(match)
    assert {path.name for path in (tmp_path / "tables").iterdir()} == {"1.html", "3.html"}
    assert not kept.keep(99)


def test_what_can_wait_takes_a_small_share_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    allowance = Allowance(every=2, at_once=3)
    assert [allowance.takes() for _ in range(4)] == [True, True, True, False]
    now += 4
    assert [allowance.takes() for _ in range(3)] == [True, True, False]


@pytest.mark.slow
def test_a_page_has_a_preview_where_the_server_knows_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MOST", 1)
    home = four(tmp_path / "home")
    run(home, "--matches", "2", *RUN.split())
    kept = Pages(
        home, home.store(read_only=True), Replays(tmp_path, offered=True, address="https://ladder.example.org")
    )
    assert kept.keep(1)
    page = (tmp_path / "tables" / "1.html").read_text("utf-8")
    for name, address in (("url", "tables/1"), ("image", "tables/1.png")):
        assert f'<meta property="og:{name}" content="https://ladder.example.org/{address}">' in page
    assert (tmp_path / "tables" / "1.png").read_bytes().startswith(START)
    assert kept.keep(2)
    assert not [*(tmp_path / "tables").glob("1.*")]
