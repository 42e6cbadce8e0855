"""The cost of coordinating: a run whose matches take no time, because a made-up crew answers with blocks of results at once.

Everything else is real: schedule, seats, seeds, store, records, and the clerk that rates. Prints the processor time of the
coordinator for a match, and how many matches a second one of its kind could coordinate.
"""

import argparse
import json
import os
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import trio

from bench.ladders import SEATS, WISH, Watch, new_home
from bullring.arena.cells.processes.frames import Frames
from bullring.arena.match.cost import Spent
from bullring.ladder.pairing.informed import Informed
from bullring.ladder.run.live_ratings import Rated
from bullring.ladder.run.progress import Progress
from bullring.ladder.run.run import LadderRun, Plays, Stops
from bullring.ladder.run.workers.crew import Worker
from bullring.ladder.run.workers.failures import Failures
from bullring.ladder.run.workers.messages import (
    Answer,
    Block,
    Drop,
    Order,
    OrderWriter,
    Outcome,
    Play,
    Played,
    Seat,
    Setup,
    answer_bytes,
    answer_of,
)
from bullring.ladder.store.dictionary import NO_DICTIONARY
from bullring.ladder.store.packed_row import packed
from bullring.ladder.store.packet import pack
from bullring.ladder.store.rows import MatchRow, SeatRow

BLOCK = 64
RECORD = os.urandom(430)
"""As many bytes as a packed record has, which cannot be packed any more."""


class MadeUp(Worker):
    """A worker whose matches take no time."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.name = f"made-up worker {number}"
        self.todo: list[Play] = []
        self.writer = OrderWriter()
        self.sent = 0

    def say(self, order: Order) -> None:
        """Encode the order, as for a process, and take it."""
        self.sent += len(self.writer.write(order))
        if isinstance(order, Play):
            self.todo.append(order)


class Crew:
    """Workers that answer in blocks. The time of making them up is not the coordinator's."""

    def __init__(self, workers: int, setup: Setup) -> None:
        self.workers: Sequence[MadeUp] = [MadeUp(number) for number in range(workers)]
        self.failures = Failures(workers)
        self.others = 0.0
        """Processor time of the made-up workers, in seconds."""
        self._setup = setup
        self._random = np.random.default_rng(1)
        self._told: deque[tuple[MadeUp, bytes]] = deque()

    async def flush(self) -> None:
        began = time.process_time()
        for worker in self.workers:
            while worker.todo:
                some, worker.todo = worker.todo[:BLOCK], worker.todo[BLOCK:]
                self._told.append((worker, self._answer(some)))
        self.others += time.process_time() - began

    def _answer(self, orders: Sequence[Play]) -> bytes:
        played, records = [], []
        for order in orders:
            (match,) = order.matches
            heads = self._random.integers(0, 40, SEATS) + [2 * bot for bot in match.ids]
            ranks = [1 + int((heads < one).sum()) for one in heads]
            rows = [
                SeatRow(bot, int(score), rank, [], False, {28: 4, 30: 6}, {}, Spent(300, 200, 0))
                for bot, score, rank in zip(match.ids, heads, ranks, strict=True)
            ]
            times = "2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z"
            list_, format_ = self._setup.list.id, self._setup.format
            row = MatchRow(match.id, list_, format_, None, match.seed, *times, None, True, 1, rows, f"{match.id:064x}")
            seats = [Seat(one.bot, one.heads, one.rank, 10, 300, 200, 0, 0, None) for one in rows]
            played.append(Played(order.id, [Outcome(match.id, None, packed(row), seats)]))
            records.append(pack(match.id, RECORD, NO_DICTIONARY))
        return answer_bytes(Block(played, records))

    async def answers(self, wait: float, gather: float) -> Sequence[tuple[Worker, Answer | None]]:
        await trio.lowlevel.checkpoint()
        found: list[tuple[Worker, Answer | None]] = []
        while self._told:
            worker, data = self._told.popleft()
            found += [(worker, answer_of(message)) for message in Frames().feed(data)]
        return found

    def say(self, order: Order) -> None:
        assert isinstance(order, Drop)
        for worker in self.workers:
            worker.todo.clear()
            worker.playing.clear()

    def wake(self) -> None:
        pass

    def lost(self, worker: Worker) -> str:
        raise AssertionError

    async def close(self) -> None:
        pass


class _Run(LadderRun):
    """Notes the processor time when a share of the matches was played: what goes before is not the matches'."""

    marks: list[tuple[int, float]]
    crew: Crew

    def progress(self) -> Progress:
        self.marks.append((self.matches, time.process_time() - self.crew.others))
        return super().progress()


def main() -> None:
    """Play, measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=50_000)
    parser.add_argument("--workers", type=int, default=16)
    parser.add_argument("--bots", type=int, default=12)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bullring-bench-") as name:
        program = Path(name) / "program"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        home, store, list_ = new_home(Path(name), given.bots, str(program))
        with closing(store):
            plays = Plays(list_, "ladder", None, Informed(SEATS, np.random.default_rng(1)))
            stops = Stops(given.matches)
            run = _Run(home, store, plays, Rated(home, store, list_), stops, 1, Watch(stops))
            run.marks = []

            def hired(nursery: trio.Nursery, setup: Setup) -> Crew:
                run.crew = Crew(given.workers, setup)
                return run.crew

            run._hired = hired  # type: ignore[method-assign]
            began = time.monotonic()
            trio.run(run.run, home.settings(), WISH)
            seconds = time.monotonic() - began
        early = next(mark for mark in run.marks if mark[0] >= given.matches // 4)
        late = run.marks[-1]
        each = (late[1] - early[1]) / (late[0] - early[0])
        size = sum(path.stat().st_size for path in home.path.glob("ladder.db*"))
    print(json.dumps({"ms": 1000 * each, "matches/s": 1 / each, "seconds": seconds, "database": size / given.matches}))


if __name__ == "__main__":
    main()
