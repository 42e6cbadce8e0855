"""`bullring submit`, `ladder add` and `bullring bots` as a user tries them."""

import json
import re
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bullring.cli.program import program
from bullring.ladder.store.home import Home
from tests.ladder.homes import bots, folder, four, home_with, ladder, listed, run, tiny
from tests.support.command import here

ALLOWED = ("--sandbox", "none", "--allow-unsandboxed")


def submit(home: Home, *arguments: str) -> Result:
    return CliRunner(env={"COLUMNS": "80"}).invoke(program, ["submit", *arguments, *ALLOWED, "--home", str(home.path)])


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return home_with(tmp_path / "home", {})


def test_a_bot_from_submission_to_its_log(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", {"a": tiny(), "b": tiny("last")})
    bot = folder(tmp_path / "bot") / "tiny.py"
    bot.write_text(bot.read_text().replace('say({"type": "choice"', 'tell("thinking"); say({"type": "choice"'))
    done = submit(home, str(bot.parent))
    assert done.exit_code == 0, done.output
    words = [line.split()[0] for line in done.stdout.splitlines()]
    assert words == ["manifest", "files", "contents", "sandbox", "build", "check", "match", "entered", "next"]
    assert 'entered   "mine", version 1 of "mine"' in done.stdout
    assert f"next      bullring ladder run --home {home.path}, and then: bullring bots show mine" in done.stdout
    assert re.search(r"check     \d\d steps in", done.stdout)
    again = submit(home, str(tmp_path / "bot"), "--json")
    assert json.loads(again.stdout)["new"] is False
    assert json.loads(again.stdout)["bot"] == "mine"
    run(home, "--seats", "3", "--matches", "8", "--jobs", "1", *ALLOWED)
    log = bots("log", "mine", "--last", "3", home=home).stdout
    assert log.count("| thinking") >= 3
    assert "match 8 " in log
    *_, replay, wire, ask = [shlex.split(line) for line in log.splitlines()]
    assert replay == ["bullring", "replay", "8", "--home", str(home.path)]
    assert wire[:-1] == [*replay, "--wire"]
    assert ask[:5] == ["bullring", "ask", "mine", "--home", str(home.path)]
    for words in (replay, wire, [*ask, *ALLOWED]):  # as they were pasted
        assert here(*words[1:]).exit_code == 0, words
    lost = json.loads(bots("log", "mine", "--losses", "--last", "100", "--json", home=home).stdout)
    assert all(one["rank"] > 1 and one["bot"] == "mine" for one in lost)
    every = json.loads(bots("log", "mine", "--last", "100", "--json", home=home).stdout)
    assert [one["match"] for one in every] == list(range(1, 9))
    assert [one for one in every if one["rank"] > 1] == lost
    assert len(bots("log", "mine", "--match", "3", home=home).stdout.split("match 3 ")) == 2
    assert "has not played match 99" in bots("log", "mine", "--match", "99", home=home).stderr
    shown = bots("show", "mine", home=home).stdout
    assert listed(home)["mine"]["hash"] in shown
    assert f"from {tmp_path / 'bot'}" in shown
    assert "rating" in shown


def test_a_refused_bot_is_told_why_in_lines_and_in_json(home: Home, tmp_path: Path) -> None:
    bot = str(folder(tmp_path / "bot", "crash"))
    done = submit(home, bot)
    assert done.exit_code == 3
    assert "was not added: it failed" in done.stderr
    assert "there is a hole in me" in done.stderr
    assert done.stderr.endswith(f"  before you submit it again: bullring check {bot} --home {home.path}\n")
    facts = json.loads(submit(home, bot, "--json").stdout)
    assert facts["bot"] is None
    assert "failed" in facts["refused"]
    assert [step["step"] for step in facts["steps"]] == ["manifest", "files", "contents", "sandbox", "build"]
    assert any(step["verdict"] == "fail" for step in facts["check"]["steps"])
    done = ladder("add", bot, *ALLOWED, home=home)
    assert done.exit_code == 3
    assert "in a match against copies of itself" in done.stderr
    assert listed(home) == {}
    assert submit(home, str(tmp_path)).exit_code == 2
    assert submit(home, str(folder(tmp_path / "evil", name="\x1b[31mred"))).exit_code == 2
    assert "\x1b" not in submit(home, str(tmp_path / "evil")).output


def test_a_folder_that_is_too_large_is_refused(home: Home, tmp_path: Path) -> None:
    bot = folder(tmp_path / "bot")
    with (bot / "weights").open("wb") as file:
        file.truncate(300 << 20)
    for done in (submit(home, str(bot)), ladder("add", str(bot), *ALLOWED, home=home)):
        assert done.exit_code == 2
        assert "is larger than 256 MiB" in done.stderr
        assert ".bullringignore" in done.stderr
    assert listed(home) == {}


def test_several_are_added_until_one_is_refused(home: Home, tmp_path: Path) -> None:
    good, bad = str(folder(tmp_path / "good", name="good")), str(folder(tmp_path / "bad", "absent", "bad"))
    done = ladder("add", good, bad, "@greedy", *ALLOWED, home=home)
    assert done.exit_code == 3
    assert done.stdout == 'entered   "good", version 1 of "good"\n'
    assert list(listed(home)) == ["good"]
    assert "a name is for one bot" in ladder("add", good, bad, "--name", "x", home=home).stderr


def test_retire_remove_and_reinstate(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    undo = f"undo: bullring bots reinstate a --home {home.path}"
    assert bots("retire", "a", home=home).stdout == f'"a" was retired; {undo}\n'
    assert listed(home)["a"]["state"] == "retired"
    assert bots("remove", "a v1", home=home).stdout == f'"a" was removed; {undo}\n'
    assert bots("reinstate", "a", home=home).stdout == '"a" plays again\n'
    assert listed(home)["a"]["state"] == "active"
    assert "there is no bot 'nobody'" in bots("retire", "nobody", home=home).stderr


def test_the_list_fits_80_columns(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    with closing(sqlite3.connect(home.database)) as db, db:
        db.execute("UPDATE bots SET name = ?, bot = ?, reason = ? WHERE id = 1", ("n" * 64, "n" * 64, "because " * 30))
        db.execute("UPDATE bots SET language = ?, size = 255000000", ("Objective " * 6,))
    shown = CliRunner(env={"COLUMNS": "80"}).invoke(program, ["bots", "--home", str(home.path)]).stdout
    assert max(map(len, shown.splitlines())) <= 80
    assert "nnnnnnn…" in shown


def test_without_a_home_the_built_in_bots_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BULLRING_HOME", raising=False)
    assert "@greedy" in CliRunner().invoke(program, ["bots"]).stdout
