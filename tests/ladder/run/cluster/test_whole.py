"""Runs on workers of this machine, as a user starts them."""

import signal
import sys
from pathlib import Path

import pytest

from tests.ladder.homes import adopt, count, intact, ladder, left_over, until
from tests.ladder.run.cluster.nodes import BOT, UNCONFINED, has_said, home_of_travellers, process, scheduler, worker
from tests.support.command import BULLRING
from tests.support.patience import PATIENCE
from tests.support.tiers import need

pytestmark = pytest.mark.slow

BUILT = """\
name = "built"
build = ["sh", "-c", "mv source bot.py"]
run = ["{python}", "-I", "-S", "bot.py"]
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where nodes keep bots."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "bullring" / "nodes"


def test_bots_travel_are_built_and_their_matches_are_signed_here(tmp_path: Path, cache: Path) -> None:
    home = home_of_travellers(tmp_path, bots=2)
    source = tmp_path / "sources" / "built"
    source.mkdir()
    (source / "source").write_text(BOT.format(seconds=0))
    (source / "bot.toml").write_text(BUILT)
    adopt(home, str(source))
    adopt(home, str(source), "twin")
    assert ladder("key", "--new", home=home).exit_code == 0
    with process(
        *(str(BULLRING), "ladder", "run", "--home", str(home.path), "--cluster", "local:2", "--matches", "60"),
        *("--seats", "4", "--mix-speeds", "100", *UNCONFINED),
        log=tmp_path / "run.log",
    ) as run:
        assert run.wait(timeout=PATIENCE) == 0, (tmp_path / "run.log").read_text()
    assert "Traceback" not in (tmp_path / "run.log").read_text()
    assert intact(home)
    assert count(home, "matches WHERE counted") == 60
    with process(str(BULLRING), "verify", "--home", str(home.path), log=tmp_path / "verify.log") as verify:
        assert verify.wait(timeout=PATIENCE) == 0, (tmp_path / "verify.log").read_text()
    assert "60 records verified" in (tmp_path / "verify.log").read_text()
    assert {path.name for path in (cache / "bots").iterdir()} == {path.name for path in home.bots.iterdir()}
    assert len(list((cache / "builds").iterdir())) == 1
    assert "60" in ladder("table", "--class", "Python 3", home=home).stdout
    until(lambda: left_over(home) == [])


NOSY = """\
import os, sys
if os.path.exists(sys.argv.pop()):
    sys.exit("I have seen it")
"""


def test_bots_on_nodes_do_not_see_the_home_of_the_run_either(tmp_path: Path) -> None:
    need("bwrap")
    home = home_of_travellers(tmp_path, bots=1)
    nosy = tmp_path / "nosy.py"
    nosy.write_text(NOSY + BOT.format(seconds=0))
    adopt(home, f"{sys.executable} -I -S {nosy} {home.database}", "nosy")
    home.path.chmod(0o755)  # so that nothing else keeps it from them
    home.database.chmod(0o644)
    with process(
        *(str(BULLRING), "ladder", "run", "--home", str(home.path), "--cluster", "local:1", "--matches", "5"),
        *("--seats", "2", "--sandbox", "bwrap", "--allow-unsandboxed"),
        log=tmp_path / "run.log",
    ) as run:
        assert run.wait(timeout=PATIENCE) == 0, (tmp_path / "run.log").read_text()
    assert count(home, "matches WHERE counted") == 5
    assert count(home, "matches WHERE faults") == 0


def test_a_run_waits_for_workers_and_one_that_is_ended_takes_its_leave(tmp_path: Path) -> None:
    home = home_of_travellers(tmp_path, seconds=0.01)
    assert ladder("key", "--new", home=home).exit_code == 0
    logs = {name: tmp_path / f"{name}.log" for name in ("scheduler", "run", "one", "two")}
    port = 28786
    address = f"tcp://127.0.0.1:{port}"
    with process(*scheduler(port), log=logs["scheduler"]) as main:
        has_said(logs["scheduler"], "Scheduler at", main)
        command = (
            str(BULLRING),
            "ladder",
            "run",
            "--home",
            str(home.path),
            "--cluster",
            address,
            "--mix-speeds",
            "100",
        )
        with process(*command, "--seats", "3", "--matches", "400", *UNCONFINED, log=logs["run"]) as run:
            has_said(logs["run"], f"no worker is there yet; start some: bullring worker {address}", run)
            with process(*worker(address), log=logs["one"]) as one:
                has_said(logs["one"], "Ctrl-C ends it", one)
                until(lambda: count(home, "matches") > 0, run)  # type: ignore[arg-type]
                one.send_signal(signal.SIGINT)
                assert one.wait(timeout=PATIENCE) == 130
            has_said(logs["run"], "is gone", run)
            with process(*worker(address), log=logs["two"]):
                assert run.wait(timeout=PATIENCE) == 0, logs["run"].read_text()
    assert count(home, "matches WHERE counted") == 400
    with process(str(BULLRING), "verify", "--home", str(home.path), log=tmp_path / "verify.log") as verify:
        assert verify.wait(timeout=PATIENCE) == 0, (tmp_path / "verify.log").read_text()
    assert "400 records verified" in (tmp_path / "verify.log").read_text()
