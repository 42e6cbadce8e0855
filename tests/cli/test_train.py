"""`bullring train` as a user tries it."""

import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest

from bullring.errors import INTERRUPTED
from bullring.train import learning
from bullring.train.policy.network import Policy
from tests.support.command import BULLRING, bullring, here
from tests.support.patience import PATIENCE


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Courses of few deals: they are not compiled here."""
    monkeypatch.setattr(learning.Course.__init__, "__kwdefaults__", {"tables": 1, "seed": 1})
    monkeypatch.setattr(learning, "MEASURED", 2)
    monkeypatch.setattr("bullring.cli.bots.train.MEASURED", 2)


@pytest.mark.usefixtures("small")
def test_it_learns_makes_a_bot_and_goes_on(tmp_path: Path) -> None:
    file, bot = tmp_path / "mine.npz", tmp_path / "mine"
    wish = ("train", str(file), "--game", "tactics", "--seats", "2", "--to", str(bot))
    done = here(*wish, "--deals", "2")
    assert done.exit_code == 0, done.output
    assert "Elo against the house after 2 deals" in done.stdout
    assert f"bullring submit {bot}" in done.stdout
    before = Policy.load(bot / "policy.npz")
    (bot / "notes.txt").write_text("mine")
    done = here(*wish, "--deals", "3", "--lang", "de")
    assert done.exit_code == 0, done.output
    assert "weiter nach 2 Durchgängen" in done.stderr
    assert "Elo gegen das Haus nach 3 Durchgängen" in done.stdout
    assert (bot / "notes.txt").exists()
    assert not np.array_equal(Policy.load(bot / "policy.npz").weights[0], before.weights[0])


@pytest.mark.usefixtures("small")
def test_mistakes_are_told_before_anything_is_learned(tmp_path: Path) -> None:
    file, other, taken = tmp_path / "mine.npz", tmp_path / "other.npz", tmp_path / "taken"
    assert here("train", str(file), "--deals", "1").exit_code == 0
    other.write_text("nonsense")
    taken.mkdir()
    new = tmp_path / "new.npz"
    for wrong, remedy in (
        ((str(file), "--deals", "1"), "give a larger --deals"),
        ((str(file), "--seats", "3"), "learns with --seats 4, not 3"),
        ((str(other),), "is not the file of a course"),
        ((str(new), "--game", "eleven"), "not 'eleven'"),
        ((str(new), "--game", "open"), "cannot be stepped together"),
        ((str(new), "--game", "professional"), "rows grow to the right, not for professional"),
        ((str(new), "--game", "nonsense"), "nonsense"),
        ((str(new), "--to", str(taken)), "give --to another name"),
        ((str(tmp_path / "no" / "new.npz"),), "cannot be written"),
        ((str(new), "--for", "0s"), "--for must be 1s or more"),
    ):
        done = here("train", *wrong)
        assert done.exit_code in (1, 2), wrong
        assert remedy in done.output, wrong
        assert "Traceback" not in done.output
        assert not new.exists()


@pytest.mark.slow
def test_ctrl_c_leaves_a_policy_that_goes_on_to_a_ladder(tmp_path: Path) -> None:
    command = [str(BULLRING), "train", "--to", "mine", "--deals", "40960"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert "Elo against the house" in process.stderr.readline()  # when it is measured for the first time
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == INTERRUPTED
    assert "the same command goes on" in said
    done = bullring("train", "--to", "mine", "--deals", "43008", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "going on after" in done.stderr
    assert bullring("check", "mine", cwd=tmp_path).returncode == 0
    home = str(tmp_path / "arena")
    for words in (
        ("ladder", "init", home),
        ("ladder", "add", "@random", "--home", home),
        ("submit", "mine", "--home", home),
        ("ladder", "run", "--home", home, "--seats", "2", "--matches", "4"),
    ):
        done = bullring(*words, cwd=tmp_path)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
    assert "mine" in bullring("ladder", "table", "--home", home).stdout
