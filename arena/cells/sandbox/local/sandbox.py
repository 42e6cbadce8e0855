"""The sandbox of the tiers whose bots are processes of this machine: `bwrap`, `landlock` and `none`."""

import json
import marshal
import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence, Set
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from io import FileIO
from pathlib import Path
from typing import Any

import trio

from bullring.arena.cells.sandbox import cores, procfs
from bullring.arena.cells.sandbox.caps import Caps
from bullring.arena.cells.sandbox.cell import OnLog
from bullring.arena.cells.sandbox.cgroups import Cgroup, Subtree
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.installations import NETWORK_SETTINGS, SYSTEM, system_settings, which
from bullring.arena.cells.sandbox.local import bwrap, tree, users
from bullring.arena.cells.sandbox.local.confine_and_exec import shut
from bullring.arena.cells.sandbox.local.process import LocalCell
from bullring.arena.cells.sandbox.local.remedies import for_bubblewrap as remedy
from bullring.arena.cells.sandbox.program import Program, Workshop
from bullring.arena.cells.sandbox.proof import CANARY, prove
from bullring.arena.cells.sandbox.seccomp import bpf, policy
from bullring.arena.cells.sandbox.seccomp.syscalls import machine
from bullring.arena.cells.sandbox.tiers import Tier
from bullring.arena.cells.sandbox.visible import BOX, Visible, visible_to
from bullring.arena.cells.text.lines import LineBuffer
from bullring.errors import CellError, HostError

CONFINE_AND_EXEC = Path(__file__).parent / "confine_and_exec.py"

SETUP_LIMIT = 10.0
"""Seconds that bubblewrap may take to create its namespaces."""

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
"""Devices that programs may use in the tier `landlock`."""

OWN_MEMORY = "/proc/self/maps"
"""All that programs may read of /proc in the tier `landlock`: the C library looks there for the stack, and Mono ends without it."""

BOX_OF_LANDLOCK = "/dev/shm"
"""Where programs find their box in the tier `landlock`, if we are root: a folder in memory is mounted there, for each its own."""

BOX_FILES = 1024
"""Most files in such a box."""

Ends = tuple[int, int, int]
"""Descriptors of stdin, stdout and stderr."""

MEMORY_LOOK = 0.4
"""Seconds between two checks of a program's memory, where the kernel does not enforce the cap."""

LOOKING = 0.2
"""Most of a core that these checks may take. Programs with very many open files are looked at more seldom."""


class LocalSandbox:
    """One of the local tiers. Raises `HostError` if this machine does not have it."""

    def __init__(
        self, tier: Tier, nursery: trio.Nursery, cgroups: Subtree | None, owner: Owner, *, freeze: bool
    ) -> None:
        self.tier = tier
        self.freeze = freeze and (tier is Tier.BWRAP or (cgroups is not None and "freezer" in cgroups.controllers))
        self._nursery = nursery
        self._owner = owner
        self._cells: set[LocalCell] = set()
        """Running cells."""
        self._cgroups = cgroups
        self._controllers: frozenset[str] = cgroups.controllers if cgroups else frozenset()
        self._sockets = policy.NETWORK_OF_ITS_OWN if tier is Tier.BWRAP else policy.NO_SOCKETS
        self._filter = b""
        if tier is Tier.BWRAP:
            self._bubblewrap = bwrap.find()
        if tier is not Tier.NONE:
            self._filter = bpf.program(policy.rules(self._sockets), machine())
        self.counts = "pressure" in self._controllers
        self._cores = iter(cores.in_turn())
        if "memory" not in self._controllers:
            nursery.start_soon(self._watch_memory)

    def means(self) -> str:
        """How caps are enforced."""
        memory = "memory by cgroup" if "memory" in self._controllers else "memory by a watchdog"
        if "pids" in self._controllers:
            processes = "processes by cgroup"
        elif self.tier is Tier.BWRAP or os.geteuid() == 0:
            processes = "processes by rlimit"
        else:
            processes = "processes without limit"
        return f"{memory}, {processes}, one core for each bot"

    async def prepare(self, program: Program) -> str:
        """Do nothing: there is nothing to prepare, and no image."""
        return ""

    async def start(self, program: Program, on_log: OnLog) -> LocalCell:
        """Start a program. It may not have reached its first line when this returns.

        Must run in the main thread: a child that asks to die with its parent dies with the *thread* that started it.
        Raises `CellError`, `HostError`.
        """
        try:
            visible = visible_to(program)
        except (OSError, ValueError) as error:
            raise CellError(f"its files cannot be examined: {error}") from None
        program = replace(program, caps=_possible(program.caps))
        cgroup = self._cgroups.make(program.caps) if self._cgroups else None
        mark = self._owner.mark()
        user = users.draw()
        try:
            if self.tier is Tier.BWRAP:
                cell = await self._by_bubblewrap(program, visible, user, cgroup, mark, on_log)
            else:
                cell = self._by_itself(program, visible, user, cgroup, mark, on_log)
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
        self._nursery.start_soon(cell.follow)
        self._nursery.start_soon(self._watch_exit, cell)
        return cell

    def _filter_for(self, program: Program) -> bytes:
        """The filter of system calls that a program gets."""
        if program.workshop is None:
            return self._filter
        families = policy.INTERNET if program.workshop.network else self._sockets
        return bpf.program(policy.rules(families, init=True, locks=True), machine())

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

    def _by_itself(
        self, program: Program, visible: Visible, user: int | None, cgroup: Cgroup | None, mark: str, on_log: OnLog
    ) -> LocalCell:
        """Start it in a process that confines itself and then becomes the program."""
        command = list(visible.command)
        if command[0].startswith("./"):
            command[0] = str(program.folder / command[0])
        limits = [
            (resource.RLIMIT_NOFILE, program.caps.open_files),
            (resource.RLIMIT_FSIZE, program.caps.file),
            (resource.RLIMIT_CORE, bwrap.NO_CORE),
            (resource.RLIMIT_MEMLOCK, 0),
            (resource.RLIMIT_MSGQUEUE, 0),
            (resource.RLIMIT_SIGPENDING, bwrap.SIGNALS),
            (resource.RLIMIT_STACK, bwrap.STACK),
        ]
        if "memory" not in self._controllers:
            limits.append((resource.RLIMIT_DATA, 2 * program.caps.memory))
        plan: dict[str, Any] = {
            "command": command,
            "environment": {**_environment(visible, "/nonexistent"), tree.MARK: mark},
            "folder": str(program.folder),
            "join": [str(path) for path in cgroup.join_paths] if cgroup else [],
            "parent": os.getpid(),
            "limits": limits,
        }
        shown = [str(program.folder), *map(str, visible.shown)]
        if user is not None:
            limits.append((resource.RLIMIT_NPROC, program.caps.processes))
            plan |= {"user": user, "show": shown, "cover": [str(path) for path in self._owner.hidden]}
        workshop = program.workshop or Workshop()
        if workshop.box is not None and user is not None:
            os.chown(workshop.box, user, user)
        if self.tier is Tier.LANDLOCK:
            settings = system_settings(building=program.workshop is not None)
            read = [*SYSTEM, *settings, *(NETWORK_SETTINGS if workshop.network else ()), *shown, OWN_MEMORY]
            plan["landlock"] = {"read": read, "write": list(DEVICES), "network": workshop.network}
            plan["landlock"]["own"] = [str(workshop.box)] if workshop.box is not None else []
            if user is not None and workshop.box is None and _is_free(BOX_OF_LANDLOCK, shown):
                plan["box"] = (
                    BOX_OF_LANDLOCK,
                    f"size={program.caps.box},nr_inodes={BOX_FILES},mode=0700,uid={user},gid={user}",
                )
                plan["environment"] |= {"HOME": BOX_OF_LANDLOCK, "TMPDIR": BOX_OF_LANDLOCK}
                plan["landlock"]["own"] = [BOX_OF_LANDLOCK]
            plan["seccomp"] = self._filter_for(program)
        with _pipes(user) as (ours, theirs):
            core = next(self._cores)
            # With its mark, so that it is found if we are killed before it is set to die with us.
            process = self._spawn(_confining(plan), {tree.MARK: mark}, theirs, _cores_of(program, core))
        return LocalCell(process, ours, program.caps, mark, cgroup, on_log, core)

    async def _by_bubblewrap(
        self, program: Program, visible: Visible, user: int | None, cgroup: Cgroup | None, mark: str, on_log: OnLog
    ) -> LocalCell:
        """Start it in namespaces that bubblewrap creates."""
        with ExitStack() as stack:
            told, status = map(stack.enter_context, _pipe())
            descriptors = {"seccomp": _readable(self._filter_for(program), stack), "json-status-fd": status.fileno()}
            machine = {name: _readable(data, stack) for name, data in procfs.snapshot().items()}
            environment = _environment(visible, BOX)
            options = bwrap.arguments(
                self._bubblewrap, program, visible, self._owner.hidden, environment, descriptors, machine
            )
            given = _readable(b"".join(os.fsencode(option) + b"\0" for option in options), stack)
            limited = bwrap.limited(visible.command, program.caps, memory="memory" not in self._controllers)
            command = [self._bubblewrap.path, "--args", str(given), "--", *limited]
            shown = [str(program.folder), *map(str, visible.shown)]
            if user is not None and any(map(shut, shown)):
                # Only root can enter the folders above, so root has to make them visible first.
                command = _confining(
                    {"command": command, "environment": {}, "folder": "/", "user": user, "show": shown}
                )
            elif user is not None:
                command = _as_user(user, command)
            if cgroup is not None:
                command = _joining(cgroup, command)
            with _pipes(user) as (ours, theirs):
                core = next(self._cores)
                # Without a mark: the bot can read this environment, that of its first process. If we are killed before bubblewrap
                # is set to die with us, it dies when it writes its status.
                process = self._spawn(
                    command, {}, theirs, _cores_of(program, core), (given, *descriptors.values(), *machine.values())
                )
            status.close()
            said = bytearray()
            cell = LocalCell(process, ours, program.caps, mark, cgroup, said.extend, core)
            cell.held.append(os.dup(told.fileno()))  # bubblewrap would die if nobody could read its last message
            try:
                cell.enter_namespace(await _first_process(told, process))
            except BaseException as error:
                await cell.end()
                if isinstance(error, HostError):
                    raise HostError(
                        f"{error}: {said.decode('utf-8', 'replace').strip()}{remedy(bytes(said))}"
                    ) from None
                raise
        on_log(bytes(said))
        cell.on_log = on_log
        return cell

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
    """These caps with no more open files than we ourselves may have, because nobody can give more."""
    return replace(caps, open_files=min(caps.open_files, _most_open_files()))


def _most_open_files() -> int:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return sys.maxsize if most == resource.RLIM_INFINITY else most


def _cores_of(program: Program, core: int) -> Set[int]:
    """The cores that a program may use: one, unless it builds, which goes quicker on several."""
    return {core} if program.workshop is None else set(cores.cores())


def _environment(visible: Visible, home: str) -> dict[str, str]:
    """Return the environment of a bot, which contains nothing of the referee's."""
    # A bot's folder belongs to its author: Python must not write caches to it.
    return {"PATH": visible.path, "HOME": home, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}


def _is_free(folder: str, shown: Sequence[str]) -> bool:
    """Whether something can be mounted on a folder: it is there, and nothing that is to be shown is in it."""
    return Path(folder).is_dir() and not any(Path(path).is_relative_to(folder) for path in shown)


def _confining(plan: dict[str, Any]) -> list[str]:
    return [sys.executable, "-I", "-S", str(CONFINE_AND_EXEC), marshal.dumps(plan).hex()]


def _joining(cgroup: Cgroup, command: Sequence[str]) -> list[str]:
    """Prefix a command so that it first joins a cgroup.

    Before bubblewrap creates a cgroup namespace, of which that cgroup then is the root: the bot cannot see its name. And not by our
    own hand, because the kernel may take 10 ms for it.
    """
    script = 'for procs; do shift; [ "$procs" = -- ] && break; echo 0 >"$procs" || exit; done; exec "$@"'
    return ["/bin/sh", "-c", script, "sh", *map(str, cgroup.join_paths), "--", *command]


def _as_user(user: int, command: Sequence[str]) -> list[str]:
    """Prefix a command with setpriv. Popen(user=...) would fork the whole referee instead of using vfork. Raises `HostError`."""
    setpriv = which("setpriv")
    if setpriv is None:
        raise HostError("there is no program setpriv on this machine; install util-linux")
    return [setpriv, f"--reuid={user}", f"--regid={user}", "--clear-groups", "--", *command]


def _pipe() -> Iterator[FileIO]:
    read, write = os.pipe()
    yield FileIO(read, "r")
    yield FileIO(write, "w")


def _readable(data: bytes, stack: ExitStack) -> int:
    """Return a descriptor from which these bytes can be read."""
    fd = os.memfd_create("bullring")
    stack.callback(os.close, fd)
    os.write(fd, data)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


@contextmanager
def _pipes(user: int | None) -> Iterator[tuple[Ends, Ends]]:
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


async def _first_process(told: FileIO, process: "subprocess.Popen[bytes]") -> int:
    """Read the process id of the namespace's first process from bubblewrap's status. Raises `HostError`."""
    buffer, lines = LineBuffer(), list[bytes]()
    with trio.move_on_after(SETUP_LIMIT):
        while not lines:  # the status comes in pieces
            await trio.lowlevel.wait_readable(told)
            more = os.read(told.fileno(), 4096)
            if not more:
                break
            lines += buffer.feed(more)
    try:
        return int(json.loads(lines[0])["child-pid"])
    except (ValueError, LookupError, TypeError):
        raise HostError("bubblewrap could not create its namespaces") from None
