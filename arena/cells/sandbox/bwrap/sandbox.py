"""The sandbox of the tier `bwrap`: bubblewrap is given its options, and tells the first process of the new namespace."""

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from io import FileIO

import trio

from bullring.arena.cells.sandbox import first_process, procfs
from bullring.arena.cells.sandbox.bwrap import TIER, arguments
from bullring.arena.cells.sandbox.bwrap.remedies import for_bubblewrap
from bullring.arena.cells.sandbox.cell import OnLog
from bullring.arena.cells.sandbox.cgroups import Cgroup, Subtree
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.installations import which
from bullring.arena.cells.sandbox.local.confine_and_exec import shut
from bullring.arena.cells.sandbox.local.process import LocalCell
from bullring.arena.cells.sandbox.local.sandbox import (
    LocalSandbox,
    Marks,
    compiled,
    confining,
    cores_of,
    environment,
    pipes,
)
from bullring.arena.cells.sandbox.pipes import Pipes
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.cells.sandbox.seccomp import policy
from bullring.arena.cells.sandbox.visible import BOT, BOX, Visible, with_our_python
from bullring.arena.cells.text.lines import LineBuffer
from bullring.errors import HostError

SETUP_LIMIT = 120.0
"""Seconds after which a bubblewrap that has not created its namespaces hangs. A busy machine only makes it slow."""


class BwrapSandbox(LocalSandbox):
    """Starts programs in namespaces of their own."""

    tier = TIER
    has_namespaces = True
    sockets = policy.NETWORK_OF_ITS_OWN

    def __init__(self, nursery: trio.Nursery, cgroups: Subtree | None, owner: Owner, *, freeze: bool) -> None:
        self._bubblewrap = arguments.find()
        super().__init__(nursery, cgroups, owner, freeze=freeze)

    async def _launch(self, program: Program, visible: Visible, marks: Marks, on_log: OnLog) -> LocalCell:
        """Start it in namespaces that bubblewrap creates."""
        user, cgroup = marks.user, marks.cgroup
        visible = with_our_python(visible)
        with ExitStack() as stack:
            told, status = map(stack.enter_context, _pipe())
            descriptors = {"seccomp": _readable(self._filter_for(program), stack), "json-status-fd": status.fileno()}
            machine = {name: _readable(data, stack) for name, data in procfs.snapshot().items()}
            shell = os.open(first_process.SHELL, os.O_RDONLY)
            stack.callback(os.close, shell)
            confine = _readable(compiled(), stack)
            options = arguments.options_of(
                self._bubblewrap,
                program,
                visible,
                self._owner.hidden,
                environment(visible, BOT, BOX),
                descriptors,
                machine,
                shell,
                confine,
            )
            given = _readable(b"".join(os.fsencode(option) + b"\0" for option in options), stack)
            confined = arguments.confined(program, visible, self._owner.hidden)
            command = [self._bubblewrap.path, "--args", str(given), "--", *confined]
            shown = [str(program.folder), *map(str, visible.shown)]
            if user is not None and any(map(shut, shown)):
                # Only root can enter the folders above, so root has to make them visible first.
                plan = {"command": command, "environment": {}, "folder": "/", "user": user, "show": shown}
                command = confining(plan, f"/proc/self/fd/{confine}")
            elif user is not None:
                command = _as_user(user, command)
            if cgroup is not None:
                command = _joining(cgroup, command)
            with pipes(user) as (ours, theirs):
                core = next(self._cores)
                # Without a mark: the bot can read this environment, that of its first process. If we are killed before bubblewrap
                # is set to die with us, it dies when it writes its status.
                process = self._spawn(
                    command,
                    {},
                    theirs,
                    cores_of(program, core),
                    (given, *descriptors.values(), *machine.values(), shell, confine),
                )
            status.close()
            said = bytearray()
            cell = LocalCell(process, Pipes(ours, said.extend), program.caps, marks.mark, cgroup, core)
            cell.held.append(os.dup(told.fileno()))  # bubblewrap would die if its last message could not be read
            try:
                cell.enter_namespace(await _first_process(told, process))
            except BaseException as error:
                await cell.end()
                if isinstance(error, HostError):
                    raise HostError(
                        f"{error}: {said.decode('utf-8', 'replace').strip()}{for_bubblewrap(bytes(said))}"
                    ) from None
                raise
        on_log(bytes(said))
        cell.pipes.on_log = on_log
        return cell


open_tier = BwrapSandbox.opened


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


async def _first_process(told: FileIO, process: "subprocess.Popen[bytes]") -> int:
    """Read the process id of the namespace's first process from bubblewrap's status. Raises `HostError`."""
    buffer, lines = LineBuffer(), list[bytes]()
    with trio.move_on_after(SETUP_LIMIT) as waiting:
        while not lines:  # the status comes in pieces
            await trio.lowlevel.wait_readable(told)
            more = os.read(told.fileno(), 4096)
            if not more:
                break
            lines += buffer.feed(more)
    if waiting.cancelled_caught:
        raise HostError(f"bubblewrap did not create its namespaces within {SETUP_LIMIT:g} s")
    try:
        return int(json.loads(lines[0])["child-pid"])
    except (ValueError, LookupError, TypeError):
        raise HostError("bubblewrap could not create its namespaces") from None
