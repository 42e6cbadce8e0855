"""What is left when the referee is interrupted or killed."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

from bullring.arena.records.reading import read_lines
from tests.support.command import BULLRING, bullring, command_of
from tests.support.patience import PATIENCE
from tests.support.processes import BOTS, gone
from tests.support.record import happenings

WAITING = """
import os, sys
sys.path.insert(0, {bots!r})
import polite

cards = 0


def act(number, question):
    global cards
    cards += question["kind"] == "card"
    if cards == 4 and question["kind"] == "card":
        with open({pipe!r}, "w") as pipe:
            pipe.write(str(os.getpid()))
        sys.stdin.readline()

polite.play(act)
"""


def start_and_wait_for_the_fourth_card(tmp_path: Path, *extra: str) -> tuple["subprocess.Popen[str]", int]:
    """A match whose first bot thinks about its fourth card; and that bot's process id."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    pipe.chmod(0o666)  # a bot of root is nobody
    script = tmp_path / "waiting.py"
    script.write_text(WAITING.format(bots=str(BOTS), pipe=str(pipe)))
    process = subprocess.Popen(
        [str(BULLRING), "match", f"{sys.executable} {script}", command_of("polite"), "--time", "60s", *extra],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    return process, int(pipe.read_text())


def test_an_interrupt_ends_the_bots_and_leaves_a_readable_record(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    process, pid = start_and_wait_for_the_fourth_card(tmp_path, "--record", str(record))
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err
    assert gone(pid)
    lines = read_lines(record)
    assert not lines.finished
    assert sum(event["type"] == "play" for _, event in happenings(lines)) == 3
    told = bullring("replay", str(record))
    assert told.returncode == 0
    assert "ends before its match is over" in told.stderr
    verified = bullring("verify", str(record))
    assert verified.returncode == 1
    assert "unfinished" in verified.stdout


def test_a_killed_referee_leaves_a_record_that_is_readable_up_to_its_last_whole_line(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    process, pid = start_and_wait_for_the_fourth_card(tmp_path, "--record", str(record), "--pace", "1ms")
    process.kill()
    process.communicate(timeout=PATIENCE)
    lines = read_lines(record)
    assert sum(event["type"] == "play" for _, event in happenings(lines)) == 3
    assert ends(pid), "a bot ends when its stdin does"


def ends(pid: int) -> bool:
    """Wait until a process that is no child of ours has ended."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    ready, _, _ = select.select([descriptor], [], [], PATIENCE)
    os.close(descriptor)
    return bool(ready)
