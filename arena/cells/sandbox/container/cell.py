"""A cell that is a container."""

import contextlib
import os
import select
import signal
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

import trio

from bullring.arena.cells.sandbox import first_process
from bullring.arena.cells.sandbox.account import Account
from bullring.arena.cells.sandbox.cell import Breach, beyond
from bullring.arena.cells.sandbox.cgroups import Cgroup
from bullring.arena.cells.sandbox.container.engine import Engine
from bullring.arena.cells.sandbox.container.readiness import Readiness
from bullring.arena.cells.sandbox.local import tree
from bullring.arena.cells.sandbox.threads import Threads
from bullring.errors import HostError

END_LIMIT = 5.0
"""Seconds within which a container must end after its output has ended, and the engine must know."""

REMOVE_LIMITS = (5.0, 20.0)
"""Seconds that the engine may take to remove a container, for each attempt."""

LOOK_AGAIN = 0.005
"""Seconds between two questions to the engine about the same thing."""

OOM_GRACE, OOM_AGAIN = 1.0, 0.05
"""Seconds for which the engine is asked whether a killed program was killed for memory, and between two questions: it may learn
that later than the end, on a busy machine much later."""


class Streams(Protocol):
    """What a container says and hears. What is not explained is as in `Cell`."""

    read_fd: int
    write_fd: int
    by_engine: bool
    """Whether the engine passes it on: then only the engine can end it before the container's end."""
    fault: str | None
    """What the engine reports instead."""
    last_words: bytes
    """The end of its stderr."""

    @property
    def recv(self) -> Callable[[], bytes]: ...

    @property
    def send(self) -> Callable[[bytes], int]: ...

    def read_log(self) -> None: ...

    def hang_up(self) -> None: ...

    async def hear_out(self) -> None:
        """Pass on what it wrote to stderr before it ended."""

    def cut(self) -> None:
        """Let nothing more pass, so that nobody waits for us to read it."""

    def close(self) -> None: ...


class ContainerCell:
    """A program in a container. Created by `DockerSandbox.start`.

    The end of its output is held back until its reason is known.
    """

    def __init__(
        self,
        engine: Engine,
        nursery: trio.Nursery,
        container: str,
        streams: Streams,
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
        self._streams = streams
        self._readiness = Readiness(streams.read_fd)
        self._at_end = False
        """Whether its output has ended."""
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
        self.read_fd = self._readiness.fd
        self.write_fd = streams.write_fd
        self.recv: Callable[[], bytes] = self._recv
        self.send = streams.send
        self.hang_up, self.read_log = streams.hang_up, streams.read_log

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
        try:
            data = self._streams.recv()
        except BlockingIOError:
            data = None
        if data:
            return data
        if data is not None:
            self._meet_end()
        if self._end_is_known:
            return b""
        raise BlockingIOError

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
            return "has ended" if self._has_ended() else "still running"
        if self._breach is not None:
            return f"killed by {first_process.name(code - 128)}"
        self._streams.read_log()
        return first_process.told(code, self._streams.last_words) if self.tells_signals else first_process.either(code)

    def condemn(self, breach: Breach, evidence: str) -> None:
        if self._breach is None and not self._killed:
            self._breach = breach, evidence
            self.kill()

    def breach(self) -> tuple[Breach, str] | None:
        return self._breach

    def host_fault(self) -> str | None:
        return self._streams.fault or self._fault

    def account(self, *, closely: bool = True) -> Account | None:
        if self.threads is not None:
            return self.threads.account(closely=closely)
        counts = self.counted or self._cgroup
        return counts.account(self.core) if counts is not None else None

    def usage(self) -> tuple[float, int]:
        return (0.0, 0) if self._init is None or self._has_ended() else tree.usage(tree.pid_of(self._init))

    def kill(self) -> None:
        """Kill the container. If we do not have permission, the engine does it a moment later."""
        if self._killed or self._closed or self._has_ended():
            return
        self._killed = True
        # First of all: an engine that cannot deliver a bot's output can neither kill nor remove it.
        self._streams.cut()
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
                await self._streams.hear_out()
                self._streams.cut()
                if not self._end_is_known:
                    await self._inquire()
            self.kill()
            self._streams.read_log()
            self._closed = True
            self._streams.cut()
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

    def abandon(self) -> None:
        """Close the cell of a container that could not be started; the caller removes the container."""
        self._closed = True
        self._streams.cut()
        self._close()

    def _close(self) -> None:
        trio.lowlevel.notify_closing(self.read_fd)
        self._readiness.close()
        self._streams.close()
        if self._cgroup is not None:
            self._cgroup.close()
        if self._init is not None:
            os.close(self._init)
            self._init = None

    def _meet_end(self) -> None:
        """Handle the end of its output: find out the reason before reporting it."""
        if not self._at_end:
            self._at_end = True
            if self._cgroup is not None:
                self._memory_kills = self._cgroup.all_oom_kills()
            self._announce()
            if not self._end_is_known:
                self._nursery.start_soon(self._inquire)

    def _tell_end(self) -> None:
        if not self._closed:
            self._end_is_known = True
            self._announce()

    def _announce(self) -> None:
        self._readiness.set(rings=self._end_is_known, listens=not self._at_end)

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
            if not self._streams.by_engine and not self._has_ended():
                return  # the bot made its first process close it
            raise HostError(
                f"the container engine at {self._engine.path} says that a container is running whose output has ended"
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
