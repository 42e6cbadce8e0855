"""The column `house` of a ladder's table: what bots are worth against the house, beside their rating."""

import csv
import io
import json
from contextlib import closing
from pathlib import Path

import pytest

from bullring.arena.games.rules.registry import find
from bullring.arena.study.house.luck import Luck
from bullring.ladder.gauge.file import Entrant, Kept
from bullring.ladder.gauge.score import Sample
from bullring.ladder.store.home import Home
from tests.ladder.homes import home_with, ladder, tiny, told
from tests.support.command import here

GAME = find("standard")(2, {"deals": 1})


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with a list for the standard game with two seats."""
    home = home_with(tmp_path / "home", {"a": tiny("first"), "b": tiny("last")})
    with closing(home.store()) as store:
        store.list_of(GAME.id, GAME.options, GAME.seats)
    return home


def keep(home: Home, name: str, *, hash: str | None = None, shares: tuple[float, ...] = (0.4, 0.6) * 20) -> Path:
    """Keep matches of a bot with these shares of points. Returns the file."""
    with closing(home.store(read_only=True)) as store:
        bot = Entrant(name, store.bot(name).contents.hash if hash is None else hash)
    kept = Kept.at_home(home, GAME)
    assert kept is not None
    for share in shares:
        kept.add(bot, Sample(0, Luck((0.0, share), (0.0, 0.0), (0.0, 0.0), 10.0), 0, 0.5))
    (path,) = home.gauges.iterdir()
    return path


def test_a_table_has_the_column_only_if_a_bot_was_gauged_there(home: Home) -> None:
    before = ladder("table", home=home).output
    rated = told("table", "--format", "json", home=home)["rows"]
    assert "house" not in before
    keep(home, "a")
    shown = ladder("table", home=home)
    title, *_ = shown.stdout.splitlines()[1:]
    assert title.split()[-1] == "house"
    assert next(words for line in shown.stdout.splitlines()[2:] if "a" in (words := line.split()))[-2] == "+0"
    assert "not part of the ladder's rating" in " ".join(shown.stdout.split())
    rows = told("table", "--format", "json", home=home)["rows"]
    of = {row["bot"]: (row.pop("house"), row.pop("house_error")) for row in rows}
    assert of["a"] == (pytest.approx(0, abs=1e-6), pytest.approx(22.5, abs=1.5))
    assert of["b"] == (None, None)
    assert rows == rated  # nothing of it is in the rating
    parsed = csv.DictReader(io.StringIO(ladder("table", "--format", "csv", home=home).stdout))
    assert [bool(row["house"]) for row in parsed] == [True, False]
    assert "| house | house_error |" in ladder("table", "--format", "markdown", home=home).stdout


def test_a_bot_whose_files_have_changed_and_other_tables_are_not_shown(home: Home) -> None:
    keep(home, "a", hash="sha256:another")
    other = Kept.at_home(home, find("standard")(2, {"deals": 2}))
    assert other is not None
    with closing(home.store(read_only=True)) as store:
        now = Entrant("a", store.bot("a").contents.hash)
    other.add(now, Sample(0, Luck((0.0, 0.5), (0.0, 0.0), (0.0, 0.0), 10.0), 0, 0.5))
    assert len(list(home.gauges.iterdir())) == 2
    assert "house" not in ladder("table", home=home).output


def test_a_bot_ahead_of_all_seats_has_no_finite_elo(home: Home) -> None:
    keep(home, "a", shares=(1.0,) * 3)
    assert "?" in ladder("table", home=home).stdout
    assert told("table", "--format", "json", home=home)["rows"][0]["house"] is None


@pytest.mark.parametrize("damage", [b"\x00nonsense\n", "folder", "who", "sample"], ids=lambda part: str(part)[:9])
def test_a_damaged_file_costs_the_column_and_not_the_table(home: Home, damage: bytes | str) -> None:
    before = ladder("table", home=home).stdout
    path = keep(home, "a")
    line = json.loads(path.read_text().splitlines()[0])
    if damage == "folder":
        path.unlink()
        path.mkdir()
    elif isinstance(damage, str):
        part = {"bot": {"name": ["a"]}} if damage == "who" else {"sample": {"seat": "x"}}
        path.write_text(json.dumps(line | part) + "\n")
    else:
        path.write_bytes(path.read_bytes() + damage)
    done = ladder("table", home=home)
    assert done.exit_code == 0
    assert done.stdout == before
    (said,) = done.stderr.splitlines()
    assert said.startswith(f'bullring: column "house" omitted: {path}')


def test_a_gauge_of_a_home_is_kept_there_and_goes_on(home: Home) -> None:
    wish = ("gauge", "a", "--home", str(home.path), "--seats", "2", "--matches", "1", "--json")
    for played in (1, 2):
        done = here(*wish)
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout.splitlines()[-1])["matches"] == played
    assert "house" in ladder("table", home=home).stdout
    with home.locked():
        assert "another ladder" in here(*wish).output


def test_a_gauge_of_a_home_takes_its_bots_as_they_were_added(home: Home) -> None:
    wish = ("gauge", "--home", str(home.path), "--seats", "2")
    assert "there is no bot 'c'" in here(*wish, "c").output
    assert "cannot be used with --home" in here(*wish, "a", "--time", "1s").output
    assert here("bots", "retire", "a", "--home", str(home.path)).exit_code == 0
    assert "is retired and does not play" in here(*wish, "a").output
