"""Versions of a bot wherever standings are shown: one line that opens, and in files all of them."""

import csv
import io
import re
from contextlib import closing
from pathlib import Path

import pytest
from textual.pilot import Pilot

from bullring.ladder.standings.lines import lines
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import BotRow, Entry, State
from bullring.ladder.watching.screens.watch import WatchApp
from bullring.ladder.watching.site.folder import Folder
from bullring.ladder.watching.site.site import Report
from tests.arena.watching.screens.showing import run, until
from tests.ladder.homes import ladder, told
from tests.ladder.stored import match_of, played
from tests.ladder.watching.screens.test_watch import ladder as screen
from tests.ladder.watching.screens.test_watch import shown


@pytest.fixture(name="home", scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Three versions of mine, of which the newest plays, and another bot."""
    home = Home.create(tmp_path_factory.mktemp("versions") / "home", ["10s"])
    with closing(home.store()) as store:
        store.add_bot("ann", "true")
        for version in (1, 2, 3):
            store.add_bot(f"mine v{version}" if version > 1 else "mine", "true", entry=Entry("mine", version))
        for bots in ((1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (4, 1)):
            played(store, match_of(store, bots))
    return home


def row(version: int, state: State, name: str = "mine") -> BotRow:
    return BotRow(version, f"{name} v{version}", "", state, "", 0, entry=Entry(name, version))


@pytest.mark.parametrize(
    ("states", "wanted"),
    [
        (("older", "older", "active"), {3: [2, 1]}),
        (("older", "active", "active"), {2: [], 3: [1]}),
        (("active", "retired", "benched"), {1: [2], 3: []}),  # that one is benched is news
        (("removed", "benched", "retired"), {2: [3, 1]}),
        (("removed", "retired", "removed"), {3: [2, 1]}),
    ],
)
def test_versions_that_do_not_play_are_folded_into_one_that_does(
    states: tuple[State, ...], wanted: dict[int, list[int]]
) -> None:
    rows = [row(version, state) for version, state in enumerate(states, 1)]
    found = lines([*rows, row(1, "removed", "other")], lambda row: row.bot)
    assert [line.row.bot for line in found[-1:]] == ["other"]
    assert {line.row.version: [other.version for other in line.folded] for line in found[:-1]} == wanted


def test_the_table_has_a_line_for_each_bot_and_opens(home: Home) -> None:
    closed = ladder("table", home=home).stdout
    assert re.search(r"mine v3 \+2 ", closed)
    assert "mine v2" not in closed
    assert "+N: N more versions that do not play" in closed
    opened = ladder("table", "--versions", home=home).stdout
    assert re.search(r"mine v3 .*\n +mine v2 \(older\) .*\n +mine \(older\) ", opened)
    assert "+N" not in opened


def test_files_have_all_versions(home: Home) -> None:
    rows = told("table", "--format", "json", home=home)["rows"]
    table = list(csv.DictReader(io.StringIO(ladder("table", "--format", "csv", home=home).stdout)))
    found = {row["bot"]: (row["name"], row["version"], row["state"], bool(row["rating"])) for row in rows}
    assert found["mine"] == ("mine", 1, "older", True)
    assert found["mine v3"] == ("mine", 3, "active", True)
    assert [(row["bot"], row["name"], int(row["version"])) for row in table] == [
        (row["bot"], row["name"], row["version"]) for row in rows
    ]
    assert [row["bot"] for row in rows if row["place"]] == [row["bot"] for row in rows if row["state"] == "active"]


def test_the_site_opens_without_a_script(home: Home, tmp_path: Path) -> None:
    with closing(home.store(read_only=True)) as store:
        Report(home, Folder(tmp_path / "site"), 0).make(store)
    for page in ("lists/1.html", "index.html"):
        text = (tmp_path / "site" / page).read_text()
        assert len(re.findall(r"<th[^>]*><a [^>]*>mine v3</a>(?:<small.*?</small>)?<details", text)) >= 1, page
        assert not re.search(r"<th[^>]*><a [^>]*>mine</a>", text), page
        for opened in re.findall(r"<details.*?</details>", text):
            assert re.findall(r"<li><a [^>]*>(.*?)</a>", opened) == ["mine v2", "mine"], page


def test_a_key_opens_the_versions_on_the_full_screen(home: Home) -> None:
    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        await until(lambda: "mine v3 +2" in shown(app))
        assert "v all versions" in shown(app)
        await pilot.press("v")
        assert "mine v2 (older)" in shown(app)
        assert "v one line a bot" in shown(app)
        await pilot.press("v")
        assert "mine v2 (older)" not in shown(app)

    run(screen(home), steps)
