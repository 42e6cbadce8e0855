"""`bullring dev` as an author meets it: a round for each save, until Ctrl-C."""

import signal
from pathlib import Path

import pytest

from tests.support.command import BULLRING, here
from tests.support.terminal import terminal

MANIFEST = 'name = "mine"\nrun = ["{python}", "bot.py"]\n'
UNCONFINED = ("--sandbox", "none", "--allow-unsandboxed", "--time", "5s", "--time", "start=60s")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    polite = Path(__file__).parents[1] / "arena/match/seats/bots/polite.py"
    (tmp_path / "bot.py").write_text(polite.read_text())
    (tmp_path / "bot.toml").write_text(MANIFEST)
    return tmp_path


def test_it_plays_on_each_save(folder: Path) -> None:
    polite = (folder / "bot.py").read_text()
    with terminal(str(BULLRING), "dev", str(folder), "--against", "@random", *UNCONFINED, columns=120, lines=60) as dev:
        first = dev.until("waiting for the next save")
        assert " steps of the check, none failed" in first
        assert "faults    none" in first
        dev.clear()
        (folder / "bot.py").write_text("no python\n")
        broken = dev.until("waiting for the next save")
        assert "SyntaxError" in broken
        dev.clear()
        (folder / "bot.py").write_text(polite + "# saved\n")
        mended = dev.until("waiting for the next save")
        assert "; before " in mended, "the matches before are compared with"
        dev.process.send_signal(signal.SIGINT)
        assert dev.wait() == 0
        assert f"ended after 3 rounds; submit it with: bullring submit {folder}" in dev.text.replace("\n", "")


def test_what_is_no_folder_cannot_be_watched() -> None:
    done = here("dev", "python3 bot.py")
    assert done.exit_code == 2
    assert "a folder with a bot.toml" in done.stderr
