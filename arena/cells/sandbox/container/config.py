"""Build the engine's configuration of a container, with all caps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bullring.arena.cells.sandbox import first_process, procfs
from bullring.arena.cells.sandbox.caps import MIB
from bullring.arena.cells.sandbox.container import fifos
from bullring.arena.cells.sandbox.container.mounts import mounts
from bullring.arena.cells.sandbox.cores import cores
from bullring.arena.cells.sandbox.identity import me
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.cells.sandbox.visible import BOT, BOX, Visible

REFEREE, RUN = "bullring.referee", "bullring.run"
"""Labels of a container: the name of its referee, and its mark."""

GVISOR = "runsc"
GVISOR_MEMORY, GVISOR_THREADS = 64 * MIB, 64

SYS = Path("/sys")


@dataclass(frozen=True)
class Runs:
    """An image and the command to run in it."""

    image: str
    """The id of the image. Not a name, because that may come to mean another image."""
    command: tuple[str, ...]
    env: dict[str, str] = field(default_factory=dict)
    """Additional environment variables."""
    identity: str = ""
    """The identity of an image that is part of the bot: the id of one that it names, or the name, made of hashes, of one that is
    built from its folder. Empty if it is the one that is shared."""
    visible: Visible | None = None
    """The files of the machine that the program sees, if it runs in the shared image."""


@dataclass(frozen=True)
class EngineOptions:
    """Options that depend on the engine."""

    runtime: str = ""
    """The container runtime, such as runsc; empty for the engine's default."""
    seccomp: str = ""
    """The system call filter in the engine's format; empty for the engine's own filter."""
    podman: bool = False
    """Whether the engine is Podman."""
    selinux: bool = False
    """Whether the engine separates containers by SELinux, which would refuse them the machine's files."""
    machine: Mapping[str, Path] = field(default_factory=dict)
    """Files of ours to show in containers, by their paths there."""


def container_config(
    program: Program,
    runs: Runs,
    uid: int,
    options: EngineOptions,
    hidden: Sequence[Path],
    mark: str,
    core: int,
    pipes: Path | None,
) -> dict[str, Any]:
    """Return the body of `POST /containers/create`. Without `pipes`, which are `Fifos`, it waits to be attached.

    Raises `CellError` or `HostError` if a path cannot be shown or hidden.
    """
    env = {"HOME": BOX, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"} | runs.env
    steps = [first_process.limit(program.caps.limits()["as"])]
    machine = dict(options.machine)
    if pipes is not None:
        steps.insert(0, fifos.OPENING)
        machine[fifos.PLACE] = pipes
    command = runs.command if runs.visible is None else (*first_process.after(*steps), *runs.command)
    attached = pipes is None
    return {
        "Image": runs.image,
        # Both are set, so that the image's own entry point is ignored.
        "Entrypoint": [command[0]],
        "Cmd": list(command[1:]),
        "Healthcheck": {"Test": ["NONE"]},
        "Env": [f"{name}={value}" for name, value in env.items()],
        "User": f"{uid}:{uid}",
        "WorkingDir": BOT,
        "Hostname": "bot",
        "Labels": {REFEREE: me(), RUN: mark},
        "Tty": False,
        **dict.fromkeys(("OpenStdin", "StdinOnce", "AttachStdin", "AttachStdout", "AttachStderr"), attached),
        "HostConfig": _caps(program, options, core)
        # Docker puts its own first process into /sbin, where the machine's folder would hide it.
        | {"Init": runs.visible is None}
        | mounts(program, runs.visible, uid, hidden, machine, podman=options.podman),
    }


def _caps(program: Program, options: EngineOptions, core: int) -> dict[str, Any]:
    caps = program.caps
    security = ["no-new-privileges:true"]
    covered = [str(path) for path in _covered() if str(path) not in options.machine]
    if options.selinux:
        security.append("label=disable")
    if options.podman:
        security.append(f"mask={':'.join(covered)}")
    if options.seccomp:
        security.append(f"seccomp={options.seccomp}")
    ulimits = caps.limits()
    del ulimits["as"]  # unknown to Docker, see `first_process.limit`
    if options.podman:
        # By default Podman sets a limit per user that some machines do not let it set. Each bot has its own user.
        ulimits["nproc"] = caps.processes
    memory, processes = caps.memory, caps.processes
    if options.runtime.startswith(GVISOR):
        # gVisor's own kernel runs in the same cgroup.
        memory, processes = memory + GVISOR_MEMORY, processes + GVISOR_THREADS
    limits = {
        # With the network, the engine's own: it makes the container's resolv.conf, and keeps it from the machine's loopback.
        "NetworkMode": "default" if program.workshop is not None and program.workshop.network else "none",
        "CapDrop": ["ALL"],
        "SecurityOpt": security,
        "ReadonlyRootfs": True,
        "PidsLimit": processes,
        "Memory": memory,
        "MemorySwap": memory,  # memory and swap together: no swap
        "CpusetCpus": str(core) if program.workshop is None else ",".join(map(str, cores())),
        "Ulimits": [{"Name": name, "Soft": value, "Hard": value} for name, value in ulimits.items()],
        "IpcMode": "private",
        "CgroupnsMode": "private",  # with version 1 the default would show the names of cgroups
        "ShmSize": MIB,
        "LogConfig": {"Type": "none"},
        "RestartPolicy": {"Name": "no"},
    }
    if not options.podman:
        limits["MaskedPaths"] = covered
    return limits | ({"Runtime": options.runtime} if options.runtime else {})


def _covered() -> list[Path]:
    """Files of /proc and /sys that tell of the machine. The container's own cgroup stays: runtimes learn their limits from it."""
    shown = {procfs.PROC / "cpuinfo"}
    system = [path for folder in (SYS, SYS / "fs") if folder.is_dir() for path in sorted(folder.iterdir())]
    masked = [path for path in (*procfs.telling(), *system) if path not in {*shown, SYS / "fs", SYS / "fs" / "cgroup"}]
    return [*masked, *(procfs.PROC / name for name in ("kcore", "timer_list"))]
