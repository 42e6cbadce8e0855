"""Prove a tier: a canary in a cell tries what must be forbidden there.

A filter that lets everything through looks like one that works until somebody tries.
"""

import contextlib
import json
import os
import secrets
import socket
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

LIMIT = 30.0
"""Seconds that all tries together may take."""

STILL = 0.1
"""Seconds for which a frozen canary must stay silent."""

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
        return "; ".join(f"{each.name}: {each.came}" for each in self.tries if each.needed and not each.held)


async def prove(sandbox: Sandbox, *, thorough: bool = False) -> Proof:
    """Try a tier, which takes some tens of milliseconds. With `thorough`, also try memory and freezing, which take longer."""
    tries: list[Try] = []
    open_ = tuple(each for gap in gaps_of(sandbox) for each in gap.tries)
    try:
        with trio.fail_after(LIMIT), _aims() as aims:
            async with _cell(sandbox, "probe.py") as (cell, lines, log):
                await _say(cell, aims)
                while (line := await lines.next()) and (got := json.loads(line))[0] != "done":
                    name, held, came = got
                    tries.append(Try(name, held, came, not name.startswith(open_)))
                if not line:
                    await cell.wait()
                    return Proof((), f"the canary {cell.exit_text()}: {log.decode('utf-8', 'replace')[-500:].strip()}")
                if thorough and cell.freezes:
                    tries.append(await _frozen(cell, lines))
            if thorough:
                tries.append(await _too_much_memory(sandbox, needed=not "caps: memory".startswith(open_)))
    except (CellError, HostError) as error:
        return Proof((), str(error))
    except trio.TooSlowError:
        return Proof(tuple(tries), f"the canary did not finish within {LIMIT:g} s")
    return Proof(_merged(tries))


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


async def _say(cell: Cell, message: object) -> None:
    data = json.dumps(message).encode() + b"\n"
    if cell.send(data) != len(data):
        raise HostError("the canary does not read its input")


async def _frozen(cell: Cell, lines: _Lines) -> Try:
    cell.freeze()
    await _say(cell, "are you there?")
    with trio.move_on_after(STILL) as still:
        await lines.next()
    cell.thaw()
    if not still.cancelled_caught:
        return Try("time: freezing", False, "it kept running", True)
    return Try("time: freezing", await lines.next() == "still here", "it stopped, and continued when thawed", True)


async def _too_much_memory(sandbox: Sandbox, *, needed: bool) -> Try:
    size = CAPS.memory * 5 // 2
    hog = f"data = bytearray({size})\nfor at in range(0, {size}, 4096): data[at] = 1\nprint('I have it', flush=True)\ninput()"
    async with _cell(sandbox, "-c", hog) as (cell, lines, _):
        had = await lines.next()
        breach = cell.breach()
    if had:
        return Try("caps: memory", False, f"{size >> 20} MiB where {CAPS.memory >> 20} are allowed", needed)
    return Try("caps: memory", True, breach[1] if breach else "refused", needed)
