"""Machines of a cluster that are killed, stopped and cut off at random: in the end the books balance.

The machines are network namespaces on this one. Say CLUSTER_CHAOS=600 for a long night.
"""

import os
import signal
import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from random import Random

import pytest

from bullring.ladder.store.home import Home
from tests.ladder.homes import count, intact, ladder, left_over, until
from tests.ladder.run.cluster.nodes import (
    UNCONFINED,
    descendants,
    end,
    has_said,
    home_of_travellers,
    process,
    scheduler,
    worker,
)
from tests.support.command import BULLRING, bullring
from tests.support.networks import Network, network
from tests.support.patience import PATIENCE

SECONDS = float(os.environ.get("CLUSTER_CHAOS", "60"))
MACHINES = 3
LEASE = 3.0
MATCHES = 40
"""Matches that are played for each second of chaos."""


class Worker:
    """A worker on a machine of its own, which may be killed and started again."""

    def __init__(self, stack: ExitStack, place: Network, number: int, folder: Path) -> None:
        self._stack = stack
        self.network = place
        self.number = number
        self._folder = folder
        self._start()

    def _start(self) -> None:
        self.process = self._stack.enter_context(
            process(
                *worker(f"tcp://{self.network.hub.address}:8786"),
                log=self._folder / f"worker{self.number}.log",
                inside=self.network.machines[self.number].inside,
                environment={"XDG_CACHE_HOME": str(self._folder / f"cache{self.number}")},
            )
        )

    def kill(self, random: Random) -> None:
        """Kill it with everything, or only one of its processes."""
        family = self._own()
        if not family or random.random() < 0.5:
            end(self.process)
            self._start()
            return
        with suppress(ProcessLookupError):
            os.kill(random.choice(family), signal.SIGKILL)

    def stop(self, random: Random) -> None:
        """Stop all of it, or one process, for longer or shorter than the lease."""
        family = self._own()
        chosen = family if not family or random.random() < 0.5 else [random.choice(family)]
        _signalled(chosen, signal.SIGSTOP)
        time.sleep(random.uniform(0.3, 2.5) * LEASE)
        _signalled(chosen, signal.SIGCONT)

    def _own(self) -> list[int]:
        """Its processes without those of bots: for all that a referee can know, a bot that somebody kills has crashed."""
        return [pid for pid in descendants(self.process.pid) if b"bot.py" not in _words(pid)]

    def cut(self, random: Random) -> None:
        """Cut it off for longer or shorter than the lease."""
        self.network.cut(self.number)
        time.sleep(random.uniform(0.3, 2.5) * LEASE)
        self.network.mend(self.number)


def _words(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _signalled(processes: list[int], number: signal.Signals) -> None:
    for pid in processes:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


@pytest.mark.slow
def test_the_books_balance_when_machines_are_killed_stopped_and_cut_off(tmp_path: Path) -> None:
    random = Random(15)
    home = home_of_travellers(tmp_path, seconds=0.01)
    matches = int(MATCHES * SECONDS)
    with network(MACHINES) as place, ExitStack() as stack:
        hub = place.hub
        log = tmp_path / "scheduler.log"
        main = stack.enter_context(process(*scheduler(8786, hub.address), log=log, inside=hub.inside))
        has_said(log, "Scheduler at", main)
        run_log = tmp_path / "run.log"
        run = stack.enter_context(
            process(
                *(str(BULLRING), "ladder", "run", "--home", str(home.path), "--cluster", f"tcp://{hub.address}:8786"),
                *(
                    "--seats",
                    "3",
                    "--matches",
                    str(matches),
                    "--lease",
                    f"{LEASE:g}s",
                    "--mix-speeds",
                    "100",
                    *UNCONFINED,
                ),
                log=run_log,
                inside=hub.inside,
            )
        )
        workers = [Worker(stack, place, number, tmp_path) for number in range(MACHINES)]
        until(lambda: count(home, "matches") > 0)
        over = time.monotonic() + SECONDS
        while time.monotonic() < over and run.poll() is None:
            one = random.choice(workers)
            random.choice([one.kill, one.stop, one.cut])(random)
            time.sleep(random.uniform(0.0, 1.0))
        assert run.wait(timeout=PATIENCE) == 0, run_log.read_text()[-5000:]
    _balanced(home, matches)


def _balanced(home: Home, matches: int) -> None:
    assert intact(home)
    assert count(home, "playing") == 0
    assert count(home, "matches") == count(home, "matches WHERE counted") == matches
    with closing(home.store(read_only=True)) as store:
        assert len({match.seed.seed for match in store.matches()}) == matches
    audit = bullring("verify", "--home", str(home.path))
    assert (audit.returncode, audit.stdout) == (0, f"{matches} records verified\n"), audit
    before = ladder("table", "--format", "json", home=home).stdout
    assert ladder("rebuild", home=home).stdout == f"{matches} matches from {matches} records\n"
    assert ladder("table", "--format", "json", home=home).stdout == before
    until(lambda: left_over(home) == [])
