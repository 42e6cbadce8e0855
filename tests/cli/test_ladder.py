"""The commands around a ladder as a user tries them: bots, tables, exports, and every mistake in one line."""

import csv
import io
import json
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bullring.api.ladders import Ladder
from bullring.arena.cells.sandbox import cores, threads
from bullring.arena.games.playouts import simulated
from bullring.arena.match.records.writer import encode
from bullring.arena.settings.limits import Limits
from bullring.arena.study.analysis import analyser
from bullring.cli.program import program as bullring
from bullring.errors import BotError, LadderError
from bullring.ladder.run.progress import running as running_status
from bullring.ladder.store.home import Home
from tests.ladder.homes import (
    adopt,
    bots,
    count,
    folder_of,
    four,
    home_with,
    intact,
    keep_only,
    ladder,
    left_over,
    listed,
    loaded,
    matches_of,
    put,
    run,
    running,
    tiny,
    told,
    until,
)
from tests.ladder.stored import pair_of
from tests.ladder.stored import played as stored
from tests.support.command import BULLRING, here

EVIL = "evil \x1b[31mred\x07\nline"
SHOWN = "evil \\x1b[31mred\\x07\\nline"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home on which a little was played. Only to be read."""
    entrants = {"a": tiny("first"), "evil": tiny("last"), "c": tiny("memory"), "idle": tiny("first")}
    home = home_with(tmp_path_factory.mktemp("played") / "home", entrants)
    with closing(sqlite3.connect(home.database)) as db, db:  # an older bullring allowed such names
        db.execute("UPDATE bots SET name = ?, bot = ? WHERE name = 'evil'", (EVIL, EVIL))
    assert bots("remove", "idle", home=home).exit_code == 0
    run(home, "--seats", "3", "--matches", "12", "--jobs", "1")
    assert bots("reinstate", "idle", home=home).exit_code == 0
    return home


@pytest.fixture
def copy(played: Home, tmp_path: Path) -> Home:
    """The same, to be changed."""
    shutil.copytree(played.path, tmp_path / "home")
    return Home(tmp_path / "home")


def refused(*arguments: str, home: Home | None = None, code: int = 2) -> str:
    """The message of a command that fails: one line."""
    done = ladder(*arguments, home=home)
    assert done.exit_code == code, done.output
    assert done.stdout == ""
    assert done.stderr.startswith("bullring: ")
    assert len(done.stderr.splitlines()) == 1
    return done.stderr


def test_a_home_is_made_in_an_empty_folder_and_in_no_other_one(tmp_path: Path) -> None:
    made = ladder("init", str(tmp_path / "home"), "--time", "2s", "--time", "card=3s", "--time", "start=4s")
    assert made.output == f"made the home {tmp_path}/home; next: bullring submit BOT --home {tmp_path}/home\n"
    home = Home(tmp_path / "home")
    limits = home.settings().limits
    assert limits == Limits.seconds(start=4, card=3, row=2, other=2)
    assert home.path.stat().st_mode & 0o077 == 0
    assert "is already a home" in refused("init", str(home.path))
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "years of work").touch()
    assert "is not empty" in refused("init", str(tmp_path / "thesis"))
    assert "--time" in refused("init", str(tmp_path / "new"), "--time", "soon")
    assert not (tmp_path / "new").exists()
    (tmp_path / "file").touch()
    assert "is a file; a home needs an empty or new folder" in refused("init", str(tmp_path / "file"))
    refused("init", str(tmp_path / "file" / "below"), code=1)


def test_where_limits_are_plain_time_a_home_gets_longer_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "counted", lambda: False)
    monkeypatch.setattr(cores, "share", lambda: 0.26)
    assert "so a decision gets 4s" in ladder("init", str(tmp_path / "busy")).output
    assert Home(tmp_path / "busy").settings().limits == Limits.seconds(card=4, row=4, other=4)
    ladder("init", str(tmp_path / "chosen"), "--time", "2s")
    assert Home(tmp_path / "chosen").settings().limits == Limits.seconds(card=2, row=2, other=2)


def test_a_home_is_found_from_below_by_its_variable_or_by_its_name(
    played: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "there is no home in" in refused("table")
    assert "is not a home; make one with" in refused("table", "--home", "/no/such/home")
    monkeypatch.chdir(played.records)
    assert "three at a table" in ladder("table").stdout
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BULLRING_HOME", str(played.path))
    assert "three at a table" in ladder("table").stdout
    monkeypatch.setenv("BULLRING_HOME", str(tmp_path))
    assert "is not a home; make one with" in refused("table")


def test_the_folder_of_a_bot_is_copied_and_what_is_rated_does_not_change(tmp_path: Path) -> None:
    home, source = home_with(tmp_path / "home", {}), folder_of(tmp_path / "source")
    assert adopt(home, str(source)).name == "mine"
    (source / "main.py").write_text("raise SystemExit\n")
    with closing(home.store(read_only=True)) as store:
        (row,) = store.bots()
    bot = home.bot(row)
    assert bot.program.folder.parent == home.bots
    assert (bot.program.folder / "main.py").read_text() == "print('hello')\n"
    # Changed files are another version, and the same files are none.
    assert adopt(home, str(source / "bot.toml")).name == "mine v2"
    assert (loaded(home, "mine").program.folder / "main.py").read_text() == "print('hello')\n"
    assert (loaded(home, "mine v2").program.folder / "main.py").read_text() == "raise SystemExit\n"
    with pytest.raises(LadderError, match=r"'mine' was submitted like this before: it is 'mine v2' \(active\)"):
        adopt(home, str(source))
    # Another name is another bot, and files that are the same are kept once.
    assert adopt(home, str(source), "other").name == "other"
    assert loaded(home, "other").program.folder == loaded(home, "mine v2").program.folder
    said = bots("remove", "mine", home=home).output
    assert said == f'"mine" was removed; undo: bullring bots reinstate mine --home {home.path}\n'


def test_mistakes_with_bots(copy: Home, tmp_path: Path) -> None:
    assert "must hold a bot.toml" in refused("add", str(tmp_path), home=copy)
    assert "neither a folder nor a program 'no-such-program'" in refused("add", "no-such-program", home=copy)
    assert "did you mean @greedy?" in refused("add", "greedy", home=copy)
    assert "a name is for one bot" in refused("add", "true", "false", "--name", "x", home=copy)
    around = folder_of(tmp_path / "around")
    inner = home_with(around / "home", {})
    assert "no home of a ladder" in refused("add", str(around), home=inner)
    for command in (("bots", "remove"), ("bots", "reinstate"), ("ladder", "history")):
        said = here(*command, "nobody \x1b[31m", "--home", str(copy.path)).stderr
        assert f"there is no bot 'nobody \\x1b[31m' on this ladder; its bots: a, {SHOWN}, c, idle" in said
    assert "there is no bot 'nobody'" in refused("matches", "--bot", "nobody", home=copy)


def test_a_command_line_that_ends_like_a_manifest_copies_nothing(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", {})
    adopt(home, f"{tiny()} {tmp_path}/bot.toml", "x")
    assert not any(home.bots.iterdir())
    assert loaded(home, "x").program.folder == Path.cwd()


def test_a_damaged_command_line_and_a_damaged_status_are_no_traceback(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", {})
    adopt(home, tiny(), "x")
    (command,) = (home.path / "commands").iterdir()
    for damage in ("", "[]", '{"name": "x"}'):
        command.write_text(damage)
        with pytest.raises(BotError, match="is damaged"):
            loaded(home, "x")
    for damage in ("", "[]", "{}"):
        home.running.write_text(damage)
        assert running_status(home) is None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--seats", "10"), "a table of 10 seats needs 10 active bots, and this ladder has 4 active bots"),
        (("--game", "skat"), "there is no game 'skat'"),
        (("--game", "online", "--seats", "3"), "online is for 4 seats"),
        (("--option", "deals"), "--option must be KEY=VALUE"),
        (("--option", "colour=red"), "has no option 'colour'"),
        (("--for", "soon"), "--for: a duration is a number with its unit"),
        (("--anchor", "nobody"), "there is no bot 'nobody' on this ladder"),
        (("--format", "gauntlet"), "--format gauntlet and --one BOT go together, not --format gauntlet without --one"),
        (("--one", "a"), "--format gauntlet and --one BOT go together, not --format ladder with --one"),
        (("--format", "gauntlet", "--one", "nobody"), "there is no bot 'nobody'"),
    ],
)
def test_mistakes_with_a_run(arguments: tuple[str, ...], says: str, copy: Home) -> None:
    assert says in refused("run", *arguments, home=copy)
    assert count(copy, "matches") == 12


def test_settings_and_a_database_that_cannot_be_used_are_named(copy: Home) -> None:
    settings = copy.settings_file.read_text()
    copy.settings_file.write_text("[time]\ncard = 5\n")
    assert "settings.toml: time.card" in refused("run", "--matches", "3", home=copy)
    copy.settings_file.write_text(settings)

    def overwrite(data: bytes) -> None:
        for log in copy.path.glob(f"{copy.database.name}-*"):
            log.unlink()  # of whoever had it open; it would bring some pages back
        copy.database.write_bytes(data)

    overwrite(b"years of work" * 1000)
    for command in ("table", "run", "rebuild"):
        assert f"the store {copy.database} cannot be used" in refused(command, home=copy, code=1)
    overwrite(b"")
    assert "is not the store of a ladder" in refused("table", home=copy, code=1)


def test_what_is_shown_of_strangers_is_harmless(played: Home) -> None:
    for arguments in (
        ("table",),
        ("table", "--format", "markdown"),
        ("table", "--format", "csv"),
        ("table", "--format", "json"),
        ("pairs",),
        ("matches",),
        ("export",),
    ):
        done = ladder(*arguments, home=played)
        assert done.exit_code == 0, done.output
        assert "evil" in done.stdout
        assert not set(done.output) & {"\x1b", "\x07"}
    assert EVIL in listed(played)
    for words in ((), ("show", EVIL), ("log", EVIL), ("--json",), ("log", EVIL, "--json")):
        done = bots(*words, home=played)
        assert done.exit_code == 0, done.output
        assert "evil" in done.stdout
        assert not set(done.output) & {"\x1b", "\x07"}


def test_the_table_is_the_same_in_all_its_forms(played: Home) -> None:
    facts = told("table", "--format", "json", home=played)
    assert facts["list"] == "standard, 3 seats, deals 1"
    rows = facts["rows"]
    assert [row["place"] for row in rows] == [1, 2, 3, None]
    assert {row["bot"]: row["matches"] for row in rows} == {"a": 12, EVIL: 12, "c": 12, "idle": 0}
    assert not any(row["anchor"] for row in rows)
    rated = [row for row in rows if row["matches"]]
    assert sum(row["rating"] for row in rated) / 3 == pytest.approx(1500.0)  # all have the same number of matches
    assert facts["zero"] == {"mean": 1500.0, "anchor": None, "moved": False, "given": 1500.0, "apart": False}
    assert sum(row["wins"] or 0 for row in rows) == pytest.approx(1)
    (c,) = [row for row in rows if row["bot"] == "c"]
    assert c["metrics"]["deals"] >= 1
    assert "seen_before" not in c["metrics"]
    table = list(csv.DictReader(io.StringIO(ladder("table", "--format", "csv", home=played).stdout)))
    assert [row["bot"] for row in table] == [SHOWN if row["bot"] == EVIL else row["bot"] for row in rows]
    assert [row["rating"] for row in table] == ["" if row["rating"] is None else f"{row['rating']:.6g}" for row in rows]
    title, line, *lines = ladder("table", "--format", "markdown", home=played).stdout.splitlines()
    assert len(lines) == 4
    assert {text.replace("\\|", "").count("|") for text in (title, line, *lines)} == {title.count("|")}
    assert not any(re.search(r"(?<!\\)[<`*[]", text) for text in lines)
    text = ladder("table", "--metric", "deals", home=played).stdout
    assert text.startswith("6 nimmt! / Take 6!, three at a table, 1 deal a match\n")
    assert "deals" in text.splitlines()[1]
    moved = told("table", "--format", "json", "--anchor", "c", home=played)
    other = {row["bot"]: row for row in moved["rows"]}
    assert [(row["bot"], row["rating"]) for row in moved["rows"] if row["anchor"]] == [("c", 1500.0)]
    assert moved["zero"]["mean"] == pytest.approx(3000.0 - c["rating"])
    for row in rated:
        assert other[row["bot"]]["error"] == pytest.approx(row["error"])
    said = " ".join(ladder("table", "--anchor", "c", home=played).stdout.split())
    assert "c is the anchor: it has 1500, so the mean of the list has" in said


def test_bots_are_compared_in_figures_and_in_sentences(played: Home) -> None:
    (pair,) = told("compare", "c", EVIL, "--json", home=played)
    assert (pair["bot"], pair["other"], pair["matches"]) == ("c", EVIL, 12)
    rows = {row["bot"]: row for row in told("table", "--format", "json", home=played)["rows"]}
    assert pair["elo"] == pytest.approx(rows["c"]["rating"] - rows[EVIL]["rating"])
    said = " ".join(ladder("compare", "c", EVIL, home=played).stdout.split())
    assert said == " ".join(pair["text"].split())
    assert said.endswith("they met in 12 matches")
    assert "\x1b" not in said
    assert {one["other"] for one in told("compare", "a", "--json", home=played)} == {EVIL, "c"}
    assert len(told("compare", "a", "c", EVIL, "--json", home=played)) == 3
    assert "'idle' has not played on this list" in refused("compare", "a", "idle", home=played)


def _numbers(home: Home, *options: str) -> list[int]:
    """The numbers of the matches that were played. On a busy machine they have gaps, because orders come back unplayed."""
    return [match["match"] for match in told("matches", *options, "--json", home=home)]


def test_pairs_history_and_matches_tell_the_same_story(played: Home) -> None:
    pairs = told("pairs", "--json", home=played)
    assert len(pairs) == 6
    share = {(pair["bot"], pair["other"]): pair["share"] for pair in pairs}
    for (one, other), value in share.items():
        assert value + share[other, one] == pytest.approx(1)
    assert {pair["matches"] for pair in pairs} == {12}
    points = told("history", "c", "--json", home=played)
    assert [point["matches"] for point in points] == list(range(1, 13))
    (row,) = [row for row in told("table", "--format", "json", home=played)["rows"] if row["bot"] == "c"]
    assert points[-1]["rating"] == pytest.approx(row["rating"])
    assert ladder("history", "c", home=played).stdout.count("\n") == 13
    ended = {match["match"]: match["ended"] for match in told("matches", "--json", home=played)}
    assert [point["match"] for point in points] == sorted(ended)
    assert points[-1]["ended"] == max(ended.values())
    assert [point["ended"] for point in points] == sorted(point["ended"] for point in points)
    printed = ladder("history", "a", "c", "--format", "csv", home=played).stdout
    table = [row for row in csv.DictReader(io.StringIO(printed)) if row["bot"] == "c"]
    assert [row["ended"] for row in table] == [point["ended"] for point in points]
    assert table[-1] == {"bot": "c"} | {
        key: f"{value:.6g}" if isinstance(value, float) else str(value) for key, value in points[-1].items()
    }
    assert [vars(point) for point in Ladder(played.path).history("c")] == points
    assert ladder("history", "idle", home=played).exit_code == 0

    matches = told("matches", "--json", home=played)
    assert len(matches) == 12
    assert _numbers(played) == sorted(set(_numbers(played)))
    for match in matches:
        assert played.kept.read(match["match"]) is not None
        assert sorted(seat["bot"] for seat in match["seats"]) == sorted(["a", EVIL, "c"])
    assert told("matches", "--json", "--last", "2", home=played) == matches[-2:]
    assert told("matches", "--json", "--bot", "idle", home=played) == []
    assert len(ladder("matches", "--last", "5", home=played).stdout.splitlines()) == 5
    exported = [json.loads(line) for line in ladder("export", home=played).stdout.splitlines()]
    assert exported == matches


def test_plots_are_written_as_pictures_and_replace_only_pictures(played: Home, tmp_path: Path) -> None:
    picture = tmp_path / "history.svg"
    wish = ("--format", "svg", "--output", str(picture))
    assert ladder("history", *wish, home=played).stdout == f"{picture}\n"
    assert picture.read_bytes().startswith(b"<?xml")
    assert "add --overwrite" in refused("history", *wish, home=played, code=1)
    assert ladder("pairs", *wish, "--overwrite", home=played).exit_code == 0
    picture.write_text("years of work")
    assert "is not a picture" in refused("pairs", *wish, "--overwrite", home=played, code=1)
    assert "needs --output" in ladder("pairs", "--format", "png", home=played).stderr
    assert "is for --format svg or png" in ladder("pairs", "--output", str(picture), home=played).stderr
    assert "per cent" in ladder("pairs", "--format", "plot", home=played).stdout


def test_an_export_goes_to_a_file_or_says_why_not(played: Home, tmp_path: Path) -> None:
    out = tmp_path / "all.jsonl"
    assert ladder("export", "--out", str(out), home=played).output == ""
    assert out.read_text() == ladder("export", home=played).stdout
    assert "cannot be written: No space left on device" in refused("export", "--out", "/dev/full", home=played, code=1)
    assert "cannot be written" in refused("export", "--out", "/no/such/folder/file", home=played, code=1)


def test_a_list_is_the_one_that_fits_or_there_is_a_question(copy: Home) -> None:
    with closing(copy.store()) as store:
        (three,) = store.lists()
        other = store.list_of("standard", {**three.options, "deals": 2}, 3)
        store.list_of("standard", three.options, 4)
        store.list_of("tournament", {}, 4)
    assert told("table", "--format", "json", home=copy)["list"] == three.title  # nothing was played on the others
    with closing(sqlite3.connect(copy.database)) as db, db:
        db.execute("UPDATE matches SET list = ? WHERE id = (SELECT max(id) FROM matches)", (other.id,))
    assert "2 lists fit; choose one" in refused("table", home=copy)
    said = refused("table", "--seats", "3", home=copy)
    assert said.endswith("The lists: standard, 3 seats, deals 1; standard, 3 seats, deals 2\n")
    assert "no list fits" in refused("table", "--seats", "9", home=copy)
    assert "no list fits" in refused("table", "--option", "deals=3", home=copy)
    assert "there is no game" in refused("table", "--game", "skat", home=copy)
    assert "three at a table, 2 deals a match" in ladder("table", "--option", "deals=2", home=copy).stdout
    assert "Tournament (Turnier), four at a table" in ladder("table", "--game", "tournament", home=copy).stdout


def test_a_home_on_which_nothing_was_played_says_so(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", {})
    for command in (("table",), ("pairs",), ("matches",), ("export",), ("history", "x")):
        assert "nothing has been played on this ladder yet" in refused(*command, home=home)
    assert listed(home) == {}
    assert "a table of 4 seats needs 4 active bots, and this ladder has none" in refused("run", home=home)


def test_rebuild_makes_the_same_numbers_from_the_records_alone(copy: Home) -> None:
    shown = (("table", "--format", "json"), ("pairs", "--json"), ("history", "c", "--json"), ("matches", "--json"))
    before = [told(*arguments, home=copy) for arguments in shown]
    with closing(sqlite3.connect(copy.database)) as db, db:
        for table in ("played", "matches", "conduct"):
            db.execute(f"DELETE FROM {table}")
    left_out = ladder("rebuild", home=copy).output
    assert left_out.startswith("0 matches from 12 records; 12 records left out:\n")
    numbers = {match["match"] for match in before[-1]}
    (line,) = [line for line in left_out.splitlines() if ": the store knows no such match" in line]
    spans = [(int(low), int(high or low)) for low, high in re.findall(r"match (\d+)(?: to (\d+))?", line)]
    assert {number for low, high in spans for number in range(low, high + 1)} == numbers
    assert ladder("rebuild", "--add-unknown", home=copy).output == "12 matches from 12 records\n"
    assert [told(*arguments, home=copy) for arguments in shown] == before
    assert intact(copy)


def test_rebuild_leaves_out_what_does_not_verify(copy: Home) -> None:
    first, fifth, ninth = _numbers(copy)[:9:4]
    lines = copy.record(first).read_text().splitlines(keepends=True)
    end = json.loads(lines[-1])
    end["end"]["scores"][0] += 1
    put(copy, first, "".join([*lines[:-1], encode(end) + "\n"]).encode())
    put(copy, fifth, b"")
    put(copy, ninth, None)
    before = told("table", "--format", "json", home=copy)
    assert f"3 matches have no record that verifies (the first is {first})" in refused("rebuild", home=copy)
    assert told("table", "--format", "json", home=copy) == before, "nothing is lost by a rebuild that is refused"
    done = ladder("rebuild", "--drop-missing", home=copy)
    head, *others = done.output.splitlines()
    wrong, empty = sorted(others)
    assert head == "9 matches from 11 records; 2 records left out:"
    assert wrong.startswith(f"  match {first}: line ")
    assert ": the scores are " in wrong
    assert empty.startswith(f"  match {fifth}: ")
    assert {row["matches"] for row in told("table", "--format", "json", home=copy)["rows"]} == {0, 9}


def test_a_group_of_which_a_record_is_missing_does_not_count_after_a_rebuild(copy: Home) -> None:
    run(copy, "--seats", "2", "--duplicate", "--matches", "4")
    put(copy, _numbers(copy, "--seats", "2")[1], None)
    done = ladder("rebuild", "--drop-missing", home=copy)
    assert done.output == "15 matches from 15 records\n"
    rows = told("table", "--seats", "2", "--format", "json", home=copy)["rows"]
    assert sum(row["matches"] for row in rows) == 4
    assert [match["counted"] for match in told("matches", "--seats", "2", "--json", home=copy)] == [False, True, True]


def test_rebuild_gives_up_what_a_killed_run_has_begun(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    plan = ("--seats", "3", "--format", "round-robin", "--jobs", "1", "--rounds", "2000")
    with running(home, *plan) as process:
        until(lambda: count(home, "matches") > 2 and count(home, "playing"), process)
        process.kill()
    until(lambda: left_over(home) == [])
    kept = matches_of(home)
    assert ladder("rebuild", home=home).output == f"{len(kept)} matches from {len(kept)} records\n"
    assert matches_of(home) == kept
    assert count(home, "playing") == 0
    assert sorted(Home(home.path).kept.matches()) == [match.id for match in kept]


def test_a_run_whose_reader_has_gone_ends_without_a_traceback(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    process = subprocess.Popen(
        [str(BULLRING), "ladder", "run", "--json", "--seats", "2", "--home", str(home.path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    with process:
        assert json.loads(process.stdout.readline())["type"] == "sandbox"
        assert json.loads(process.stdout.readline())["type"] == "match"
        process.stdout.close()
        assert "Traceback" not in process.stderr.read()
    assert intact(home)


def test_a_gauntlet_is_one_against_the_field_and_an_anchor_is_that_of_all_who_look(copy: Home) -> None:
    run(copy, "--seats", "3", "--matches", "3", "--jobs", "1", "--anchor", "c")
    rows = told("table", "--format", "json", home=copy)["rows"]
    assert [row["bot"] for row in rows if row["anchor"]] == ["c"]
    run(copy, "--seats", "2", "--format", "gauntlet", "--one", "c")
    with closing(copy.store(read_only=True)) as store:
        tables = store.tables_in(store.lists()[-1].id, "gauntlet")
        one = store.bot("c").id
    assert tables.total() == 3
    assert all(one in table for table in tables)


def duelled(home: Home, *arguments: str) -> Any:
    """A duel of two bots of a home, to its end. Returns its verdict."""
    words = ["duel", "a", "b", "--home", str(home.path), "--seats", "2", "--jobs", "1", "--json", *arguments]
    done: Any = CliRunner().invoke(bullring, words)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout.splitlines()[-1])


def test_a_duel_swaps_hands_measures_what_that_gains_and_goes_on(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    first = duelled(home, "--matches", "13")
    assert (first["groups"], first["matches"]) == (6, 12)
    assert first["gain"]["low"] < first["gain"]["value"] < first["gain"]["high"]
    with closing(home.store(read_only=True)) as store:
        groups = list(store.groups_in(1, "duel"))
    for one, other in groups:
        assert one.bots == other.bots[::-1]
        assert one.seed.seed == other.seed.seed
        assert one.seed.nonce != other.seed.nonce
        hands = [json.loads(home.record(match.id).read_text().splitlines()[1])["deal"] for match in (one, other)]
        assert hands[0] == hands[1]
    assert len({one.seed.seed for one, _ in groups}) == 6
    second = duelled(home, "--matches", "4")
    assert second["matches"] == 16
    assert all(row["matches"] == 0 for row in told("table", "--format", "json", home=home)["rows"])
    # The list is free for either kind of rated matches.
    assert ladder("run", "--seats", "2", "--matches", "2", "--duplicate", home=home).exit_code == 0


def test_a_duel_whose_bot_is_benched_says_so_and_has_no_verdict(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", {"a": tiny("crash"), "b": tiny()})
    found = duelled(home)
    assert found["verdict"] == "open"
    (why,) = found["benched"]
    assert why.startswith("a: its seat was closed in ")


def test_a_duel_that_was_decided_shows_its_verdict_and_plays_no_more(tmp_path: Path) -> None:
    """Even if the run that decided it was ended right after its last group was stored."""
    home = four(tmp_path / "home")
    with closing(home.store()) as store:
        for points in [(2, 2)] * 200 + [(0, 0)] * 200:
            stored(store, *pair_of(store, (1, 2), "duel", points))
    found = duelled(home)
    assert (found["verdict"], found["played"]) == ("better", 400)
    assert found["groups"] < 200  # what came after the verdict changes nothing
    words = ["duel", "a", "b", "--home", str(home.path), "--seats", "2"]
    done: Any = CliRunner().invoke(bullring, words)
    assert "the new bot is better" in done.stdout
    assert "nothing was played" in done.stdout


def test_a_bot_named_twice_for_the_pool_sits_in_one_seat(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    pool = ["--pool", "c", "--pool", "c", "--matches", "2"]
    assert duelled(home, "--seats", "3", *pool)["groups"] == 1
    done: Any = CliRunner().invoke(bullring, ["duel", "a", "b", "--home", str(home.path), "--seats", "4", *pool])
    assert done.exit_code == 2
    assert "needs 2 other bots, and there is 1" in done.stderr


@pytest.mark.parametrize("match", ["nonsense", "99", "1.1", "../../1"])
def test_a_match_to_watch_that_is_none_is_a_mistake(match: str, played: Home) -> None:
    done: Any = CliRunner().invoke(bullring, ["watch", match, "--home", str(played.path)])
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith("bullring: ")


def test_names_that_look_alike_to_a_file_system_are_different_bots(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", {})
    names = ["a 14", "a\u2014", "bot 10", "bot\u2010", "foo", "foo.json", "%20", "v2"]
    for number, name in enumerate(names):
        source = folder_of(tmp_path / f"source{number}", f"bot {number}")
        (source / "main.py").write_text(f"# {number}")
        adopt(home, str(source), name)
    assert [(loaded(home, name).program.folder / "main.py").read_text() for name in names] == [
        f"# {n}" for n in range(len(names))
    ]


@pytest.mark.parametrize(
    ("option", "seats", "played"),
    [("--format=ladder", "3", 9), ("--duplicate", "4", 8)],
)
@pytest.mark.slow
def test_after_an_interrupted_run_a_run_plays_as_many_matches_as_it_was_told(
    tmp_path: Path, option: str, seats: str, played: int
) -> None:
    home = four(tmp_path / "home")
    with running(home, "--jobs", "1", "--seats", seats, option) as process:
        until(lambda: count(home, "matches") > 0, process)
        process.kill()
    before = count(home, "matches")
    run(home, "--seats", seats, "--matches", "9", "--jobs", "1", option)
    assert count(home, "matches") == before + played


def test_the_habits_of_a_bot_are_told_and_kept_in_the_home(
    copy: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulated, "COMPILED", False)
    monkeypatch.setattr(analyser, "DEALS", 4)
    quickly = ("--seats", "3", "--policy", "cheapest", "--error", "100", "--engine-playouts", "2")
    first = ladder("analyse", "a", "--last", "2", *quickly, home=copy)
    assert first.exit_code == 0, first.output
    assert first.stdout.startswith("2 matches, ")
    kept = sorted(copy.analyses.rglob("*.json"))
    assert len(kept) == 2
    told_as_json = json.loads(ladder("analyse", "a", "--last", "1", *quickly, "--json", home=copy).stdout)
    assert [one["name"] for one in told_as_json["played"]] == ["a"]
    assert sorted(copy.analyses.rglob("*.json")) == kept  # read, not made again
    number = told_as_json["played"][0]["match"]
    assert copy.analysis(number) in kept
    replayed = here("replay", str(number), "--home", str(copy.path), "--json").stdout
    judged = [json.loads(line) for line in replayed.splitlines() if '"judged"' in line]
    assert judged  # what is kept in the home marks a replay of its record
    assert "no finished match on this list" in refused("analyse", "idle", home=copy)
    keep_only(copy, {match: text.replace(b'"answers"', b'"answer"', 1) for match, text in copy.kept.walk()})
    damaged = ladder("analyse", "a", "--last", "2", *quickly, home=copy)
    assert damaged.exit_code == 2
    assert damaged.stderr.count("is left out: ") == 2
