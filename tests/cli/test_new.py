"""`bullring new` and `bullring languages`, as a person meets them."""

import json
from pathlib import Path

import pytest

from bullring.arena.cells.kits.kit import kits, read_kit
from tests.support.command import here
from tests.support.tiers import need


def test_the_list_has_every_kit_and_says_whether_its_toolchain_is_here() -> None:
    told = here("new", "--list").stdout
    assert here("new").stdout == f"bullring new LANGUAGE NAME begins a bot in one of these languages:\n{told}"
    rows = json.loads(here("new", "--json").stdout)
    assert [row["language"] for row in rows] == list(kits())
    for row in rows:
        assert row["language"] in told
        assert row["here"] == (not row["missing"]) == (not row["install"])


def test_a_new_bot_in_a_folder_of_its_own(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    done = here("new", "Python", str(mine))
    assert done.exit_code == 0, done.stderr
    assert f"bullring check {mine}" in done.stdout
    assert "bullring bots --builtin" in done.stdout
    assert (mine / "bot.toml").is_file()
    again = here("new", "python", str(mine))
    assert again.exit_code == 2
    assert "exists already" in again.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("python",), "the new bot needs a name: bullring new python NAME"),
        (("pyton", "mine"), "did you mean 'python'?"),
        (("mine",), "give a language and a name: bullring new LANGUAGE NAME; the languages are bash, c,"),
        (("python", ".."), "cannot be the name"),
        (("python", "büchlein"), "letters from A to Z"),
    ],
)
def test_mistakes(arguments: tuple[str, ...], says: str) -> None:
    done = here("new", *arguments)
    assert done.exit_code == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_libraries_that_cannot_be_fetched_leave_a_bot_and_say_what_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm = tmp_path / "programs" / "npm"
    npm.parent.mkdir()
    npm.write_text("#!/bin/sh\nexit 7\n")
    npm.chmod(0o755)
    (npm.parent / "node").symlink_to(npm)
    monkeypatch.setenv("PATH", f"{npm.parent}:/usr/bin:/bin")
    line = f"(cd {tmp_path / 'mine'} && npm ci"
    done = here("new", "javascript", str(tmp_path / "mine"))
    assert done.exit_code == 1
    assert "npm ended with status 7" in done.stderr
    assert line in done.stdout
    assert (tmp_path / "mine" / "bot.js").is_file()

    unfetched = here("new", "javascript", str(tmp_path / "other"), "--no-fetch")
    assert (unfetched.exit_code, unfetched.stderr) == (0, "")
    assert "&& npm ci" in unfetched.stdout


def test_a_toolchain_that_is_not_here_is_named_with_what_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = tmp_path / "kits" / "eo"
    kit.mkdir(parents=True)
    (kit / "kit.toml").write_text(
        'title = "Esperanto"\ndialect = "json"\nstrategy = "bot.eo"\nrun = ["eoc"]\nfetch = ["eoc", "get"]\n'
        '[[needs]]\nprogram = "eoc"\nversion = ["eoc"]\ndebian = ["esperanto"]\n'
    )
    monkeypatch.setattr("bullring.cli.bots.new.find", lambda language: read_kit(kit))
    done = here("new", "esperanto", str(tmp_path / "mine"))
    assert done.exit_code == 1
    assert "Esperanto needs programs that this machine does not have: eoc" in done.stderr
    steps = [line.strip() for line in done.stdout.splitlines()[1:]]
    assert steps[0].endswith("apt install esperanto")
    assert steps[1] == f"(cd {tmp_path / 'mine'} && eoc get)"
    assert steps[2] == f"bullring check {tmp_path / 'mine'}"


def test_languages_are_asked_in_the_proven_tiers(monkeypatch: pytest.MonkeyPatch) -> None:
    need("bwrap")
    some = {name: kits()[name] for name in ("bash", "python")}
    monkeypatch.setattr("bullring.cli.bots.languages.kits", lambda: some)
    told = json.loads(here("languages", "--json").stdout)
    assert "bwrap" in told["proven"]
    assert [row["language"] for row in told["programs"]] == ["bash", "python"]
    python = told["programs"][1]
    assert python["tiers"]["bwrap"]["works"]
    assert python["version"].startswith("3.")
    told = here("languages").stdout
    assert "Python" in told
    assert max(map(len, told.splitlines())) <= 100
