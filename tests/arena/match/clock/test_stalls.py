"""When the machine stood still, and when it was only busy."""

from bullring.arena.match.clock.judge import STALL_MARGIN_US
from bullring.arena.match.clock.watch import Stalls, Watch

MS = 1000
LONG = STALL_MARGIN_US + 10 * MS


class Queue:
    """The time for which the referee was ready to run while others had the processor."""

    def __init__(self) -> None:
        self.us = 123_456

    def __call__(self) -> int:
        return self.us


def watched() -> tuple[Stalls, Queue]:
    """A watch that has looked until 100 ms."""
    queue = Queue()
    stalls = Stalls(queue)
    for at in range(0, 100 * MS + 1, 20 * MS):
        stalls.beat(at, at)
    return stalls, queue


def test_a_look_that_comes_late_without_a_reason_is_a_stall() -> None:
    stalls, _ = watched()
    stalls.beat(120 * MS, 120 * MS + LONG)
    assert stalls.between(90 * MS, 10_000 * MS, 120 * MS + LONG) == LONG
    assert stalls.between(120 * MS + LONG - 5, 10_000 * MS, 200 * MS + LONG) == 5, "only what lies behind the question"
    assert stalls.between(120 * MS + LONG, 10_000 * MS, 200 * MS + LONG) == 0


def test_one_that_had_to_queue_is_none() -> None:
    stalls, queue = watched()
    queue.us += LONG
    stalls.beat(120 * MS, 120 * MS + LONG)
    assert stalls.between(90 * MS, 10_000 * MS, 120 * MS + LONG) == 0


def test_nor_is_work_of_our_own_which_bots_can_make_for_us() -> None:
    queue, work = Queue(), Queue()
    stalls = Watch(queue, work).stalls
    stalls.beat(100 * MS, 100 * MS)
    queue.us, work.us = queue.us + LONG // 2, work.us + LONG // 2
    stalls.beat(120 * MS, 120 * MS + LONG)
    assert stalls.between(90 * MS, 10_000 * MS, 120 * MS + LONG) == 0


def test_nor_is_a_deadline_that_is_noticed_late_for_that_reason_whoever_looks_first() -> None:
    stalls, queue = watched()
    deadline = 119 * MS
    queue.us += LONG
    assert stalls.between(50 * MS, deadline, deadline + LONG) == 0
    stalls.beat(120 * MS, deadline + LONG)
    assert stalls.between(50 * MS, deadline, deadline + LONG) == 0


def test_a_deadline_that_is_noticed_late_without_a_reason_is_evidence() -> None:
    stalls, _ = watched()
    assert stalls.between(50 * MS, 119 * MS, 119 * MS + LONG) == LONG
    assert stalls.between(50 * MS, 119 * MS, 119 * MS + STALL_MARGIN_US) == 0
