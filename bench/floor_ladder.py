"""The floor of a ladder: the same bots, driven by a plain Python loop on one core.

It deals, composes all messages, and places cards by the rules, one table after another, over raw pipes. It has no cells, no clocks,
no faults, no records and no ratings. Bots run as they are, unconfined. Prints one line of JSON.

matches: matches a second; decisions: decisions a match; own_us and bots_us: microseconds of processor time a decision of the loop
itself and of its bots.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.cost import cpu
from bullring.arena.cells.bots.load import load
from bullring.arena.cells.sandbox.program import OURS, PYTHON
from bullring.arena.games.rules.game import Batch, Shuffle
from bullring.arena.games.rules.ranks import ranks
from bullring.arena.games.rules.registry import find
from bullring.arena.match.composer import Addressee, Composer
from bullring.arena.match.seats.answer import meant
from bullring.protocol.connection import Connection

READ_SIZE = 65536
LIMITS = {"play_us": 1_000_000, "row_us": 1_000_000, "bank_us": 0, "tick_us": 0}
WARM = 0.2
"""Share of the time in which bots warm up."""


class Seat:
    """One bot and its pipes."""

    def __init__(self, name: str, chance: random.Random) -> None:
        program = load(name).program
        words = [sys.executable if word in (PYTHON, OURS) else word for word in program.command]
        self.process = subprocess.Popen(
            words, cwd=program.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.read_fd, self.write_fd = self.process.stdout.fileno(), self.process.stdin.fileno()
        self.connection = Connection(lambda: chance.getrandbits(31))
        while self.connection.receive_hello(os.read(self.read_fd, READ_SIZE)) is None:
            pass


def play(seats: Sequence[Seat], chance: random.Random) -> int:
    """Play one match of one deal. Returns the number of decisions."""
    game = find("standard")(len(seats), {"deals": 1})
    state, composer, decisions = game.new(), Composer(game), 0
    tos = [Addressee(index, seat.connection.encoder) for index, seat in enumerate(seats)]
    for to, seat in zip(tos, seats, strict=True):
        message = composer.welcome(LIMITS, 3, "0" * 64, seat=to.index, seed=1, clock="wall")
        os.write(seat.write_fd, to.encoder.message(message))
    while (pending := state.pending) is not None:
        if isinstance(pending, Shuffle):
            cards = [*pending.deck]
            chance.shuffle(cards)
            composer.journal.add(game.advance_deal(state, cards[: pending.cards]))
            continue
        assert isinstance(pending, Batch)
        composer.begin(state, pending)
        for request, index in enumerate(pending.seats):
            seat = seats[index]
            frame = composer.decide(tos[index], pending.options[request], seat.connection.ask(), 1_000_000, 0)
            os.write(seat.write_fd, frame)
        answers: list[Any] = []
        for request, index in enumerate(pending.seats):
            seat, said = seats[index], None
            while said is None:
                said = seat.connection.receive(os.read(seat.read_fd, READ_SIZE))
            answers.append(meant(said, pending.options[request]))
        decisions += len(answers)
        composer.journal.add(game.advance(state, answers))
    scores = list(state.scores)
    for to, seat in zip(tos, seats, strict=True):
        os.write(seat.write_fd, composer.over(to, scores, ranks(scores, [False] * len(scores)), void=False))
    return decisions


def main() -> None:
    """Play for some seconds, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bots", nargs="+")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--core", type=int)
    given = parser.parse_args()
    if given.core is not None:
        os.sched_setaffinity(0, {given.core})
    chance = random.Random(1)
    seats = [Seat(name, chance) for name in given.bots]
    began = time.monotonic()
    while time.monotonic() < began + WARM * given.seconds:
        play(seats, chance)
    matches = decisions = 0
    warm, own = time.monotonic(), cpu()
    bots = _cpu_of(seats)
    while time.monotonic() < began + given.seconds:
        decisions += play(seats, chance)
        matches += 1
    passed, own, bots = time.monotonic() - warm, cpu() - own, _cpu_of(seats) - bots
    print(
        json.dumps(
            {
                "matches": matches / passed,
                "decisions": decisions / matches,
                "own_us": own / decisions * 1e6,
                "bots_us": bots / decisions * 1e6,
            }
        )
    )
    for seat in seats:
        assert seat.process.stdin is not None
        seat.process.stdin.close()
        seat.process.wait()


def _cpu_of(seats: Sequence[Seat]) -> float:
    """Seconds of processor time of the bots."""
    return sum(int(Path(f"/proc/{seat.process.pid}/schedstat").read_bytes().split()[0]) for seat in seats) / 1e9


if __name__ == "__main__":
    main()
