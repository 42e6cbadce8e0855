"""One tier of the sandbox: starting, asking, freezing, killing, proving. Prints one line of JSON: medians and 99th percentiles.

Starts and round trips alternate with those of the same program without a sandbox ("raw"). Round trips run on one core, as far as
the tier allows that: otherwise the choice of core would dominate the figure.
"""

import argparse
import json
import os
import secrets
import select
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import trio

from bench.figures import Facts, p99
from bench.frames import long
from bench.pipes import READ_SIZE, bots
from bench.programs import as_bot, compiled, instant_bot, python_bot
from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.cell import Cell, Sandbox
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.proof import prove
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.cells.sandbox.wish import Wish

BLOCK = 200
"""Number of round trips in a row before the programs alternate."""
PAUSE = 0.05
"""Seconds before a start: moving a process to a control group waits for the kernel, unless one was moved a moment ago."""
ANSWER_LIMIT = 5.0
"""Most seconds to wait for an answer or the first byte."""


@dataclass(frozen=True)
class Counts:
    """The number of repetitions of each measurement."""

    starts: int = 30
    blocks: int = 20
    freezes: int = 300
    kills: int = 12
    proofs: int = 3


COUNTS = {"docker": Counts(starts=8, blocks=10, kills=4, proofs=2)}


class Talk:
    """Questions and answers over two descriptors, with blocking calls."""

    def __init__(self, recv: Callable[[], bytes], send: Callable[[bytes], int], fd: int) -> None:
        self._recv, self._send = recv, send
        self._poll = select.poll()
        self._poll.register(fd, select.POLLIN)
        self._question = long()
        self.answer = 0
        """Length of an answer in bytes; 0 before the first one."""

    def ask(self) -> float:
        """Make a round trip. Returns its microseconds."""
        began = time.perf_counter_ns()
        if self._send(self._question) != len(self._question):
            raise RuntimeError("a bot does not read")
        got = len(self.hear())
        while got < self.answer:
            got += len(self.hear())
        took = (time.perf_counter_ns() - began) / 1e3
        self.answer = self.answer or got
        return took

    def hear(self) -> bytes:
        """Wait for the next bytes."""
        while True:
            if not self._poll.poll(ANSWER_LIMIT * 1e3):
                raise RuntimeError("no bot answers")
            try:
                data = self._recv()
            except BlockingIOError:
                continue
            if not data:
                raise RuntimeError("a bot has ended")
            return data


async def start(sandbox: Sandbox, bot: Bot) -> tuple[Cell, float]:
    """Start a cell and wait for the first byte of its program. Returns the cell and the milliseconds it took."""
    began = time.perf_counter()
    cell = await sandbox.start(bot.program, lambda _: None)
    try:
        await trio.sleep(0)
        Talk(cell.recv, cell.send, cell.read_fd).hear()
    except BaseException:
        await cell.end()
        raise
    return cell, (time.perf_counter() - began) * 1e3


@asynccontextmanager
async def running(sandbox: Sandbox, bot: Bot) -> AsyncIterator[Cell]:
    """A cell whose program has written its first byte, until the end of the block."""
    cell, _ = await start(sandbox, bot)
    try:
        yield cell
    finally:
        await cell.end()


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep this program, and what it starts within the block, on one core."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def summed(name: str, values: list[float]) -> Facts:
    """Median and 99th percentile under this name."""
    return {name: median(values), f"{name}_p99": p99(values)}


async def starts(sandbox: Sandbox, count: int) -> Facts:
    """Milliseconds from the start to the first byte, for bots started with a pause and in quick succession."""
    facts: Facts = {}
    kinds = (("c", instant_bot(), PAUSE), ("next", instant_bot(), 0.0), ("python", python_bot(), PAUSE))
    for kind, command, pause in kinds:
        bot = as_bot(command)
        await sandbox.prepare(bot.program)
        bare, confined = [], []
        for number in range(count + 1):
            began = time.perf_counter()
            with bots([command]):
                raw = (time.perf_counter() - began) * 1e3
            await trio.sleep(pause)
            cell, took = await start(sandbox, bot)
            await cell.end()
            if number:  # the first start is the warm-up
                bare.append(raw)
                confined.append(took)
        facts |= summed(f"start_{kind}", confined) | summed(f"raw_start_{kind}", bare)
    return facts


async def trips(sandbox: Sandbox, blocks: int) -> Facts:
    """Microseconds from a question to its answer."""
    bare, confined, ratios = [], [], []
    with on_one_core(), bots([instant_bot()]) as [pipe]:
        raw = Talk(lambda: os.read(pipe.read_fd, READ_SIZE), lambda data: os.write(pipe.write_fd, data), pipe.read_fd)
        async with running(sandbox, as_bot(instant_bot())) as cell:
            talk = Talk(cell.recv, cell.send, cell.read_fd)
            for number in range(blocks + 1):
                block = [[each.ask() for _ in range(BLOCK)] for each in (raw, talk)]
                if number:
                    bare += block[0]
                    confined += block[1]
                    ratios.append(median(block[1]) / median(block[0]))
                await trio.sleep(0)
    return summed("trip", confined) | summed("raw_trip", bare) | {"trip_ratio": median(ratios)}


async def freezes(sandbox: Sandbox, count: int) -> Facts:
    """Microseconds to freeze and to thaw a bot, and for a round trip with a bot that was frozen before it."""
    froze, thawed, asked = [], [], []
    async with running(sandbox, as_bot(instant_bot())) as cell:
        if not cell.freezes:
            return {}
        talk = Talk(cell.recv, cell.send, cell.read_fd)
        for _ in range(count):
            began = time.perf_counter_ns()
            cell.freeze()
            frozen = time.perf_counter_ns()
            cell.thaw()
            thawing = time.perf_counter_ns()
            froze.append((frozen - began) / 1e3)
            thawed.append((thawing - frozen) / 1e3)
            cell.freeze()
            time.sleep(0.001)  # as if others were deciding
            began = time.perf_counter_ns()
            cell.thaw()
            talk.ask()
            asked.append((time.perf_counter_ns() - began) / 1e3)
    return summed("freeze", froze) | summed("thaw", thawed) | summed("thawed_trip", asked)


async def kills(sandbox: Sandbox, count: int) -> Facts:
    """Milliseconds until no process is left of a bot with 32 children."""
    program = compiled("crowd")
    if program is None:
        return {}
    times = []
    for _ in range(count):
        name = secrets.token_hex(8)
        cell, _ = await start(sandbox, as_bot((str(program), name)))
        began = time.perf_counter()
        await cell.end()
        times.append((time.perf_counter() - began) * 1e3)
        if left := named(name):
            raise RuntimeError(f"{left} processes are left of a bot that was ended")
    return summed("kill", times)


def named(word: str) -> int:
    """The number of processes on this machine with this word on their command line."""
    found = 0
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += word.encode() in path.read_bytes().split(b"\0")
        except OSError:
            continue
    return found


async def proofs(sandbox: Sandbox, count: int) -> Facts:
    """Milliseconds for the quick proof."""
    times = []
    for _ in range(count):
        began = time.perf_counter()
        proof = await prove(sandbox)
        times.append((time.perf_counter() - began) * 1e3)
        if not proof.holds:
            raise RuntimeError(proof.text())
    return summed("proof", times)


async def measure(tier: str) -> Facts:
    """Run all measurements of a tier, one after another."""
    counts = COUNTS.get(tier, Counts())
    async with open_sandbox(Wish(tier, allow_unsandboxed=True, freeze=True, proven=False)) as sandbox:
        facts = await starts(sandbox, counts.starts)
        facts |= await trips(sandbox, counts.blocks)
        facts |= await freezes(sandbox, counts.freezes)
        facts |= await kills(sandbox, counts.kills)
        return facts | await proofs(sandbox, counts.proofs)


def main() -> None:
    """Measure and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tier", choices=list(TIERS))
    print(json.dumps(trio.run(measure, parser.parse_args().tier)))


if __name__ == "__main__":
    main()
