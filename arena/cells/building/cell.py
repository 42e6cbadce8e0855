"""One build, in a cell: the command runs in a copy of the folder inside the cell, and the result arrives as a stream of bytes.

So a build writes to no folder of the machine, which would need quotas that few file systems give to everybody. The program that
sends the result need not be trusted: a forged stream holds only what could have been built. What a build leaves for the next one of
the same bot (`building.stock`) comes the same way.
"""

import json
import shlex
import signal
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import trio

from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.building.room import unwritable
from bullring.arena.cells.building.stock import Handover
from bullring.arena.cells.building.unpack import Unpacking
from bullring.arena.cells.files.fill import filling
from bullring.arena.cells.files.measure import below
from bullring.arena.cells.files.walk import Bounds
from bullring.arena.cells.sandbox import first_process
from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.cell import Breach, Cell, Sandbox, said
from bullring.arena.cells.sandbox.program import PYTHON, Program, Workshop
from bullring.arena.cells.sandbox.temporary import temporary
from bullring.arena.cells.sandbox.visible import visible_to
from bullring.arena.cells.text.doing import Work
from bullring.arena.cells.text.log import Log
from bullring.errors import FilesError, HostError

INSIDE = Path(__file__).resolve().parent / "inside" / "build_and_send.py"

OUTPUT = 64 * MIB
"""Bytes that a build may print."""

KEPT = 1 * MIB
"""Bytes of its output that are kept."""

MOST_FILES = 50_000
"""Files and folders of what a build makes."""

MOST_BOXED = 4 * MOST_FILES
"""Files and folders in a box that is a folder of the machine."""

OPEN_FILES = 4096
"""Open files of each process of a build: linkers open many."""

LOOK = 0.25
"""Seconds between two looks at the clock, and at a box that is a folder of the machine."""


@dataclass
class Outcome:
    """The outcome of a build."""

    hash: str = ""
    """The hash of what it made; empty if it failed."""
    why: str = ""
    """The reason of a failure, in words that follow "the build ...". """
    log: str = ""
    """The output of the build; the middle of a long one is left out."""


async def build(
    command: tuple[str, ...],
    source: Path,
    target: Path,
    sandbox: Sandbox,
    limits: BuildLimits,
    handover: Handover | None = None,
    reads: tuple[Path, ...] = (),
    work: Work | None = None,
) -> Outcome:
    """Run `command` on a copy of `source` in a cell, and put the whole folder that results into `target`, an empty folder of ours.

    With a `handover`, it begins with what earlier builds left, and leaves something for later ones. It also sees `reads`. If it is
    a `work`, that shows the last line of its output. Raises `CellError` if it cannot be started, and `HostError` if the machine
    fails.
    """
    log = Log(OUTPUT, KEPT)
    # In tiers without a box, a folder of the machine serves as one.
    with nullcontext() if sandbox.tier.has_box else temporary("build") as box:
        cell = await sandbox.start(_program(command, source, box, limits, handover, reads), log.write)
        try:
            attempt = Attempt(cell, box, limits, handover)
            log.too_much = attempt.printed_too_much
            if work is not None:
                work.look = log.last_line
            outcome = await attempt.follow(command, target)
        finally:
            await cell.end()
    outcome.log = log.text()
    return outcome


def _program(
    command: tuple[str, ...],
    source: Path,
    box: Path | None,
    limits: BuildLimits,
    handover: Handover | None,
    reads: tuple[Path, ...],
) -> Program:
    """Our program in the cell, which runs the command. Raises `CellError`."""
    caps = Caps(
        memory=limits.memory
        + limits.disk,  # what is in the box is memory, too, where it is not a folder of the machine
        processes=limits.processes,
        file=limits.disk,
        box=limits.disk,
        output=OUTPUT,
        open_files=OPEN_FILES,
    )
    # Seen as if the command were run itself.
    visible = visible_to(Program(command, source))
    stock = handover.given if handover is not None else None
    plan = {
        "command": visible.command,
        "path": visible.path,
        "box": str(box) if box is not None else "",
        "stock": str(stock) if stock is not None else "",
        "most": handover.most if handover is not None else 0,
    }
    return Program(
        command=(PYTHON, "-I", "-S", str(INSIDE), json.dumps(plan)),
        folder=source,
        caps=caps,
        reads=(INSIDE, *((stock,) if stock is not None else ()), *visible.shown, *reads),
        workshop=Workshop(limits.network, box),
    )


class Attempt:
    """A build that runs."""

    def __init__(self, cell: Cell, box: Path | None, limits: BuildLimits, handover: Handover | None = None) -> None:
        self._cell = cell
        self._box = box
        self._limits = limits
        self._handover = handover
        self._why = ""
        """The reason why the arena ended it, if it did."""

    def printed_too_much(self) -> None:
        """End it."""
        self._end(f"printed more than {OUTPUT // MIB} MiB")

    async def follow(self, command: tuple[str, ...], target: Path) -> Outcome:
        """Take what it sends until it has ended. Raises `HostError`."""
        self._cell.hang_up()
        bounds = Bounds(self._limits.disk, MOST_FILES)
        with filling(target, "the built folder") as folder:
            unpacking = Unpacking(folder, bounds, self._handover)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.watch_clock)
                if self._box is not None:
                    nursery.start_soon(self._watch_box, self._box)
                try:
                    await self._receive(unpacking, target)
                except FilesError as error:
                    self._end(str(error))
                nursery.cancel_scope.cancel()
        fault = self._cell.host_fault()
        if fault is not None:
            raise HostError(f"a build was given up: {fault}")
        if unpacking.hash is not None and not self._why:
            return Outcome(hash=unpacking.hash)
        return Outcome(why=await self._reason(command, unpacking.status))

    async def _receive(self, unpacking: Unpacking, target: Path) -> None:
        """Receive the result. Raises `FilesError`; `HostError` if it cannot be written."""
        while not unpacking.done:
            data = await said(self._cell)
            if not data:
                return
            try:
                unpacking.feed(data)
            except OSError as error:
                raise unwritable(error, target) from None

    async def watch_clock(self) -> None:
        """End it when its time is up. While the machine stands still, and we with it, no time passes."""
        left = self._limits.time
        while left > 0:
            before = trio.current_time()
            await trio.sleep(min(LOOK, left))
            left -= min(trio.current_time() - before, 2 * LOOK)
        self._end(f"took longer than {self._limits.time:g} s (the key time under [build] in the settings)")

    async def _watch_box(self, box: Path) -> None:
        """End it when its box is too large. Where a box is a folder of the machine, nothing else bounds it."""
        while await trio.to_thread.run_sync(_fits, box, self._limits.disk):
            await trio.sleep(LOOK)
        self._end(self._too_large())

    def _too_large(self) -> str:
        return f"wrote more than {self._limits.disk // MIB} MiB (the key disk_mib under [build] in the settings)"

    def _end(self, why: str) -> None:
        self._why = self._why or why
        self._cell.kill()

    async def _reason(self, command: tuple[str, ...], status: int | None) -> str:
        if self._why:
            return self._why
        breach = self._cell.breach()
        if breach is None and status is None:
            await self._cell.wait()
            breach = self._cell.breach()
        most = f"more memory than {self._limits.memory // MIB} MiB (the key memory_mib under [build] in the settings)"
        if breach is not None and breach[0] is Breach.MEMORY:
            return f"needed {most}: {breach[1]}"
        words = shlex.join(command)
        if status is None:
            return f"ended before its result had come: its cell {self._cell.exit_text()}"
        if status > 0:
            return f"failed: {words} exited with status {status}"
        # A container does not tell for what one of its processes was killed.
        guess = f", as the kernel does with what needs {most}" if -status == signal.SIGKILL else ""
        return f"failed: {words} was killed by {first_process.name(-status)}{guess}"


def _fits(box: Path, most: int) -> bool:
    """Whether what is in a folder takes no more than `most` bytes of the disk, nor too many files."""
    for files, found in enumerate(below(box, MOST_BOXED)):
        most -= found.st_blocks * 512
        if most < 0 or files > MOST_BOXED:
            return False
    return True
