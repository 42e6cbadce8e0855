"""The sandbox of the tier `docker`: a separate container for each bot, in Docker or Podman."""

import contextlib
import json
import os
import re
import secrets
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any
from weakref import WeakSet

import trio

from bullring.arena.cells.sandbox import cores, identity, procfs, threads
from bullring.arena.cells.sandbox.cell import OnLog
from bullring.arena.cells.sandbox.cgroups import Cgroup, Subtree
from bullring.arena.cells.sandbox.cgroups.v2 import SubtreeV2
from bullring.arena.cells.sandbox.choice import Opener
from bullring.arena.cells.sandbox.container import TIER
from bullring.arena.cells.sandbox.container.attached import Attached
from bullring.arena.cells.sandbox.container.cell import ContainerCell, remove
from bullring.arena.cells.sandbox.container.cgroup import cgroup_of, counts_by_itself, may_freeze, move
from bullring.arena.cells.sandbox.container.config import GVISOR, REFEREE, EngineOptions, Runs, container_config
from bullring.arena.cells.sandbox.container.engine import Engine, open_engine, take_socket
from bullring.arena.cells.sandbox.container.fifos import Fifos
from bullring.arena.cells.sandbox.container.images import Images
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.local import tree
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.cells.sandbox.promises import Means, means_of
from bullring.arena.cells.sandbox.seccomp import oci, policy, syscalls
from bullring.arena.cells.sandbox.temporary import temporary
from bullring.arena.cells.sandbox.wish import Wish
from bullring.errors import CellError, EngineRefusal, HostError, UnknownMachine

_numbers = count()


class DockerSandbox:
    """Starts programs in containers. `nursery` runs their background tasks and must outlive them."""

    tier = TIER

    def __init__(
        self,
        engine: Engine,
        nursery: trio.Nursery,
        owner: Owner,
        *,
        runtime: str | None = None,
        freeze: bool = True,
        images: Sequence[str] = (),
        cgroups: Subtree | None = None,
        snapshots: Path | None = None,
        pipes: Path | None = None,
    ) -> None:
        """`cgroups` are cgroups of version 2 in which containers are counted if the engine's cgroups cannot do that.

        `snapshots` is the folder for what containers see of /proc (see `procfs`); without it less is shown. `pipes` is the folder
        for `Fifos`; without it everything passes through the engine.
        """
        if runtime and runtime not in engine.runtimes:
            known = ", ".join(sorted(engine.runtimes))
            raise HostError(
                f"the container engine at {engine.path} has no runtime {runtime}, only {known}; install it and add it to "
                "/etc/docker/daemon.json (for gVisor, runsc install adds it)"
            )
        self.images = Images(engine, owner.hidden, images)
        self.freeze = freeze and may_freeze()
        """Whether bots are frozen. Either all cells of an engine can be frozen, or none."""
        self._by_cgroup = cgroups is not None or counts_by_itself()
        self.counts = self._by_cgroup or threads.counted()
        self._cells: WeakSet[ContainerCell] = WeakSet()
        """Cells that no cgroup counts for."""
        if self.counts and not self._by_cgroup:
            nursery.start_soon(threads.watch, self._cells)
        self._cgroups = cgroups
        self._snapshots = snapshots
        self._pipes = pipes
        self._opens_pipes = False
        """Whether a container of the engine is known to open pipes of ours."""
        self._engine = engine
        self._nursery = nursery
        self._owner = owner
        self._runtime = runtime or ""
        self._cores = iter(cores.in_turn())

    def __repr__(self) -> str:
        return f"<DockerSandbox at {self._engine.path}>"

    @property
    def means(self) -> frozenset[Means]:
        by_cgroup = (Means.PRESSURE,) if self._by_cgroup else ()
        by_runtime = (Means.GVISOR,) if self._runtime.startswith(GVISOR) else ()
        return means_of(self.freeze, self.counts, Means.MEMORY, Means.PROCESSES, *by_cgroup, *by_runtime)

    def _of_the_machine(self) -> dict[str, Path]:
        """Files of ours that cover files of /proc. gVisor has a /proc of its own."""
        if self._snapshots is None or self._runtime.startswith(GVISOR):
            return {}
        try:
            return procfs.written(self._snapshots)
        except OSError as error:
            raise HostError(f"{error.filename or self._snapshots} cannot be written: {error.strerror}") from None

    async def prepare(self, program: Program) -> str:
        return (await self.images.find(program)).identity

    async def start(self, program: Program, on_log: OnLog) -> ContainerCell:
        """Start a program in a container. Raises `CellError`, `HostError`."""
        runs = await self.images.find(program)
        if self._pipes is None or runs.visible is None:
            return await self._start(program, runs, on_log, None)
        fifos = Fifos(self._pipes, on_log)
        try:
            cell = await self._start(program, runs, on_log, fifos)
        except BaseException as error:
            fifos.close()
            if self._opens_pipes or not isinstance(error, CellError | HostError):
                raise
            # If this one starts without pipes, then no container of the engine has them.
            cell = await self._start(program, runs, on_log, None)
            self._pipes = None
        else:
            self._opens_pipes = True
        return cell

    async def _start(self, program: Program, runs: Runs, on_log: OnLog, fifos: Fifos | None) -> ContainerCell:
        engine, client = self._engine, self._engine.client
        with _filter(engine, program) as seccomp:
            options = EngineOptions(
                self._runtime, seccomp, engine.is_podman, engine.uses_selinux, self._of_the_machine()
            )
            owner, core = self._owner, next(self._cores)
            pipes = fifos.folder if fifos is not None else None
            config = container_config(
                program, runs, engine.draw_uid(), options, owner.hidden, owner.mark(), core, pipes
            )
            # With our own name, so that it can be removed even if the engine never answers.
            name = f"bullring-{identity.me()}-{next(_numbers)}-{secrets.token_hex(4)}"
            cell: ContainerCell | None = None
            try:
                made = await engine.call(
                    "create a container", partial(client.create_container_from_config, config, name)
                )
                _refuse_warnings(made)
                streams: Fifos | Attached
                if fifos is None:
                    # Before the start, so that no output is lost.
                    connection = await engine.call("attach to a container", partial(_attach, client, made["Id"]))
                    streams = Attached(connection, on_log)
                else:
                    streams = fifos
                cell = ContainerCell(engine, self._nursery, made["Id"], streams, core)
                cell.tells_signals = runs.visible is not None
                await engine.call("start a container", partial(client.start, made["Id"]))
                state = (await engine.call("look at a container", partial(client.inspect_container, made["Id"])))[
                    "State"
                ]
                init, cgroup = _find_process(state, made["Id"])
                cell.watch(init, cgroup, program.caps.memory, freezes=self.freeze)
                if cgroup is not None and not cgroup.counts and self._cgroups is not None:
                    cell.counted = self._cgroups.make(program.caps)
                    # In a thread: the kernel may take 10 ms for this, and clocks are running.
                    await trio.to_thread.run_sync(move, cgroup, cell.counted)
                if init is not None and cell.account() is None and threads.counted():
                    cell.threads = threads.Threads(partial(list, [tree.pid_of(init)]), core)
                    self._cells.add(cell)
                if fifos is not None:
                    await fifos.opened(cell.wait)
                    self._nursery.start_soon(fifos.follow)
            except LookupError as error:
                await _give_up(engine, name, cell)
                if runs.visible is not None:
                    self.images.forget()
                    raise HostError(f"somebody has removed the image of all bots: {error}") from None
                raise CellError(f"its image no longer exists: {error}") from None
            except EngineRefusal as error:
                await _give_up(engine, name, cell)
                if _sees_other_files(str(error)):
                    raise HostError(
                        f"the container engine at {engine.path} does not see this machine's files, so it runs in a virtual "
                        f"machine, or Bullring runs in a container beside it; bots need an engine of this machine ({error})"
                    ) from None
                # The canary was started in the same way, so this bot is the cause.
                raise CellError(str(error)) from None
            except BaseException:
                await _give_up(engine, name, cell)
                raise
        return cell


async def open_tier(opener: Opener, wish: Wish) -> DockerSandbox:
    """Open the tier in the engine that is found, after removing leftovers of dead referees there. Raises `HostError`."""
    engine = await opener.stack.enter_async_context(open_engine())
    cgroups: Subtree | None = None
    if may_freeze() and not counts_by_itself():
        with contextlib.suppress(OSError, HostError):
            found = SubtreeV2.find()
            opener.stack.callback(found.close)
            cgroups = found if "pressure" in found.controllers else None
    docker = DockerSandbox(
        engine,
        opener.nursery,
        opener.owner,
        runtime=wish.runtime,
        freeze=wish.freeze,
        images=wish.images,
        cgroups=cgroups,
        snapshots=opener.stack.enter_context(temporary("proc")),
        pipes=opener.stack.enter_context(temporary("pipes", memory=True)),
    )
    await sweep(engine)
    return docker


async def sweep(engine: Engine) -> int:
    """Remove the containers of dead referees, in any state. Returns how many there were. Raises `HostError`."""
    client = engine.client
    found = await engine.call(
        "list containers", partial(client.containers, all=True, filters={"label": REFEREE}), limit=60.0
    )
    swept = 0
    for container in found:
        if not identity.alive(container["Labels"].get(REFEREE, "")):
            with contextlib.suppress(LookupError):
                state = (await engine.call("look at a container", partial(client.inspect_container, container["Id"])))[
                    "State"
                ]
                if state.get("Pid") and (cgroup := cgroup_of(state["Pid"], container["Id"])):
                    cgroup.thaw()  # it may have been frozen without the engine knowing
                    cgroup.close()
                if state.get("Paused"):
                    await engine.call("let a container go on", partial(client.unpause, container["Id"]))
                await remove(engine, container["Id"])
                swept += 1
    return swept


def _attach(client: Any, container: str) -> Any:
    response = client.post(
        client._url("/containers/{0}/attach", container),
        None,
        params={"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1},
        stream=True,
        headers={"Connection": "Upgrade", "Upgrade": "tcp"},
    )
    return take_socket(client, response)


def _refuse_warnings(made: dict[str, Any]) -> None:
    """Raise `HostError` for a limit that is not enforced: engines only warn. Warnings about swap are harmless without swap."""
    for warning in made.get("Warnings") or ():
        if "swap" not in warning.lower() or len(Path("/proc/swaps").read_text("utf-8").splitlines()) > 1:
            raise HostError(f"the container engine does not enforce a limit: {warning}")


def _sees_other_files(refusal: str) -> bool:
    """Whether an engine refused to mount what exists: the first by Docker, the second by Docker Desktop, the third by Podman."""
    lacks = re.search(r"source path does not exist: (\S+)|mounts denied|statfs (\S+): no such file", refusal)
    if lacks is None:
        return False
    path = lacks[1] or lacks[2]
    return path is None or Path(path).exists()


def _find_process(state: dict[str, Any], container: str) -> tuple[int | None, Cgroup | None]:
    """Return a pidfd of the container's first process, and its cgroup; both None if it has ended."""
    pid = state.get("Pid") or 0
    if not pid:
        return None, None
    try:
        init = os.pidfd_open(pid)
    except ProcessLookupError:
        return None, None
    cgroup = cgroup_of(pid, container)
    if cgroup is None:
        os.close(init)
        # It may have ended in between; then its id may belong to another process, or to none.
        if state.get("Running") and Path(f"/proc/{pid}").exists():
            raise HostError(
                "the processes of the container engine are not visible on this machine: it runs in a virtual machine or in a "
                "container, or it does not use cgroups"
            )
        return None, None
    return init, cgroup


async def _give_up(engine: Engine, name: str, cell: ContainerCell | None) -> None:
    """Clean up after a start that failed."""
    with trio.CancelScope(shield=True):
        if cell is not None:
            cell.abandon()
        with contextlib.suppress(HostError, LookupError):
            await remove(engine, name)


@contextmanager
def _filter(engine: Engine, program: Program) -> Iterator[str]:
    """The system call filter in the engine's format. Podman reads it from a file, which is only needed to create the container."""
    network = program.workshop is not None and program.workshop.network
    families = policy.INTERNET if network else policy.NETWORK_OF_ITS_OWN
    text = _profile(families, locks=program.workshop is not None)
    if text and engine.is_podman:
        with tempfile.NamedTemporaryFile("w", prefix="bullring-", suffix=".json") as file:
            file.write(text)
            file.flush()
            yield file.name
    else:
        yield text


@cache
def _profile(families: tuple[int, ...], *, locks: bool) -> str:
    """The filter as JSON; empty, which means the engine's own filter, on machines whose system calls are not known here."""
    try:
        machine = syscalls.machine()
    except UnknownMachine:
        return ""
    return json.dumps(oci.profile(policy.policy_for(families, init=True, locks=locks), machine))
