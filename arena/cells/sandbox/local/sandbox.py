"""The base of tiers whose bots are processes of this machine. By itself it confines nothing, as in the tier `none`."""

import importlib.util
import marshal
import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar, Self

import trio

from bullring.arena.cells.sandbox import cores, threads
from bullring.arena.cells.sandbox.caps import Caps
from bullring.arena.cells.sandbox.cell import OnLog
from bullring.arena.cells.sandbox.cgroups import Cgroup, Subtree
from bullring.arena.cells.sandbox.choice import Opener
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.landlock import rules
from bullring.arena.cells.sandbox.local import tree, users
from bullring.arena.cells.sandbox.local.process import LocalCell
from bullring.arena.cells.sandbox.pipes import Ends, Pipes
from bullring.arena.cells.sandbox.program import Program, Workshop
from bullring.arena.cells.sandbox.promises import Means, means_of
from bullring.arena.cells.sandbox.proof import CANARY, prove
from bullring.arena.cells.sandbox.seccomp import bpf, policy
from bullring.arena.cells.sandbox.seccomp.syscalls import machine
from bullring.arena.cells.sandbox.tier import Tier
from bullring.arena.cells.sandbox.visible import Visible, visible_to
from bullring.arena.cells.sandbox.wish import Wish
from bullring.errors import CellError, HostError

CONFINE_AND_EXEC = Path(__file__).parent / "confine_and_exec.py"

OUR_PYTHON = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
"""The program of the Python that ours is made of."""

Plan = dict[str, Any]
"""The plan of `confine_and_exec`."""

MEMORY_LOOK = 0.4
"""Seconds between two checks of a program's memory, where the kernel does not enforce the cap."""

LOOKING = 0.2
"""Most of a core that these checks may take. Programs with very many open files are looked at more seldom."""


@dataclass(frozen=True)
class Marks:
    """The marks of a program that tell it from all others on the machine."""

    mark: str
    """In its environment, as the owner draws it."""
    user: int | None
    """Its own user, if we are root."""
    cgroup: Cgroup | None


class LocalSandbox:
    """Starts programs as processes of this machine. Raises `HostError` if this machine does not have the tier."""

    tier: Tier
    has_namespaces: ClassVar[bool] = False
    """Whether each program has its own namespace of processes, in which they can be counted and stopped one by one."""
    sockets: ClassVar[tuple[int, ...] | None] = None
    """The families of sockets that the filter of system calls allows; None if there is no filter."""

    @classmethod
    async def opened(cls, opener: Opener, wish: Wish) -> Self:
        """Open the tier."""
        return cls(opener.nursery, opener.subtree, opener.owner, freeze=wish.freeze)

    def __init__(self, nursery: trio.Nursery, cgroups: Subtree | None, owner: Owner, *, freeze: bool) -> None:
        self.freeze = freeze and (self.has_namespaces or (cgroups is not None and "freezer" in cgroups.controllers))
        self._nursery = nursery
        self._owner = owner
        self._cells: set[LocalCell] = set()
        """Running cells."""
        self._cgroups = cgroups
        self._controllers: frozenset[str] = cgroups.controllers if cgroups else frozenset()
        self._policy_for = partial(policy.policy_for, counted="memory" in self._controllers)
        self._filter = b"" if self.sockets is None else bpf.program(self._policy_for(self.sockets), machine())
        self.counts = "pressure" in self._controllers or threads.counted()
        self._cores = iter(cores.in_turn())
        if "memory" not in self._controllers:
            nursery.start_soon(self._watch_memory)
        if "pressure" not in self._controllers and self.counts:
            nursery.start_soon(threads.watch, self._cells)

    @property
    def means(self) -> frozenset[Means]:
        caps = {"memory": Means.MEMORY, "pids": Means.PROCESSES, "pressure": Means.PRESSURE}
        found = [caps[name] for name in caps.keys() & self._controllers]
        return means_of(self.freeze, self.counts, *found, *([Means.LANDLOCK] if rules.let_rename() else []))

    async def prepare(self, program: Program) -> str:
        return ""

    async def start(self, program: Program, on_log: OnLog) -> LocalCell:
        """Start a program. It may not have reached its first line when this returns.

        Must run in the main thread: a child that asks to die with its parent dies with the *thread* that started it.
        Raises `CellError`, `HostError`.
        """
        visible = visible_to(program)
        program = replace(program, caps=_possible(program.caps))
        cgroup = self._cgroups.make(program.caps) if self._cgroups else None
        mark = self._owner.mark()
        user = users.draw()
        try:
            cell = await self._launch(program, visible, Marks(mark, user, cgroup), on_log)
        except BaseException as error:
            if cgroup is not None:
                cgroup.kill()
                with trio.CancelScope(shield=True):
                    await cgroup.remove()
            if isinstance(error, HostError) and program.folder != CANARY and (await prove(self)).holds:
                # The canary starts, so this program is the cause.
                raise CellError(str(error)) from None
            raise
        cell.freezes = self.freeze
        cell.watched_by_kernel = "memory" in self._controllers
        self._nursery.start_soon(cell.pipes.follow)
        self._nursery.start_soon(self._watch_exit, cell)
        return cell

    def _filter_for(self, program: Program) -> bytes:
        """The filter of system calls that a program gets."""
        if program.workshop is None or self.sockets is None:
            return self._filter
        families = policy.INTERNET if program.workshop.network else self.sockets
        return bpf.program(self._policy_for(families, init=True, locks=True), machine())

    async def _watch_exit(self, cell: LocalCell) -> None:
        self._cells.add(cell)
        await cell.watch_exit()
        self._cells.discard(cell)

    async def _watch_memory(self) -> None:
        """Condemn programs that use too much memory."""
        todo: list[LocalCell] = []
        took = 0.0
        while True:
            # One after the other: checking all at once would be a stall in somebody's thinking time.
            await trio.sleep(max(MEMORY_LOOK / max(1, len(self._cells)), took / LOOKING))
            todo = todo or list(self._cells)
            if todo and (cell := todo.pop()) in self._cells:
                began = trio.current_time()
                await cell.look_at_memory()
                took = trio.current_time() - began

    async def _launch(self, program: Program, visible: Visible, marks: "Marks", on_log: OnLog) -> LocalCell:
        """Start it in a process that confines itself and then becomes the program."""
        user, cgroup = marks.user, marks.cgroup
        command = list(visible.command)
        if command[0].startswith("./"):
            command[0] = str(program.folder / command[0])
        limits = program.caps.limits()
        if user is not None:
            limits["nproc"] = program.caps.processes
        plan: Plan = {
            "command": command,
            "environment": {**environment(visible, str(program.folder), "/nonexistent"), tree.MARK: marks.mark},
            "folder": str(program.folder),
            "join": [str(path) for path in cgroup.join_paths] if cgroup else [],
            "parent": os.getpid(),
            "limits": limits_of(limits),
        }
        shown = [str(program.folder), *map(str, visible.shown)]
        if user is not None:
            plan |= {"user": user, "show": shown, "cover": [str(path) for path in self._owner.hidden]}
        workshop = program.workshop or Workshop()
        if workshop.box is not None and user is not None:
            os.chown(workshop.box, user, user)
        self._confine(plan, program, shown, user)
        with pipes(user) as (ours, theirs):
            core = next(self._cores)
            # With its mark, so that it is found if we are killed before it is set to die with us.
            process = self._spawn(confining(plan), {tree.MARK: marks.mark}, theirs, cores_of(program, core))
        return LocalCell(process, Pipes(ours, on_log), program.caps, marks.mark, cgroup, core)

    def _confine(self, plan: Plan, program: Program, shown: Sequence[str], user: int | None) -> None:
        """Add to the plan (see `confine_and_exec`) what confines the program. `shown` are the paths it may see."""

    def _spawn(
        self,
        command: Sequence[str],
        environment: dict[str, str],
        theirs: Ends,
        on: Set[int],
        passed: Sequence[int] = (),
    ) -> "subprocess.Popen[bytes]":
        """Start a process that inherits only this environment, these pipes and the `passed` descriptors. Raises `HostError`."""
        allowed = os.sched_getaffinity(0)
        stdin, stdout, stderr = theirs
        try:
            # The bot inherits this, and the filter keeps it from changing it.
            os.sched_setaffinity(0, on)
            return subprocess.Popen(
                command,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                pass_fds=passed,
                env=environment,
                cwd="/",
                umask=0o077,
                start_new_session=True,
            )
        except OSError as error:
            raise HostError(f"{command[0]} cannot be started: {error.strerror or error}") from None
        finally:
            os.sched_setaffinity(0, allowed)


def _possible(caps: Caps) -> Caps:
    """These caps with no more open files than we ourselves may have, because we cannot give more."""
    return replace(caps, open_files=min(caps.open_files, _most_open_files()))


def _most_open_files() -> int:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return sys.maxsize if most == resource.RLIM_INFINITY else most


def cores_of(program: Program, core: int) -> Set[int]:
    """The cores that a program may use: one, unless it builds, which goes quicker on several."""
    return {core} if program.workshop is None else set(cores.cores())


def environment(visible: Visible, folder: str, home: str) -> dict[str, str]:
    """Return the environment of a bot with this folder, which contains nothing of the referee's."""
    # A bot's folder belongs to its author: Python must not write caches to it.
    return visible.environment(folder) | {"HOME": home, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}


def limits_of(limits: Mapping[str, int]) -> list[tuple[int, int]]:
    """These limits, in a plan."""
    return [(getattr(resource, f"RLIMIT_{name.upper()}"), limit) for name, limit in limits.items()]


def confining(plan: Plan, program: str = str(CONFINE_AND_EXEC)) -> list[str]:
    """The command that carries out a plan, by `confine_and_exec` at this path."""
    return [OUR_PYTHON, "-I", "-S", program, marshal.dumps(plan).hex()]


@cache
def compiled() -> bytes:
    """The contents of a compiled file of `confine_and_exec`: compiling takes a fifth of the time."""
    code = compile(CONFINE_AND_EXEC.read_bytes(), "confine", "exec", dont_inherit=True)
    return importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)


@contextmanager
def pipes(user: int | None) -> Iterator[tuple[Ends, Ends]]:
    """Create the pipes: our ends and their ends. Theirs are closed on exit, ours only if something goes wrong."""
    pipes = [os.pipe() for _ in range(3)]
    stdin, stdout, stderr = pipes
    ours, theirs = (stdin[1], stdout[0], stderr[0]), (stdin[0], stdout[1], stderr[1])
    if user is not None:
        for fd in theirs:
            os.fchown(
                fd, user, user
            )  # programs open /dev/stdout and the like, and a pipe belongs to the user who created it
    try:
        yield ours, theirs
    except BaseException:
        for fd in ours:
            os.close(fd)
        raise
    finally:
        for fd in theirs:
            os.close(fd)
