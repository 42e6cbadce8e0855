"""One rating over the lists of a home: on the terminal, in files, in the API and on the site."""

import csv
import io
import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from rich.console import Console

import bullring
from bullring.arena.games.rulebook.language import in_all
from bullring.arena.games.rules.registry import find
from bullring.errors import LadderError
from bullring.ladder.standings.overall import Overall
from bullring.ladder.standings.shares import Shares
from bullring.ladder.store.home import Home
from bullring.ladder.store.store import Store
from bullring.ladder.watching.display.tables import standings_table
from bullring.ladder.watching.site.folder import Folder
from bullring.ladder.watching.site.site import Report
from tests.ladder.homes import ladder, told
from tests.ladder.stored import match_of, played

STANDARD, TACTICS = "standard, 3 seats, deals 1", "tactics, 3 seats"


def add(store: Store, game: str, tables: Sequence[tuple[int, ...]]) -> None:
    """Play tables, of each four the first one as it is, and the others with the first seat as the winner of the last."""
    seats = len(tables[0])
    list_ = store.list_of(game, find(game)(seats, {"deals": 1} if game == "standard" else {}).options, seats)
    for at, bots in enumerate(tables):
        ranks = [*range(1, seats + 1)] if at % 4 else [*range(seats, 0, -1)]
        played(store, replace(match_of(store, bots, ranks=ranks), list=list_.id))


@pytest.fixture(name="home", scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Bot a is the best at one game, b at the other, which has fewer matches; d plays only one of them, and e nothing."""
    home = Home.create(tmp_path_factory.mktemp("overall") / "home", ["10s"])
    with closing(home.store()) as store:
        for name in ("a", "b", "c", "\x1b[2Jd", "e"):
            store.add_bot(name, "a program")
        add(store, "standard", [(1, 2, 3), (1, 2, 4), (1, 3, 4), (2, 3, 4)] * 30 + [(1, 2, 3)] * 40)
        add(store, "tactics", [(2, 1, 3)] * 40)
    return home


def test_the_overall_rating_is_the_mean_of_those_in_the_lists(home: Home) -> None:
    found = told("table", "--overall", "--format", "json", home=home)
    alone = {
        game: {
            row["bot"]: row["rating"] for row in told("table", "--game", game, "--format", "json", home=home)["rows"]
        }
        for game in ("standard", "tactics")
    }
    rows = {row["bot"]: row for row in found["rows"]}
    assert found["overall"]["shares"] == {STANDARD: 0.5, TACTICS: 0.5}
    for bot in "abc":
        one, other = alone["standard"][bot], alone["tactics"][bot]
        assert rows[bot]["ratings"] == {STANDARD: one, TACTICS: other}
        assert rows[bot]["rating"] - rows["a"]["rating"] == pytest.approx(
            (one + other - alone["standard"]["a"] - alone["tactics"]["a"]) / 2
        )
    assert [rows["a"]["matches"], rows["c"]["matches"]] == [170, 170]
    assert [row["place"] for row in found["rows"]] == [1, 2, 3, None, None]
    assert found["places"]["text"].endswith("decided, 1 and 2 are open.")


@pytest.mark.parametrize("anchor", [(), ("--anchor", "c")])
def test_it_is_so_whatever_anchors_the_lists_have(home: Home, tmp_path: Path, anchor: tuple[str, ...]) -> None:
    copy = Home(shutil.copytree(home.path, tmp_path / "home"))
    with closing(copy.store()) as store:
        store.set_anchor(1, 2)
    for row in told("table", "--overall", *anchor, "--format", "json", home=copy)["rows"][:3]:
        assert row["rating"] == pytest.approx(sum(row["ratings"].values()) / 2)
        for game in (STANDARD, TACTICS):
            alone = told("table", "--game", game.split(",")[0], *anchor, "--format", "json", home=copy)["rows"]
            assert row["ratings"][game] == pytest.approx(
                next(one["rating"] for one in alone if one["bot"] == row["bot"])
            )


def test_a_bot_that_has_not_played_in_every_list_has_no_overall_rating_and_is_named(home: Home) -> None:
    found = told("table", "--overall", "--format", "json", home=home)
    rows = {row["bot"]: row for row in found["rows"]}
    assert found["overall"]["missing"] == ["\x1b[2Jd", "e"]
    assert (rows["\x1b[2Jd"]["rating"], rows["\x1b[2Jd"]["place"]) == (None, None)
    assert rows["\x1b[2Jd"]["ratings"][STANDARD] is not None
    said = " ".join(ladder("table", "--overall", home=home).stdout.split())
    assert r"\x1b[2Jd and e have no overall rating, which takes matches in every list." in said


def test_tables_files_and_the_api_have_the_ratings_in_each_list(home: Home) -> None:
    shown = ladder("table", "--overall", home=home).stdout
    assert shown.startswith(f"overall: {STANDARD}; {TACTICS}")
    assert not any(title in shown for title in ("heads", "wins"))
    rows = bullring.Ladder(home.path).overall()
    printed = list(csv.DictReader(io.StringIO(ladder("table", "--overall", "--format", "csv", home=home).stdout)))
    for row, one in zip(rows, printed, strict=True):
        if row.rating is not None:
            assert f"{row.rating:.0f}" in shown
            assert float(one["rating"]) == pytest.approx(row.rating, rel=1e-5)
            assert float(one[f"rating_{TACTICS}"]) == pytest.approx(row.ratings[TACTICS], rel=1e-5)
    with closing(home.store(read_only=True)) as store:
        many = [
            replace(row, ratings={f"game {at}, 4 seats": 1500.0 for at in range(9)})
            for row in Overall.of(store, store.lists()).rows()
        ]
    narrow = Console(width=80, record=True, file=io.StringIO())
    narrow.print(standings_table(many, width=80))
    shown = narrow.export_text()
    assert all(title in shown for title in (" a ", "rating ±95%", "places")), "columns of lists go before others do"
    assert f"| rating_{TACTICS} |" in ladder("table", "--overall", "--format", "markdown", home=home).stdout
    anchored = told("table", "--overall", "--anchor", "c", "--format", "json", home=home)
    assert {row["bot"]: row["rating"] for row in anchored["rows"]}["c"] == 1500
    assert [row["error"] for row in anchored["rows"]] == pytest.approx([row.error for row in rows])


def test_a_list_without_a_match_is_not_to_be_chosen_from(tmp_path: Path) -> None:
    home = Home.create(tmp_path / "home", ["10s"])
    with closing(home.store()) as store:
        for name in "abc":
            store.add_bot(name, "a program")
        store.list_of("tactics", find("tactics")(3, {}).options, 3)
        add(store, "standard", [(1, 2, 3)] * 4)
    ladder_ = bullring.Ladder(home.path)
    assert len(ladder_.lists()) == 2
    assert [row.bot for row in ladder_.table()] == [
        row["bot"] for row in told("table", "--format", "json", home=home)["rows"]
    ]


def test_lists_can_be_chosen_and_those_of_a_game_share_what_it_counts(home: Home, tmp_path: Path) -> None:
    (one,) = told("table", "--overall", "--game", "tactics", "--format", "json", home=home)["overall"]["shares"].items()
    assert one == (TACTICS, 1.0)
    assert "no list fits" in ladder("table", "--overall", "--seats", "9", home=home).stderr
    with closing(home.store(read_only=True)) as store, pytest.raises(LadderError, match="no bot 'z' on this ladder"):
        Overall.of(store, store.lists(), "z")
    other = Home.create(tmp_path / "home", ["10s"])
    with closing(other.store()) as store:
        for name in ("a", "b"):
            store.add_bot(name, "a program")
        assert Overall.of(store, []).rows()[0].rating is None
        add(store, "standard", [(1, 2)] * 8)
        add(store, "tactics", [(1, 2)] * 8)
        played(store, match_of(store, (2, 1)))
        list_ = store.list_of("standard", find("standard")(2, {"deals": 2}).options, 2)
        played(store, replace(match_of(store, (2, 1)), list=list_.id))
        shares = Overall.of(store, store.lists()).outlook().overall
    assert shares is not None
    assert sorted(shares.shares.values()) == [0.25, 0.25, 0.5]


def test_the_front_of_a_site_has_it_after_the_largest_list_if_there_are_several(home: Home, tmp_path: Path) -> None:
    with closing(home.store(read_only=True)) as store:
        Report(home, Folder(tmp_path / "site")).make(store)
    page = unescape((tmp_path / "site" / "index.html").read_text())
    overall = page.index("Overall")
    assert page.index('<h2><a href="lists/') < overall
    section = page[overall : page.index("</section>", overall)]
    for row in told("table", "--overall", "--format", "json", home=home)["rows"]:
        if row["rating"] is not None:
            assert f"<td>{row['rating']:.0f}<" in section.replace(" <small>", "<")
    assert "Jedes Spiel zählt gleich viel" in section
    assert "Overall" not in (tmp_path / "site" / "lists" / "1.html").read_text()


@pytest.mark.parametrize("count", [0, 1, 5, 6, 9])
def test_missing_bots_are_named_or_counted(count: int) -> None:
    shares = Shares({"a list": 1.0}, [f"bot{number}" for number in range(count)])
    said = shares.said()
    assert said.count("bot") == min(count, 5)
    assert ("and 1 other have" in said) == (count == 6)
    assert ("and 4 others have" in said) == (count == 9)
    assert all(in_all(shares.said).values())
