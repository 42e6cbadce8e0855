"""Commands that play a bot which has to be built."""

import os
from pathlib import Path

import pytest

import bullring
from bullring.errors import BuildFailure
from bullring.ladder.store.home import Home
from tests.support.command import here
from tests.support.tiers import need

MANIFEST = 'name = "made \\u001b[2J"\nrun = ["{python}", "made.py"]\nbuild = ["sh", "-c", "%s"]\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    need("bwrap")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "bot"
    folder.mkdir()
    polite = Path(os.path.dirname(__file__)).parent / "arena/match/seats/bots/polite.py"  # noqa: PTH120
    (folder / "source.py").write_text(polite.read_text())
    (folder / "bot.toml").write_text(MANIFEST % "cp source.py made.py")
    return folder


def test_a_match_builds_first_and_once(folder: Path, tmp_path: Path) -> None:
    logs = []
    for _ in range(2):
        done = here("match", str(folder), "@random", "--deals", "1", "--sandbox", "bwrap")
        assert done.exit_code == 0, done.stderr
        logs.append([(log, log.stat().st_mtime_ns) for log in (tmp_path / "cache").rglob("*log*")])
    assert logs[0]
    assert logs[0] == logs[1], "the second match builds nothing"
    assert not (folder / "made.py").exists()


def test_a_failed_build_shows_the_end_of_its_log(folder: Path, tmp_path: Path) -> None:
    (folder / "bot.toml").write_text(MANIFEST % "seq 100; exit 4")
    done = here("match", str(folder), "@random", "--deals", "1", "--sandbox", "bwrap")
    assert done.exit_code == 3
    *_, before, place, last = done.stderr.splitlines()
    assert before == "| 100"
    assert "| 1" not in done.stderr.splitlines()
    assert place.startswith(f"| (all of it: {tmp_path}/cache/bullring/builds/")
    assert last == "bullring: the build of made \\x1b[2J failed: sh -c 'seq 100; exit 4' exited with status 4"
    assert "Traceback" not in done.stderr


def test_the_api_builds_as_well(folder: Path) -> None:
    report = bullring.play(folder, lambda message: message["options"][0], options={"deals": 1}, sandbox="bwrap")
    assert report.faults == []
    (folder / "bot.toml").write_text(MANIFEST % "exit 4")
    with pytest.raises(BuildFailure, match="exited with status 4"):
        bullring.play(folder, folder, options={"deals": 1}, sandbox="bwrap")


def test_a_ladder_plays_what_was_built_and_tells_it_in_its_records(folder: Path, tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    here("ladder", "init", home)
    for bot in ((str(folder), "--name", "made"), ("@random",)):
        added = here("ladder", "add", *bot, "--home", home)
        assert added.exit_code == 0, added.stderr
    done = here("ladder", "run", "--home", home, "--matches", "2", "--jobs", "1", "--seats", "2", "--sandbox", "bwrap")
    assert done.exit_code == 0, done.stderr
    (built,) = (tmp_path / "home/builds").iterdir()
    records = [text for _, text in Home(tmp_path / "home").kept.walk()]
    assert len(records) == 2
    for record in records:
        assert b'"built":"sha256:' in record
    assert (built / "bot/made.py").exists()
