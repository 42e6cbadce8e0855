"""What the counts of threads prove: looks in, waiting out."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.cells.sandbox.threads import Look, Threads, Waiting, counted

MS = 1_000_000


class Machine:
    """One core with the threads of a bot and strangers, as the kernel counts them: delays are told when a thread gets to run."""

    def __init__(self, threads: int = 1) -> None:
        self.now = self.used = self.full = 0
        self.ran = [0] * threads
        self.delay = [0] * threads
        self.queued = [0] * threads
        self.ready: set[int] = set()

    def runs(self, thread: int | None, ms: int) -> None:
        """One of the bot's threads has the core, or a stranger (None)."""
        self.now += ms * MS
        for other in self.ready - {thread}:
            self.queued[other] += ms * MS
        if thread is not None:
            self.ready.add(thread)
            self.delay[thread] += self.queued[thread]
            self.queued[thread] = 0
            self.ran[thread] += ms * MS
            self.used += ms * MS
        elif self.ready:
            self.full += ms * MS

    def look(self) -> Look:
        threads = dict(enumerate(zip(self.ran, self.delay, strict=True)))
        return Look(self.now, self.now, self.used, threads, frozenset(self.ready))


def test_a_thread_that_strangers_keep_waiting_proves_it_once_it_runs() -> None:
    machine, waiting = Machine(), Waiting()
    waiting.learn(machine.look())
    machine.runs(0, 4)
    waiting.learn(machine.look())
    machine.runs(None, 30)
    machine.runs(0, 4)
    waiting.learn(machine.look())
    assert waiting.waited_ns == 30 * MS


def test_it_proves_it_before_if_it_is_seen_waiting_and_is_not_paid_twice() -> None:
    machine, waiting = Machine(), Waiting()
    waiting.learn(machine.look())
    machine.runs(0, 4)
    machine.runs(None, 10)
    waiting.learn(machine.look())
    assert waiting.waited_ns == 0
    machine.runs(None, 5)
    waiting.learn(machine.look())
    assert waiting.waited_ns == 5 * MS
    machine.runs(0, 1)
    waiting.learn(machine.look())
    assert waiting.waited_ns == 15 * MS


def test_threads_that_wait_for_each_other_earn_nothing() -> None:
    machine, waiting = Machine(20), Waiting()
    waiting.learn(machine.look())
    machine.ready = set(range(20))
    for turn in range(100):
        machine.runs(turn % 20, 3)
        waiting.learn(machine.look())
    assert sum(machine.delay) > 2000 * MS
    assert waiting.waited_ns == 0


def test_many_threads_that_wait_together_prove_no_more_than_one() -> None:
    machine, waiting = Machine(3), Waiting()
    waiting.learn(machine.look())
    machine.ready = {0, 1, 2}
    for thread in (0, 1, 2):
        machine.runs(None, 100)
        machine.runs(thread, 1)
        waiting.learn(machine.look())
    machine.ready = set()
    machine.runs(None, 1000)
    waiting.learn(machine.look())
    assert waiting.waited_ns == machine.full == 300 * MS


def test_a_thread_that_takes_over_proves_its_own_waiting() -> None:
    machine, waiting = Machine(2), Waiting()
    waiting.learn(machine.look())
    for thread in (0, 1, 0, 1):
        machine.ready = {thread}
        machine.runs(None, 20)
        machine.runs(thread, 2)
        machine.ready = set()
        waiting.learn(machine.look())
    assert waiting.waited_ns == 80 * MS


def test_while_a_thread_queues_those_that_hand_over_prove_all_their_waiting() -> None:
    machine, waiting = Machine(3), Waiting()
    machine.ready = {0, 1, 2}
    waiting.learn(machine.look())
    for turn in range(10):
        machine.runs(turn % 2, 2)
        machine.runs(None, 8)
        machine.ready = {1 - turn % 2, 2}  # the other one has handed over to it, and sleeps
        waiting.learn(machine.look())
    assert waiting.waited_ns == machine.full == 80 * MS


def test_without_trust_nothing_counts_then_or_later() -> None:
    machine, waiting = Machine(), Waiting()
    waiting.learn(machine.look())
    machine.runs(0, 1)
    machine.runs(None, 30)
    machine.runs(0, 1)
    waiting.learn(machine.look(), trusted=False)
    machine.runs(None, 7)
    machine.runs(0, 1)
    waiting.learn(machine.look())
    assert waiting.waited_ns == 7 * MS


steps = st.lists(
    st.tuples(st.none() | st.integers(0, 3), st.integers(1, 50), st.frozensets(st.integers(0, 3)), st.booleans())
)


@given(steps)
def test_nothing_is_ever_proven_that_was_not_waited(taken: list[tuple[int | None, int, frozenset[int], bool]]) -> None:
    """Whatever threads do: they wake, run, wait for each other, and go to sleep after they ran."""
    machine, waiting = Machine(4), Waiting()
    waiting.learn(machine.look())
    for thread, ms, then, looks in taken:
        machine.runs(thread, ms)
        if thread is not None and thread not in then:
            machine.ready.discard(thread)
        machine.ready |= then
        if looks:
            waiting.learn(machine.look())
        assert waiting.waited_ns <= machine.full


@pytest.mark.skipif(not counted(), reason="this kernel does not count run delays")
def test_all_processes_and_threads_of_a_program_are_seen_and_one_that_is_gone_is_trusted_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = """
import os, threading, time
child = os.fork()
if not child:
    while time.process_time() < 0.05:
        pass
    threading.Thread(target=os.read, args=(0, 1)).start()
    print("ready", flush=True)
else:
    os.wait()
    print("gone", flush=True)
    os.read(0, 1)
"""
    looks: list[tuple[int, bool]] = []
    monkeypatch.setattr(
        Waiting, "learn", lambda _, look, *, trusted: looks.append((len(look.threads), trusted)), raising=True
    )
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", program], stdin=pipe, stdout=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        threads = Threads(lambda: [process.pid], 0)
        assert process.stdout.readline() == b"ready\n"
        before = threads.account()
        assert before.used_us >= 50_000
        threads.look()
        process.stdin.write(b"1")
        process.stdin.flush()
        assert process.stdout.readline() == b"gone\n"
        after = threads.account()
        assert after.used_us >= before.used_us
        process.stdin.write(b"1")
    assert threads.account().used_us == after.used_us, "the last account serves after its end"
    (threads_before, trusted), _, (threads_after, trusted_after) = looks
    assert (threads_before, trusted) == (3, True)
    assert (threads_after, trusted_after) == (1, False)
