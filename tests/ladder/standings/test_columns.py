"""A column is one entry: whatever shows standings has it, and a home that was written before adds up what it needs."""

import csv
import io
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import DEFAULT, LANGUAGES
from bullring.arena.match.cost import Spent
from bullring.cli.program import program as cli
from bullring.ladder.standings import conduct
from bullring.ladder.standings.columns import COLUMNS, Column, rating_text
from bullring.ladder.standings.lines import lines_of
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.add import add
from bullring.ladder.store.home import Home
from bullring.ladder.watching.display.plain import print_ladder
from bullring.ladder.watching.site.folder import Folder
from bullring.ladder.watching.site.site import Report
from bullring.ladder.watching.site.words import title
from docgen import tables
from tests.ladder.homes import bots, ladder, told
from tests.ladder.stored import match_of, played
from tests.ladder.watching.site.homes import home_of

PLACE = Column(
    "mean_place",
    "mean place",
    "Place at the table, from 1, on average.",
    "{:.2f}".format,
    lambda row: row.sums["places"] / row.matches if row.matches else None,
    site_title="average place",
    pages=("front", "bot"),
    sums={"places": lambda seat: seat.rank},
)


@pytest.fixture(name="home", scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home whose sums were stored before there was the column."""
    home = home_of(tmp_path_factory.mktemp("columns") / "home")
    with closing(home.store()) as store, store.change():
        conduct.write(store)
    return home


@pytest.fixture
def added() -> Iterator[None]:
    """Add the column, and take it away in the end."""
    COLUMNS.append(PLACE)
    yield
    COLUMNS.remove(PLACE)


def places(home: Home) -> dict[str, float]:
    """The mean place of each bot that has played, from its matches."""
    with closing(home.store(read_only=True)) as store:
        names = {row.id: row.name for row in store.bots()}
        matches = [match for match in store.matches() if match.counted]
    ranks = {
        name: [seat.rank for match in matches for seat in match.seats if seat.bot == bot] for bot, name in names.items()
    }
    return {name: sum(own) / len(own) for name, own in ranks.items()}


@pytest.mark.usefixtures("added")
def test_a_new_column_is_everywhere_and_nothing_else_vanishes(home: Home, tmp_path: Path) -> None:
    rows = told("table", "--format", "json", home=home)["rows"]
    assert {row["bot"]: row["mean_place"] for row in rows} == pytest.approx(places(home))
    shown = ladder("table", home=home).stdout
    csv_rows = list(csv.DictReader(io.StringIO(ladder("table", "--format", "csv", home=home).stdout)))
    assert [float(row["mean_place"]) for row in csv_rows] == pytest.approx(
        [row["mean_place"] for row in rows], rel=1e-5
    )
    assert "| mean_place" in ladder("table", "--format", "markdown", home=home).stdout
    with closing(home.store(read_only=True)) as store:
        Report(home, Folder(tmp_path / "site")).make(store)
    front, listed, bot = (
        (tmp_path / "site" / page).read_text() for page in ("index.html", "lists/1.html", "bots/1.html")
    )
    for column in [column for column in COLUMNS if column.always]:
        assert column.wide or column.title in shown or not any(row[column.key] for row in rows)
        assert title(column) in listed
        assert (column.site_title or column.title) in title(column)
        assert (f">{title(column)}<" in front.partition("</thead>")[0]) == ("front" in column.pages)
        assert title(column) in bot or "bot" not in column.pages
        assert f"| {column.meaning} |" in tables.standings()
    for place in places(home).values():
        assert f">{place:.2f}<" in front
        assert f"{place:.2f}" in shown


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != DEFAULT])
def test_only_columns_are_translated_and_one_without_a_translation_has_its_english_title(code: str) -> None:
    texts = LANGUAGES[code].topic("columns")
    assert texts["titles"].keys() <= {column.key for column in COLUMNS}
    assert texts["error_titles"].keys() <= {column.key for column in COLUMNS if column.error_title}
    assert title(PLACE) == "average place"


@pytest.mark.parametrize("columns", [120, 80, 40])
def test_a_narrow_table_keeps_places_names_and_ratings(home: Home, columns: int) -> None:
    with closing(home.store(read_only=True)) as store:
        standings = Standings(store, store.lists()[0])
        console = Console(width=columns, record=True, file=io.StringIO())
        with console.capture() as shown:
            print_ladder(home, standings, console)
    _, heads, *lines = shown.get().splitlines()
    assert heads.split()[:3] == ["bot", "rating", "±95%"]
    assert ("p99" in heads) == (columns >= 80)
    placed = [line.row for line in lines_of(standings.rows()) if line.row.place]
    for row, line in zip(placed, lines, strict=False):
        name = harmless(row.bot)
        assert re.match(rf" *{row.settled or ''} *{re.escape(name[:6])}.* {re.escape(rating_text(row))} ", line), line


def test_sums_are_stored_again_once_they_are_of_another_version(home: Home) -> None:
    def stored() -> tuple[str, int]:
        with closing(home.store(read_only=True)) as store:
            version, upto, texts = store.conduct(1)
            assert len(texts) == len(places(home))
            return version, upto

    rows = told("table", "--format", "json", home=home)["rows"]
    version, upto = stored()
    for other in ("1 faults.1", ""):
        with closing(sqlite3.connect(home.database)) as db, db:
            db.execute("UPDATE meta SET value = ? WHERE key = 'conduct 1'", (f"{upto} {other}".rstrip(),))
            db.execute("UPDATE conduct SET sums = '[0]'")
        assert told("table", "--format", "json", home=home)["rows"] == rows
        with closing(home.store()) as store, store.change():
            conduct.write(store)
        assert stored() == (version, upto)


def test_bots_that_count_plain_time_are_named_and_told_what_to_call(tmp_path: Path) -> None:
    home = Home.create(tmp_path / "home", ["10s"])
    with closing(home.store()) as store:
        for bot in ("mine", "other"):
            (tmp_path / bot).mkdir()
            (tmp_path / bot / "bot.py").touch()
            (tmp_path / bot / "bot.toml").write_text(f'name = "{bot}"\nrun = ["{{python}}", "bot.py"]\n')
            add(home, store, str(tmp_path / bot))
        for _ in range(12):
            match = match_of(store, (1, 2))
            noted = [replace(seat, spent=Spent(1, 1, 0, 2, grew=3 * (seat.bot - 1))) for seat in match.seats]
            played(store, replace(match, seats=noted))
    shown = " ".join(ladder("table", home=home).output.split())
    assert "mine seems to count plain time" in shown
    assert "other seems" not in shown
    shown = " ".join(bots("show", "mine", home=home).output.split())
    assert "in 24 of 24 telling pairs of decisions it thought much less" in shown
    assert "measure your thinking by time.process_time()" in shown
    assert "clock" not in bots("show", "other", home=home).output
    wide = CliRunner(env={"COLUMNS": "250"})
    table = wide.invoke(cli, ["ladder", "table", "--lang", "de", "--home", str(home.path)]).output
    assert [line.split()[0] for line in table.splitlines() if "gewöhnlich " in line] == [
        "mine"
    ]  # its place is provisional
