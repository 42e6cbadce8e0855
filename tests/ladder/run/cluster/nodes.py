"""Schedulers and workers of a cluster in processes of their own, and homes whose bots have to travel."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from bullring.arena.cells.sandbox.local import tree
from bullring.ladder.store.home import Home
from tests.ladder.homes import home_with, until
from tests.support.command import BULLRING

UNCONFINED = ("--sandbox", "none", "--allow-unsandboxed")

BOT = """\
import json, sys, time
def say(message):
    sys.stdout.write(json.dumps(message) + "\\n")
    sys.stdout.flush()
say({{"type": "hello", "protocol": 1, "name": "traveller"}})
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        time.sleep({seconds})
        say({{"type": "choice", "id": message["id"], "option": message["options"][0]}})
    elif message["type"] == "bye":
        break
"""


def traveller(folder: Path, seconds: float = 0.0) -> str:
    """The folder of a bot that takes this long for each decision."""
    folder.mkdir(parents=True)
    (folder / "bot.py").write_text(BOT.format(seconds=seconds))
    (folder / "bot.toml").write_text(f'name = "{folder.name}"\nrun = ["{{python}}", "-I", "-S", "bot.py"]\n')
    return str(folder)


def home_of_travellers(folder: Path, bots: int = 3, seconds: float = 0.0) -> Home:
    """A home with bots that have folders of their own."""
    names = [f"t{number}" for number in range(bots)]
    return home_with(folder / "home", {name: traveller(folder / "sources" / name, seconds) for name in names})


@contextmanager
def process(
    *command: str, log: Path, inside: Sequence[str] = (), environment: Mapping[str, str] | None = None
) -> Iterator["subprocess.Popen[bytes]"]:
    """A program in a session of its own, which is ended in the end with all its descendants. It writes to `log`."""
    with log.open("ab") as file:
        started = subprocess.Popen(
            [*inside, *command],
            stdout=file,
            stderr=file,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "COLUMNS": "100", **(environment or {})},
        )
    try:
        yield started
    except AssertionError as error:
        error.add_note(f"{log.name}:\n{log.read_text()[-3000:]}")
        raise
    finally:
        end(started)


def end(process: "subprocess.Popen[bytes]") -> None:
    """Kill a program and all its descendants, and wait for it."""
    family = descendants(process.pid)
    for pid in (process.pid, *family):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()


def descendants(pid: int) -> list[int]:
    """The descendants of a process, parents first."""
    found = list(tree.children(pid))
    for child in found:
        found += tree.children(child)
    return found


def scheduler(port: int, host: str = "127.0.0.1") -> Sequence[str]:
    """The command of a scheduler."""
    return (
        *(sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard", "--no-show"),
        *("--host", host, "--port", str(port)),
    )


def worker(address: str, *options: str) -> Sequence[str]:
    """The command of a worker."""
    return (str(BULLRING), "worker", address, "--jobs", "1", *UNCONFINED, *options)


def has_said(log: Path, text: str, process: "subprocess.Popen[bytes]") -> None:
    """Wait until a program has written this."""

    def said() -> bool:
        assert process.poll() is None, f"it has ended:\n{log.read_text()[-3000:]}"
        return text in log.read_text()

    until(said)
