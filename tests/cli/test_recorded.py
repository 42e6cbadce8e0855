"""Records of a ladder by the number of their match."""

import shutil
from pathlib import Path

import pytest

from bullring.ladder.store.home import Home
from tests.ladder.homes import four, run
from tests.support.command import here


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    home = four(tmp_path_factory.mktemp("recorded") / "home")
    run(home, "--seats", "2", "--matches", "3", "--jobs", "1", "--sandbox", "none", "--allow-unsandboxed")
    return home


def test_a_match_is_named_by_its_number(home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = here("replay", "2", "--plain", "--home", str(home.path))
    assert told.exit_code == 0
    assert "turn 10" in told.output
    assert here("verify", "2", "--home", str(home.path)).output.startswith("match 2: verified: 1 deal")
    monkeypatch.chdir(home.path)
    assert here("replay", "2", "--plain").output == told.output
    assert here("analyse", "2", "--playouts", "2").exit_code == 0
    assert home.analysis(2).is_file()
    (home.path / "2").write_text("a file of this name goes first")
    assert "2 is not a record" in here("replay", "2", "--plain").stderr
    assert "turn 10" in here("replay", "2", "--plain", "--home", ".").output


def test_a_record_can_be_taken_out_and_verifies_anywhere(home: Home, tmp_path: Path) -> None:
    out = tmp_path / "3.jsonl"
    assert here("ladder", "record", "3", "--out", str(out), "--home", str(home.path)).output == ""
    assert out.read_text() == here("ladder", "record", "3", "--home", str(home.path)).stdout
    assert here("verify", str(out)).exit_code == 0


def test_what_is_not_there_is_told_with_what_to_do(home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for command in (("replay", "9"), ("analyse", "9"), ("verify", "9"), ("ladder", "record", "9")):
        done = here(*command, "--home", str(home.path))
        assert done.exit_code == 2
        assert "there is no record of match 9" in done.stderr
    assert "by its number, such as 17" in here("replay", "x.jsonl", "--home", str(home.path)).stderr
    monkeypatch.chdir(tmp_path)
    assert "there is no home" in here("replay", "9").stderr
    assert "give a FILE, a MATCH such as 17" in here("verify").stderr


def test_a_record_that_is_damaged_is_told_with_its_place_and_what_to_do(home: Home, tmp_path: Path) -> None:
    copy = Home(shutil.copytree(home.path, tmp_path / "copy"))
    first = next(copy.kept.pieces())
    with first.path.open("r+b") as file:
        file.write(bytes(40))
    number = str(first.match)
    for command in (("replay", number), ("analyse", number), ("verify", number), ("ladder", "record", number)):
        done = here(*command, "--home", str(copy.path))
        assert done.exit_code == 2
        assert f"{first.path} between bytes" in done.stderr
        assert f"bullring verify --home {copy.path}" in done.stderr
    assert "is damaged" in here("ladder", "table", "--class", "here", "--home", str(copy.path)).stderr


def test_every_record_that_is_damaged_is_named(home: Home, tmp_path: Path) -> None:
    copy = Home(shutil.copytree(home.path, tmp_path / "copy"))
    damaged = list(copy.kept.pieces())[::2]
    for piece in damaged:
        with piece.path.open("r+b") as file:
            file.seek(piece.offset + len(piece.data) // 2)
            file.write(bytes(byte ^ 1 for byte in piece.data[len(piece.data) // 2 :][:1]))
    said = here("verify", "--home", str(copy.path)).output
    assert "1 record verified" in said
    lost = sorted(piece.match or 0 for piece in damaged)
    names = f"match {lost[0]}, match {lost[1]}" if lost[1] > lost[0] + 1 else f"match {lost[0]} to {lost[1]}"
    assert f"{names}: there is no record of it" in said
    assert all(piece.place in said for piece in damaged)
