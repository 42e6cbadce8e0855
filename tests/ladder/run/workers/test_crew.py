"""The number of orders that workers are given in advance."""

from bullring.ladder.run.workers.crew import AHEAD, MOST_AHEAD, Worker


def test_a_worker_is_given_in_advance_what_it_plays_in_a_second() -> None:
    """So that it never waits for more. One that has waited for more was slower than it could be, and gets more each time."""
    worker = Worker()
    given = [worker.ahead]
    for matches, now in ((64, 100.0), (64, 100.5), (64, 101.0), (300, 102.0), (1, 200.0), (10**6, 201.0)):
        worker.answered(matches, now)
        given.append(worker.ahead)
    assert given == [AHEAD, AHEAD, AHEAD, 192, 300, AHEAD, MOST_AHEAD]
