"""A cell that is a process of this machine, with everything it starts."""

import contextlib
import os
import signal
import subprocess

import trio

from bullring.arena.cells.sandbox import first_process, identity, threads
from bullring.arena.cells.sandbox.account import Account
from bullring.arena.cells.sandbox.caps import Caps
from bullring.arena.cells.sandbox.cell import Breach, beyond
from bullring.arena.cells.sandbox.cgroups import Cgroup
from bullring.arena.cells.sandbox.local import memory, stopping, tree
from bullring.arena.cells.sandbox.pipes import Pipes

REAP_LIMIT = 5.0
"""Seconds to wait for killed processes to disappear. One that hangs in the kernel must not hang the arena."""

_live: dict[int, str] = {}
"""Marks of this referee's running programs, by process id."""


class LocalCell:
    """A program in a process. Created by `LocalSandbox.start`."""

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
        pipes: Pipes,
        caps: Caps,
        mark: str,
        cgroup: Cgroup | None,
        core: int,
    ) -> None:
        self.pipes = pipes
        self.write_fd, self.read_fd = pipes.write_fd, pipes.read_fd
        self.recv, self.send = pipes.recv, pipes.send
        self.read_log, self.hang_up = pipes.read_log, pipes.hang_up
        self.process = process
        self.init: int | None = None
        """Process id of the first process of its pid namespace, if it has one. All others die with it."""
        self.freezes = False
        self.frozen = False
        self.core = core
        self.watched_by_kernel = False
        """Whether the kernel enforces its memory cap."""
        self.held: list[int] = []
        """Descriptors to close at its end."""
        self._caps = caps
        self._mark = mark
        self._cgroup = cgroup
        cgroup_counts = cgroup is not None and cgroup.counts
        self.threads = threads.Threads(self._roots, core) if threads.counted() and not cgroup_counts else None
        """What counts for it, unless its cgroup does."""
        self._stopped = False
        """Whether its processes were stopped to freeze it."""
        self._init_fd: int | None = None
        self._killed = False
        self._ending = False
        self._closed = False
        self._breach: tuple[Breach, str] | None = None
        _live[process.pid] = mark
        try:
            self._began = identity.start_time(process.pid)
        except OSError:
            self._began = 0  # has ended already

    def __repr__(self) -> str:
        return f"<LocalCell of process {self.process.pid}, {'ended' if self.ended() else 'running'}>"

    def enter_namespace(self, init: int) -> None:
        """Set the first process of its new namespace."""
        self.init = init
        with contextlib.suppress(ProcessLookupError):  # it may have ended already, and the others with it
            self._init_fd = os.pidfd_open(init)

    def freeze(self) -> None:
        if self.frozen or not self.freezes or self._killed:
            return
        self.frozen = True
        if self._cgroup is not None and self._cgroup.freezes:
            self._cgroup.freeze()
        elif self.init is not None:
            self._stopped = True
            if not stopping.stop(self.init):
                self.condemn(Breach.FORKS, "processes that fork faster than they can be stopped")

    def thaw(self) -> None:
        if not self.frozen:
            return
        self.frozen = False
        if self.init is not None and self._stopped:
            self._stopped = False
            stopping.resume(self.init)
        elif self._cgroup is not None:
            self._cgroup.thaw()

    def ended(self) -> bool:
        return self._killed or self.process.poll() is not None

    def exit_text(self) -> str:
        code = self.process.poll()
        if code is None:
            return "still running"
        if self._killed and code in (-signal.SIGKILL, 128 + signal.SIGKILL):
            return "ended by the arena"
        if code < 0:
            return f"killed by {first_process.name(-code)}"
        if self.init is None:
            return f"exited with status {code}"
        self.read_log()
        return first_process.told(code, self.pipes.last_words)

    def _killed_by(self, code: int) -> int:
        """The number of the signal that ended the program; 0 if it exited by itself, or where that cannot be told."""
        if code < 0:
            return -code
        self.read_log()
        return first_process.signal_of(code, self.pipes.last_words) if self.init is not None else 0

    def condemn(self, breach: Breach, evidence: str) -> None:
        if self._breach is None and not self._killed:
            self._breach = breach, evidence
            self.kill()

    def breach(self) -> tuple[Breach, str] | None:
        if self._breach is not None:
            return self._breach
        if self._cgroup is None or self._killed or not self._cgroup.oom_kills():
            return None
        # Its output ends a moment before its exit status is available, and this must not wait for the status.
        code = self.process.poll()
        if code is not None and self._killed_by(code) != signal.SIGKILL:
            return None
        evidence = "the kernel killed what had most of it (cgroup, out of memory)"
        self._breach = Breach.MEMORY, f"{beyond(self._caps.memory)}: {evidence}"
        return self._breach

    def host_fault(self) -> str | None:
        if self._cgroup is not None and self._cgroup.host_oom_kills() and not self._killed:
            return "the machine has no memory left, and the kernel ended a bot that was within its limit"
        return None

    async def look_at_memory(self) -> None:
        """Condemn it if its memory and its buffers exceed the cap, unless the kernel enforces that.

        In a thread: with thousands of open files a bot could make us look for so long that others' clocks run on.
        """
        if self.watched_by_kernel or self._ending:
            return
        limit = self._caps.memory
        size, buffers = await trio.to_thread.run_sync(self._memory, limit, abandon_on_cancel=True)
        if size + buffers > limit and not self.ended():
            parts = f"{size >> 20} MiB in its processes, up to {buffers >> 20} MiB in sockets and pipes"
            self.condemn(Breach.MEMORY, f"{beyond(limit)}: {parts}")

    def _memory(self, limit: int) -> tuple[int, int]:
        """Bytes that its processes hold, and those of its buffers at most. The first process, which hides its files, is ours."""
        buffers = memory.buffers(self._processes() - {self.init}, limit, self._caps.open_files)
        return memory.held(limit - buffers, self._processes), buffers

    def _processes(self) -> set[int]:
        return tree.descendants([self.process.pid, *self._roots()])

    def _roots(self) -> list[int]:
        if self.init is not None:
            return [self.init]
        return [self.process.pid, *tree.orphans(self._mark, self._began, _live, None)]

    def account(self, *, closely: bool = True) -> Account | None:
        if self.threads is not None:
            return self.threads.account(closely=closely)
        return self._cgroup.account(self.core) if self._cgroup is not None else None

    def usage(self) -> tuple[float, int]:
        seconds, held = tree.usage(self.process.pid) if not self.ended() else (0.0, 0)
        account = self.account(closely=False)
        # The account has all that ever ran, children that have left and a program that has ended included.
        return (seconds if account is None else account.used_us / 1e6), held

    def kill(self) -> None:
        if self.process.poll() is None:
            self._killed = True
        if self._init_fd is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(self._init_fd, signal.SIGKILL)
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        if self._cgroup is not None:
            self._cgroup.kill()

    async def wait(self) -> None:
        if self.process.poll() is None:
            fd = os.pidfd_open(self.process.pid)
            try:
                await trio.lowlevel.wait_readable(fd)
            finally:
                os.close(fd)
            self.process.wait()

    async def end(self) -> None:
        if self._ending:
            return  # the descriptor numbers may belong to somebody else by now
        self._ending = True
        self.hang_up()
        with trio.CancelScope(shield=True):
            self.kill()
            if self.init is None:
                await self._end_tree()
            await self.wait()
            if self.init is not None and self._init_fd is not None:
                with trio.move_on_after(REAP_LIMIT):
                    await trio.lowlevel.wait_readable(self._init_fd)  # readable once the namespace is empty
                    await tree.reap({self.init})  # it is our child by now
                os.close(self._init_fd)
                self._init_fd = None
            _live.pop(self.process.pid, None)
            self._closed = True
            self.pipes.close()
            for fd in self.held:
                os.close(fd)
            if self._cgroup is not None:
                await self._cgroup.remove()

    async def _end_tree(self) -> None:
        """Find and end everything it started, where there is no namespace."""
        others = {mark for mark in _live.values() if mark != self._mark}
        root = self.process.pid if self.process.returncode is None else None
        doomed = tree.end(root, self._mark, self._began, _live, others)
        await self.wait()
        with trio.move_on_after(REAP_LIMIT):
            await tree.reap(doomed - {self.process.pid})

    async def watch_exit(self) -> None:
        """Once the program has ended, kill everything that could hold its output open."""
        await self.wait()
        if not self._closed:
            self.kill()
            if self.init is None:
                await self._end_tree()
