"""Interrupting and killing the referee leaves nothing behind but readable records."""

import os
import pty
import select
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from bullring.arena.match.records.reader import read_lines
from tests.ladder.homes import count, four, left_over, tiny, until
from tests.support.command import BULLRING, bullring, command_of, here
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
        env={**os.environ, "TMPDIR": str(tmp_path)},  # what is killed leaves its files
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


def test_an_interrupt_while_the_command_is_being_imported_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n")  # what Ctrl-C does while it is being imported
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([str(BULLRING), "games"], capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "bullring: interrupted\n")


def test_an_interrupted_check_says_how_far_it_came() -> None:
    process = subprocess.Popen(
        [str(BULLRING), "check", "sleep 1000", "--time", "60s"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    while "builds" not in process.stdout.readline():
        pass
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err == "bullring: interrupted after 1 step\n"


def test_a_killed_referee_leaves_a_record_that_is_readable_up_to_its_last_whole_line(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    process, pid = start_and_wait_for_the_fourth_card(tmp_path, "--record", str(record), "--watch")
    process.kill()
    process.communicate(timeout=PATIENCE)
    lines = read_lines(record)
    assert sum(event["type"] == "play" for _, event in happenings(lines)) == 3
    assert ends(pid), "a bot ends when its stdin does"


def ends(pid: int) -> bool:
    """Wait until a process that is not our child has ended."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    ready, _, _ = select.select([descriptor], [], [], PATIENCE)
    os.close(descriptor)
    return bool(ready)


@pytest.mark.parametrize(
    "moment", [0.1, 0.5, 1.2, *(pytest.param(moment, marks=pytest.mark.slow) for moment in (0.3, 0.8, 1.8))]
)
@pytest.mark.parametrize("command", ["match", "duel", "ladder run"])
def test_a_signal_at_any_moment_of_the_start_leaves_nothing(command: str, moment: float, tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    temporary = tmp_path / "tmp"
    temporary.mkdir(mode=0o777)
    ending = ["--home", str(home.path)] if command == "ladder run" else [tiny("first"), tiny("last")]
    number = signal.SIGTERM if command == "match" else signal.SIGHUP
    with subprocess.Popen(
        [str(BULLRING), *command.split(), *ending, *(["--matches", "100000"] if command != "duel" else [])],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    ) as process:
        with suppress(subprocess.TimeoutExpired):
            process.wait(moment)
        process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE)
    # Before its first line, Python is ended by the signal; nothing has been made by then.
    assert process.returncode in (130, -number), err
    assert "Traceback" not in err
    assert list(temporary.iterdir()) == []
    assert left_over(home) == []


def test_an_interrupt_that_python_drops_shows_nobody_a_traceback() -> None:
    """As one in a destructor. The signal is noted, so it is heeded later."""
    program = "from bullring.cli import signals; signals.interrupt_on_signals()\n"
    program += "class A:\n    def __del__(self): raise {}\nA()"
    for error, says in (("KeyboardInterrupt", ""), ("ValueError('?')", "Exception ignored in")):
        done = subprocess.run([sys.executable, "-c", program.format(error)], capture_output=True, text=True)
        assert (done.returncode, says in done.stderr, bool(done.stderr)) == (0, True, bool(says))


LOSING = """
import os, signal
import trio
from bullring.cli.signals import interrupt_on_signals, play

interrupt_on_signals()
try:
    os.kill(os.getpid(), signal.SIGTERM)
except KeyboardInterrupt:
    pass  # as Python itself does with what is raised in a destructor
raise SystemExit(play(trio.sleep_forever))
"""


def test_a_signal_whose_exception_got_lost_ends_the_command_nevertheless() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", LOSING], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 130, done.stderr


def test_nothing_is_left_when_the_terminal_goes_away(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    errors = (tmp_path / "errors").open("w")
    pid, terminal = pty.fork()
    if not pid:
        os.dup2(errors.fileno(), 2)
        os.execv(BULLRING, ["bullring", "ladder", "run", "--home", str(home.path), "--seats", "3"])
    errors.close()
    reader = threading.Thread(target=_read_all, args=(terminal,))
    reader.start()
    until(lambda: count(home, "matches") >= 5)
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) in (1, 130), "writing to it may fail before the signal comes"
    assert "Traceback" not in (tmp_path / "errors").read_text()
    assert left_over(home) == []
    reader.join()


def _read_all(terminal: int) -> None:
    with suppress(OSError):
        while os.read(terminal, 65536):
            pass


class _Interrupted:
    """An attribute of a class that is being made when Ctrl-C is pressed."""

    def __set_name__(self, owner: type, name: str) -> None:
        raise KeyboardInterrupt


def test_an_interrupt_while_a_class_is_made_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def makes_a_class(*_: object, **__: object) -> None:
        type("Made", (), {"attribute": _Interrupted()})

    monkeypatch.setattr("click.Group.main", makes_a_class, raising=False)
    done = here("games")
    assert (done.exit_code, done.stderr) == (130, "bullring: interrupted\n")
