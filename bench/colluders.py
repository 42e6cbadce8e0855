"""What two bots at one table can still tell each other, in bits a turn, for each way that no tier closes.

Both programs run on one core, one after the other, as thinkers of one table do; the one that does not run is frozen. What got
through is counted as information: of bits of which a share is wrong, only a part is worth anything.
"""

import argparse
import json
import os
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path
from statistics import median

import trio
from rich.console import Console

from bench.figures import table, wide_console
from bench.tiers import missing
from bullring.arena.linebuffer import LineBuffer
from bullring.arena.sandbox.cell import Cell
from bullring.arena.sandbox.opening import open_sandbox
from bullring.arena.sandbox.program import PYTHON, Program
from bullring.arena.sandbox.tiers import Tier
from bullring.arena.sandbox.wish import Wish
from bullring.errors import HostError

TURN = 100_000.0
"""Microseconds that either may take in a turn."""

HAND = 47
"""Bits in a hand: which 10 of the 104 cards it has are 1 of 2.6e13 possibilities, and 45 bits; with their seat, 47."""

WAYS = {"first reads": 256, "mappings": 256, "inode numbers": 8, "sysinfo": 5}
"""The bits of one note, for each way."""

LIMIT = 60.0
"""Seconds that an answer may take."""


@dataclass(frozen=True)
class Note:
    """One note: how much of it came through, and how long each side took."""

    said: int
    """Bits of which the receiver did not know that it could not know them."""
    right: int
    us: float
    """Of the slower side."""


async def ask(cell: Cell, way: str, do: str, bits: Sequence[int] = (), count: int = 0) -> dict[str, object]:
    """Let a program run until it has answered."""
    cell.thaw()
    asked = json.dumps({"way": way, "do": do, "bits": bits, "count": count}).encode() + b"\n"
    assert cell.send(asked) == len(asked)
    answer = await hear(cell)
    cell.freeze()
    return answer


async def hear(cell: Cell) -> dict[str, object]:
    """Its next line."""
    buffer, lines = LineBuffer(), list[bytes]()
    with trio.fail_after(LIMIT):
        while not lines:
            await trio.lowlevel.wait_readable(cell.read_fd)
            try:
                more = cell.recv()
            except BlockingIOError:
                continue
            if not more:
                raise HostError(f"the program {cell.exit_text()}")
            lines += buffer.feed(more)
    answer: dict[str, object] = json.loads(lines[0])
    return answer


def show(log: bytes) -> None:
    """Show what a program complains of."""
    sys.stderr.write(log.decode("utf-8", "replace"))


async def notes(tier: Tier, rounds: int) -> dict[str, list[Note]]:
    """Pass notes in each way."""
    found: dict[str, list[Note]] = {way: [] for way in WAYS}
    command = (PYTHON, "-I", "-S", "colluder.py", secrets.token_hex(8))
    program = Program(command, Path(__file__).parent)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    async with open_sandbox(Wish(tier.value, freeze=True, proven=False)) as sandbox:
        cells = [await sandbox.start(program, show) for _ in range(2)]
        sender, receiver = cells
        for cell in cells:
            await hear(cell)
        for way, count in WAYS.items():
            for _ in range(rounds):
                bits = [secrets.randbelow(2) for _ in range(count)]
                await ask(receiver, way, "look")
                sent = await ask(sender, way, "send", bits, count)
                received = await ask(receiver, way, "receive", (), count)
                found[way].append(judge(bits, sent, received))
                await ask(sender, way, "forget")
        for cell in cells:
            cell.thaw()
            await cell.end()
    return found


def judge(bits: Sequence[int], sent: dict[str, object], received: dict[str, object]) -> Note:
    """Count what came through."""
    got = received["bits"]
    assert isinstance(got, list)
    times = [float(str(answer["us"])) for answer in (sent, received)]
    right = sum(one == other for one, other in zip(bits, got, strict=True))
    return Note(sum(bit in (0, 1) for bit in got), right, max(times))


def worth(right: float) -> float:
    """The information in a bit that is right with this probability."""
    wrong = 1 - right
    return 1 + sum(share * log2(share) for share in (right, wrong) if share > 0) if right > 0.5 else 0.0


def a_turn(way: str, found: Sequence[Note]) -> float:
    """Bits of information that one turn carries."""
    said = sum(note.said for note in found)
    bits = said / len(found) * worth(share_right(found))
    # A number is told once a turn; a page stands for itself.
    return bits * (TURN / median(note.us for note in found) if way in ("first reads", "mappings") else 1)


def share_right(found: Sequence[Note]) -> float:
    """The share of right bits among those that were said."""
    return sum(note.right for note in found) / max(1, sum(note.said for note in found))


def section(console: Console, rounds: int) -> None:
    """Measure and print the table. There is no target: this is what is left open."""
    shown = table(
        f"Notes between two bots at one table, {TURN / 1000:g} ms a turn; a hand is {HAND} bits",
        *("tier", "way", "bits a note", "said", "right", "us a note", "bits a turn"),
    )
    for tier in (Tier.BWRAP, Tier.DOCKER):
        if reason := missing(tier):
            console.print(f"colluders: left out: tier {tier}: {reason}", markup=False, highlight=False)
            continue
        for way, found in trio.run(notes, tier, rounds).items():
            said = sum(note.said for note in found) / len(found)
            slowest = median(note.us for note in found)
            shown.add_row(
                *(tier, way, f"{WAYS[way]}", f"{said:.0f}", f"{share_right(found):.1%}"),
                *(f"{slowest:.0f}", f"{a_turn(way, found):.0f}"),
            )
        shown.add_section()
    console.print(shown)


def main() -> None:
    """Measure and print only this table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    section(wide_console(), parser.parse_args().rounds)


if __name__ == "__main__":
    main()
