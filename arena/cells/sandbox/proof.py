"""Prove a tier: a canary in a cell tries what must be forbidden there.

A filter that lets everything through looks like one that works until somebody tries.
"""

import contextlib
import json
import os
import secrets
import socket
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import trio

from bullring.arena.cells.sandbox import identity
from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.cell import Cell, Sandbox, gaps_of, said
from bullring.arena.cells.sandbox.program import PYTHON, Program
from bullring.arena.cells.sandbox.seccomp.syscalls import machine
from bullring.arena.cells.sandbox.temporary import temporary
from bullring.arena.cells.text.lines import LineBuffer
from bullring.errors import CellError, HostError

CANARY = Path(__file__).parent / "canary"

PATIENCE = 120.0
"""Seconds after which a canary that says nothing hangs. It says something after each try, and a busy machine only makes it slow."""

UNNOTICED = 60.0
"""Seconds after which nobody will notice the memory that a canary has."""

BESIDE = 0.15
"""Seconds of processor time that we use on the core of a frozen canary. If it could run, it would use about as much."""

CAPS = Caps(memory=64 * MIB, processes=24, file=1 * MIB, box=2 * MIB)
"""Small, so that the canary reaches them quickly."""


@dataclass(frozen=True)
class Try:
    """One thing that the canary tried."""

    name: str
    held: bool
    came: str
    needed: bool
    """Whether the tier claims to prevent it."""


@dataclass(frozen=True)
class Proof:
    """The results of all tries."""

    tries: tuple[Try, ...]
    failure: str = ""
    """The reason why the tries could not be made; otherwise empty."""

    @property
    def holds(self) -> bool:
        """Whether the tier does what it claims."""
        return not self.failure and all(each.held for each in self.tries if each.needed)

    def text(self) -> str:
        """The reason why it does not hold, in one sentence; empty if it does."""
        if self.failure:
            return self.failure
        broken = "; ".join(f"{each.name} ({each.came})" for each in self.tries if each.needed and not each.held)
        return broken and f"the canary could break these promises: {broken}"


async def prove(sandbox: Sandbox, *, thorough: bool = False) -> Proof:
    """Try a tier, which takes some tens of milliseconds. With `thorough`, also try memory and freezing, which take longer."""
    tries: list[Try] = []
    open_ = tuple(each for gap in gaps_of(sandbox) for each in gap.tries)
    try:
        with _aims() as aims:
            async with _cell(sandbox, "probe.py") as (cell, lines, log):
                _say(cell, aims)
                while (line := await lines.next()) and (got := json.loads(line))[0] != "done":
                    name, held, came = got
                    tries.append(Try(name, held, came, not name.startswith(open_)))
                if not line:
                    await cell.wait()
                    return Proof((), _ended(cell, tries, log))
                if thorough and cell.freezes:
                    tries.append(await _frozen(cell, lines))
            if thorough:
                tries.append(await _too_much_memory(sandbox, needed=not "caps: memory".startswith(open_)))
    except (CellError, HostError) as error:
        return Proof((), str(error))
    except trio.TooSlowError:
        return Proof((), f"the canary said nothing for {PATIENCE:g} s, {_after(tries)}")
    return Proof(_merged(tries))


def _ended(cell: Cell, tries: list[Try], log: bytearray) -> str:
    """Describe the end of a canary that has not made all tries."""
    breach = cell.breach()
    seen = [breach[1] if breach else cell.host_fault() or "", log.decode("utf-8", "replace")[-500:].strip()]
    return ": ".join([f"the canary {cell.exit_text()} {_after(tries)}", *filter(None, seen)])


def _after(tries: list[Try]) -> str:
    return f"after the try {tries[-1].name!r}" if tries else "before its first try"


def _merged(tries: list[Try]) -> tuple[Try, ...]:
    """Keep one try for each name: the first that failed, or else the first."""
    merged: dict[str, Try] = {}
    for each in tries:
        if each.name not in merged or (merged[each.name].held and not each.held):
            merged[each.name] = each
    return tuple(merged.values())


@contextmanager
def _aims() -> Iterator[dict[str, Any]]:
    """Create the canary's targets: files, sockets and ports of our own."""
    with temporary("canary") as folder, contextlib.ExitStack() as stack:
        folder.chmod(0o755)
        secret = folder / "secret"
        secret.write_text("nobody's business", "utf-8")
        board = folder / "open"
        board.write_text("anybody may write here", "utf-8")
        board.chmod(0o666)
        port = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        name = f"bullring-{secrets.token_hex(8)}"
        plain = stack.enter_context(socket.socket(socket.AF_UNIX))
        plain.bind("\0" + name)
        plain.listen()
        yield {
            "secret": str(secret),
            "open": str(board),
            "port": port.getsockname()[1],
            "abstract": name,
            "referee": os.getpid(),
            "name": identity.me(),
            "processes": CAPS.processes,
            "file": CAPS.file,
            "calls": machine().numbers,
        }


class _Lines:
    """The output of a canary, read line by line; an empty line is the end."""

    def __init__(self, cell: Cell) -> None:
        self._cell = cell
        self._buffer = LineBuffer()
        self._lines: deque[bytes] = deque()

    async def next(self) -> str:
        while not self._lines:
            with trio.fail_after(PATIENCE):
                more = await said(self._cell)
            if not more:
                self._cell.read_log()
                return ""
            self._lines.extend(self._buffer.feed(more))
        return self._lines.popleft().decode("utf-8", "replace")


@asynccontextmanager
async def _cell(sandbox: Sandbox, *command: str) -> AsyncIterator[tuple[Cell, _Lines, bytearray]]:
    log = bytearray()
    cell = await sandbox.start(Program((PYTHON, "-I", "-S", *command), CANARY, CAPS), log.extend)
    try:
        yield cell, _Lines(cell), log
    finally:
        await cell.end()


def _say(cell: Cell, message: object) -> None:
    with contextlib.suppress(OSError):  # it has ended, which its output tells
        cell.send(json.dumps(message).encode() + b"\n")


async def _frozen(cell: Cell, lines: _Lines) -> Try:
    """Freeze a canary that computes without end, as its child does, and see what they use."""
    _say(cell, "spin")
    await lines.next()
    cell.freeze()
    await _used_beside(cell)  # some stop only when they would run
    frozen = await _used_beside(cell)
    cell.thaw()
    before = cell.usage()[0]
    with trio.move_on_after(PATIENCE) as waiting:
        while cell.usage()[0] == before:
            await trio.sleep(0.01)
    came = f"it used {1000 * frozen:.0f} ms of its core while we used {1000 * BESIDE:.0f} ms"
    if waiting.cancelled_caught:
        came += ", and did not continue when thawed"
    return Try("time: freezing", frozen < BESIDE / 2 and not waiting.cancelled_caught, came, True)


async def _used_beside(cell: Cell) -> float:
    """The seconds of processor time that a program uses while we use `BESIDE` on its core."""
    before = cell.usage()[0]
    await trio.to_thread.run_sync(_spin, cell.core)
    return cell.usage()[0] - before


def _spin(core: int) -> None:
    allowed = os.sched_getaffinity(0)
    with contextlib.suppress(OSError):  # programs that are not bound have any number
        os.sched_setaffinity(0, {core})
    until = time.thread_time() + BESIDE
    while time.thread_time() < until:
        pass
    os.sched_setaffinity(0, allowed)


async def _too_much_memory(sandbox: Sandbox, *, needed: bool) -> Try:
    async with _cell(sandbox, "hog.py", str(CAPS.memory * 3 // 4)) as (cell, lines, _):
        had = await lines.next()
        # Where the kernel does not count, they have it until the next look.
        with trio.move_on_after(UNNOTICED) as waiting:
            while had and not cell.ended():
                await trio.sleep(0.01)
        breach = cell.breach()
    if waiting.cancelled_caught:
        return Try(
            "caps: memory", False, f"{CAPS.memory * 3 // 2 >> 20} MiB where {CAPS.memory >> 20} are allowed", needed
        )
    return Try("caps: memory", True, breach[1] if breach else "refused", needed)
