"""A cell that is a container, connected through the engine's attach stream."""

import contextlib
import os
import select
import signal
import socket
from collections.abc import Callable
from functools import partial
from typing import Any

import trio

from bullring.arena.cells.sandbox import first_process
from bullring.arena.cells.sandbox.account import Account
from bullring.arena.cells.sandbox.cell import Breach, OnLog, beyond
from bullring.arena.cells.sandbox.cgroups import Cgroup
from bullring.arena.cells.sandbox.container.engine import Engine
from bullring.arena.cells.sandbox.container.frames import STDERR, STDOUT, FrameError, Frames
from bullring.arena.cells.sandbox.local import tree
from bullring.arena.cells.sandbox.threads import Threads
from bullring.errors import HostError

READ_SIZE = 65536
"""Bytes per read."""

READS_AT_ONCE = 16
"""Most reads for one answer while only stderr arrives. A bot that floods stderr must not hold up the arena."""

MOST_UNREAD = 256 * 1024
"""Bytes of unread stdout above which no more is read."""

END_LIMIT = 5.0
"""Seconds within which a container must end after its output has ended, and the engine must know."""

REMOVE_LIMITS = (5.0, 20.0)
"""Seconds that the engine may take to remove a container, for each attempt."""

LAST_WORDS = 0.5
"""Seconds within which the engine must pass on what a program wrote before its end."""

LOOK_AGAIN = 0.005
"""Seconds between two questions to the engine about the same thing."""

OOM_GRACE, OOM_AGAIN = 1.0, 0.05
"""Seconds for which the engine is asked whether a killed program was killed for memory, and between two questions: it may learn
that later than the end, on a busy machine much later."""


class ContainerCell:
    """A program in a container. Created by `DockerSandbox.start`.

    Output is read only on request: a container that floods its stderr blocks until its next question (`recv` reads both streams)
    or the next `read_log`. `read_fd` is an epoll of our own around the connection and an eventfd, the bell. So the end can be held
    back until its reason is known, data that was read ahead can be announced, and a connection that must not be read stays silent.
    """

    def __init__(
        self,
        engine: Engine,
        nursery: trio.Nursery,
        container: str,
        connection: socket.socket,
        on_log: OnLog,
        core: int,
    ) -> None:
        self.container = container
        """The engine's id of the container."""
        self.freezes = False
        self.frozen = False
        self.core = core
        self.tells_signals = False
        """Whether its first process is ours, and says which signal ended the program."""
        self._engine = engine
        self._nursery = nursery
        self._connection = connection
        self._writer = connection.dup()
        self._on_log = on_log
        self._frames = Frames()
        self._stdout = bytearray()
        self._last_words = b""
        self._epoll = select.epoll()
        self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._epoll.register(self._bell, select.EPOLLIN)
        self._epoll.register(connection, select.EPOLLIN)
        self._listens = True
        """Whether the connection is registered in the epoll."""
        self._rings = False
        self._at_end = False
        """Whether the connection has ended."""
        self._end_is_known = False
        """Whether the end may be reported."""
        self._init: int | None = None
        """A pidfd of the container's first process, with which the container ends; None if it had ended too early to get one."""
        self._cgroup: Cgroup | None = None
        self.counted: Cgroup | None = None
        """The cgroup that it is counted in, if that is not the engine's."""
        self.threads: Threads | None = None
        """What counts for it, if no cgroup does."""
        self._memory_limit = 0
        self._memory_kills = 0
        self._exit_code: int | None = None
        self._breach: tuple[Breach, str] | None = None
        self._fault: str | None = None
        self._killed = False
        self._closed = False
        self.read_fd = self._epoll.fileno()
        self.write_fd = self._writer.fileno()
        self.recv: Callable[[], bytes] = self._recv
        self.send: Callable[[bytes], int] = self._writer.send

    def __repr__(self) -> str:
        return f"<ContainerCell {self.container[:12]}, {self.exit_text()}>"

    def watch(
        self,
        init: int | None,
        cgroup: Cgroup | None,
        memory_limit: int,
        *,
        freezes: bool,
    ) -> None:
        """Set the pidfd of its first process and the engine's cgroup, which the cell now owns.

        It can be frozen if it `freezes` and there is a freezer that we may use.
        """
        self._init, self._cgroup, self._memory_limit = init, cgroup, memory_limit
        self.freezes = freezes and cgroup is not None and cgroup.freezes

    def _recv(self) -> bytes:
        """Read its stdout (see `Cell`), and pass on what is in its stderr."""
        for _ in range(READS_AT_ONCE):
            if self._stdout:
                return self._take()
            if not self._fill():
                break
        if self._stdout:
            return self._take()
        if self._end_is_known:
            return b""
        raise BlockingIOError

    def read_log(self) -> None:
        """Pass on what is in its stderr, and keep what is on stdout."""
        if not self._closed:
            for _ in range(READS_AT_ONCE):
                if len(self._stdout) >= MOST_UNREAD or not self._fill():
                    break
            self._set_bell()

    def freeze(self) -> None:
        if not self.frozen and self.freezes and not self._killed:
            assert self._cgroup is not None
            self.frozen = True
            self._cgroup.freeze()

    def thaw(self) -> None:
        if self.frozen:
            assert self._cgroup is not None
            self.frozen = False
            self._cgroup.thaw()

    def ended(self) -> bool:
        return self._killed or self._has_ended()

    def _has_ended(self) -> bool:
        """Whether the container's first process has ended. It ends with the program."""
        if self._init is None:
            return True
        poll = select.poll()
        poll.register(self._init, select.POLLIN)
        return bool(poll.poll(0))

    def exit_text(self) -> str:
        if self._killed:
            return "ended by the arena"
        code = self._exit_code
        if code is None:
            return "has ended" if self._end_is_known or self._has_ended() else "still running"
        if self._breach is not None:
            return f"killed by {first_process.name(code - 128)}"
        return first_process.told(code, self._last_words) if self.tells_signals else first_process.either(code)

    def condemn(self, breach: Breach, evidence: str) -> None:
        if self._breach is None and not self._killed:
            self._breach = breach, evidence
            self.kill()

    def breach(self) -> tuple[Breach, str] | None:
        return self._breach

    def host_fault(self) -> str | None:
        return self._fault

    def account(self, *, closely: bool = True) -> Account | None:
        if self.threads is not None:
            return self.threads.account()
        counts = self.counted or self._cgroup
        return counts.account(self.core) if counts is not None else None

    def usage(self) -> tuple[float, int]:
        return (0.0, 0) if self._init is None or self._has_ended() else tree.usage(tree.pid_of(self._init))

    def hang_up(self) -> None:
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)

    def kill(self) -> None:
        """Kill the container. If we do not have permission, the engine does it a moment later."""
        if self._killed or self._closed or self._has_ended():
            return
        self._killed = True
        # Disconnect first: an engine that cannot deliver a bot's output can neither kill nor remove it.
        self._disconnect()
        self._tell_end()
        try:
            assert self._init is not None
            # All others die with the first process of the namespace.
            signal.pidfd_send_signal(self._init, signal.SIGKILL)
        except PermissionError:
            self._nursery.start_soon(self._kill_by_engine)
        except ProcessLookupError:
            pass
        self.thaw()  # frozen processes do not die

    async def wait(self) -> None:
        if self._init is not None and not self._has_ended():
            fd = os.dup(self._init)  # trio allows one waiter for each descriptor
            try:
                await trio.lowlevel.wait_readable(fd)
            finally:
                os.close(fd)

    async def end(self) -> None:
        """Kill it and have it removed. If the engine does not do that in time, it is left to the next sweep."""
        if self._closed:
            return
        with trio.CancelScope(shield=True):
            if not self._killed and self._has_ended():
                await self._hear_last_words()
                self._disconnect()
                if not self._end_is_known:
                    await self._inquire()
            self.kill()
            self.read_log()
            self._closed = True
            self._disconnect()
            for limit in REMOVE_LIMITS:
                with contextlib.suppress(LookupError):
                    try:
                        await remove(self._engine, self.container, limit)
                    except HostError:
                        continue
                break
            with trio.move_on_after(END_LIMIT):
                await self.wait()
            self._close()
            if self.counted is not None:
                await self.counted.remove()

    async def _hear_last_words(self) -> None:
        """Pass on what it wrote to stderr before it ended, which may still be on its way."""
        with trio.move_on_after(LAST_WORDS):
            while not self._at_end:
                self.read_log()
                self._stdout.clear()  # it will not be read
                await trio.sleep(LOOK_AGAIN)

    def abandon(self) -> None:
        """Close the cell of a container that could not be started; the caller removes the container."""
        self._closed = True
        self._disconnect()
        self._close()

    def _close(self) -> None:
        trio.lowlevel.notify_closing(self.read_fd)
        trio.lowlevel.notify_closing(self.write_fd)
        self._epoll.close()
        self._connection.close()
        self._writer.close()
        os.close(self._bell)
        if self._cgroup is not None:
            self._cgroup.close()
        if self._init is not None:
            os.close(self._init)
            self._init = None

    def _fill(self) -> bool:
        """Read once. Returns False if there was nothing."""
        if self._at_end:
            return False
        try:
            data = self._connection.recv(READ_SIZE)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self._meet_end()
            return False
        try:
            for kind, piece in self._frames.split(data):
                if kind == STDOUT:
                    self._stdout += piece
                elif kind == STDERR:
                    self._last_words = (self._last_words + piece)[-first_process.LAST_WORDS :]
                    self._on_log(piece)
                else:
                    self._fault = f"the container engine says: {piece[:1000].decode('utf-8', 'replace')}"
        except FrameError as error:
            self._fault = f"the container engine sent {error}, which does not exist"
            self._meet_end()
        return True

    def _take(self) -> bytes:
        data = bytes(self._stdout)
        self._stdout.clear()
        if self._rings or not self._listens:
            self._set_bell()
        return data

    def _set_bell(self) -> None:
        """Ring as long as there is something to read; listen to the connection only while there is room and it has not ended."""
        rings = bool(self._stdout) or self._end_is_known
        if rings != self._rings:
            self._rings = rings
            if rings:
                os.eventfd_write(self._bell, 1)
            else:
                os.eventfd_read(self._bell)
        listens = not self._at_end and len(self._stdout) < MOST_UNREAD
        if listens != self._listens:
            self._listens = listens
            if listens:
                self._epoll.register(self._connection, select.EPOLLIN)
            else:
                self._epoll.unregister(self._connection)

    def _meet_end(self) -> None:
        """Handle the end of the connection: find out the reason before reporting it."""
        if not self._at_end:
            self._at_end = True
            if self._cgroup is not None:
                self._memory_kills = self._cgroup.all_oom_kills()
            self._set_bell()
            if not self._end_is_known:
                self._nursery.start_soon(self._inquire)

    def _tell_end(self) -> None:
        if not self._closed:
            self._end_is_known = True
            self._set_bell()

    def _disconnect(self) -> None:
        """Shut the connection down. The descriptors stay open, so that no task waits for one whose number was reused."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    async def _inquire(self) -> None:
        """Find out how it ended, then report the end."""
        try:
            await self._ask_how_it_ended()
        except HostError as error:
            self._fault = self._fault or str(error)
        except LookupError:
            self._fault = self._fault or "somebody has removed the container"
        self._tell_end()

    async def _ask_how_it_ended(self) -> None:
        gone = HostError(f"the container engine at {self._engine.path} ended while bots were running in it")
        with trio.move_on_after(END_LIMIT) as ending:
            while not self._has_ended():
                if self._engine.is_gone():
                    raise gone
                with trio.move_on_after(LOOK_AGAIN):
                    await self.wait()
            while (state := await self._state()).get("Running"):
                await trio.sleep(LOOK_AGAIN)
        if ending.cancelled_caught:
            raise HostError(
                f"the container engine at {self._engine.path} closed the connection to a container that is still running"
            )
        code, oom = int(state["ExitCode"]), bool(state.get("OOMKilled")) or self._memory_kills > 0
        killed = code == 128 + signal.SIGKILL
        with trio.move_on_after(OOM_GRACE):
            while killed and not oom:
                await trio.sleep(OOM_AGAIN)
                oom = bool((await self._state()).get("OOMKilled"))
        if self._engine.is_gone():
            # An engine that is stopped takes its containers along, and its successor still knows how they ended.
            raise gone
        self._exit_code = code
        if killed and oom:
            evidence = "its cgroup's kill for memory is what ended it"
            self._breach = Breach.MEMORY, f"{beyond(self._memory_limit)}: {evidence}"

    async def _state(self) -> dict[str, Any]:
        found = await self._engine.call(
            "tell how a container ended", partial(self._engine.client.inspect_container, self.container)
        )
        state: dict[str, Any] = found["State"]
        return state

    async def _kill_by_engine(self) -> None:
        # The engine refuses if it has ended by now. If it cannot be killed, removing it tries again.
        with contextlib.suppress(HostError, LookupError):
            await self._engine.call("kill a container", partial(self._engine.client.kill, self.container))


async def remove(engine: Engine, container: str, limit: float = REMOVE_LIMITS[-1]) -> None:
    """Remove a container and its volumes, running or not. Raises `LookupError` if it is gone, `HostError`."""
    do = partial(engine.client.remove_container, container, v=True, force=True)
    await engine.call("remove a container", do, limit=limit)
