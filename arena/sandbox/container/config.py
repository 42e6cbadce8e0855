"""Build the engine's configuration of a container, with all caps."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bullring.arena.sandbox import procfs
from bullring.arena.sandbox.caps import MIB, Caps
from bullring.arena.sandbox.identity import me
from bullring.arena.sandbox.program import Program
from bullring.errors import CellError, HostError

FOLDER = "/bot"
"""Where a bot sees its folder, read-only. It is its working folder."""

BOX = "/box"
"""The bot's box, a file system in memory. Images must not have this path, because the mount would take on its permissions."""

REFEREE, RUN = "bullring.referee", "bullring.run"
"""Labels of a container: the name of its referee, and its mark."""

GVISOR = "runsc"
GVISOR_MEMORY, GVISOR_THREADS = 64 * MIB, 64

BOX_FILES = 1024
PENDING_SIGNALS = 64

TERMINALS = "/dev/pts"
"""Covered: bots need no terminals, whose number is limited for the whole machine."""

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
    """What tells the image apart if it is part of the bot: the id of one that it names, or the name, made of hashes, of one that is
    built from its folder. Empty if it is made from this machine's Python."""


@dataclass(frozen=True)
class EngineOptions:
    """Options that depend on the engine."""

    runtime: str = ""
    """The container runtime, such as runsc; empty for the engine's default."""
    seccomp: str = ""
    """The system call filter in the engine's format; empty for the engine's own filter."""
    podman: bool = False
    """Whether the engine is Podman."""


def container_config(
    program: Program, runs: Runs, uid: int, options: EngineOptions, hidden: Sequence[Path], mark: str, core: int
) -> dict[str, Any]:
    """Return the body of `POST /containers/create`. Raises `CellError` or `HostError` if a path cannot be shown or hidden."""
    env = {"HOME": BOX, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"} | runs.env
    return {
        "Image": runs.image,
        # Both are set, so that the image's own entry point is ignored.
        "Entrypoint": [runs.command[0]],
        "Cmd": list(runs.command[1:]),
        "Healthcheck": {"Test": ["NONE"]},
        "Env": [f"{name}={value}" for name, value in env.items()],
        "User": f"{uid}:{uid}",
        "WorkingDir": FOLDER,
        "Hostname": "bot",
        "Labels": {REFEREE: me(), RUN: mark},
        "Tty": False,
        "OpenStdin": True,
        "StdinOnce": True,
        "AttachStdin": True,
        "AttachStdout": True,
        "AttachStderr": True,
        "HostConfig": _caps(program.caps, options, core) | _mounts(program, uid, options, hidden),
    }


def _caps(caps: Caps, options: EngineOptions, core: int) -> dict[str, Any]:
    security = ["no-new-privileges:true"]
    covered = [str(path) for path in _covered()]
    if options.podman:
        security.append(f"mask={':'.join(covered)}")
    if options.seccomp:
        security.append(f"seccomp={options.seccomp}")
    ulimits = {
        "nofile": caps.open_files,
        "core": 0,
        "fsize": caps.file,
        "memlock": 0,
        "msgqueue": 0,
        "sigpending": PENDING_SIGNALS,
    }
    if options.podman:
        # By default Podman sets a limit per user that some machines do not let it set. Each bot has its own user.
        ulimits["nproc"] = caps.processes
    memory, processes = caps.memory, caps.processes
    if options.runtime.startswith(GVISOR):
        # gVisor's own kernel runs in the same cgroup.
        memory, processes = memory + GVISOR_MEMORY, processes + GVISOR_THREADS
    limits = {
        "NetworkMode": "none",
        "CapDrop": ["ALL"],
        "SecurityOpt": security,
        "ReadonlyRootfs": True,
        "PidsLimit": processes,
        "Memory": memory,
        "MemorySwap": memory,  # memory and swap together: no swap
        "CpusetCpus": str(core),
        "Ulimits": [{"Name": name, "Soft": value, "Hard": value} for name, value in ulimits.items()],
        "IpcMode": "private",
        "CgroupnsMode": "private",  # with version 1 the default would show the names of cgroups
        "ShmSize": MIB,
        "Init": True,
        "LogConfig": {"Type": "none"},
        "RestartPolicy": {"Name": "no"},
    }
    if not options.podman:
        limits["MaskedPaths"] = covered
    return limits | ({"Runtime": options.runtime} if options.runtime else {})


def _covered() -> list[Path]:
    """What tells of the machine in /proc and /sys. The container's own cgroup stays: runtimes learn their limits from it."""
    shown = {procfs.PROC / "cpuinfo"}
    system = [path for folder in (SYS, SYS / "fs") if folder.is_dir() for path in sorted(folder.iterdir())]
    masked = [path for path in (*procfs.telling(), *system) if path not in {*shown, SYS / "fs", SYS / "fs" / "cgroup"}]
    return [*masked, *(procfs.PROC / name for name in ("kcore", "timer_list"))]


def _mounts(program: Program, uid: int, options: EngineOptions, hidden: Sequence[Path]) -> dict[str, Any]:
    """Return the mounts: files of the machine that the bot sees, and covers for those that are hidden."""
    folder = program.folder.resolve()
    secrets = [path.resolve() for path in hidden]
    if folder in secrets:
        raise CellError(f"{folder} cannot be a bot's folder: it is one that bots must not see")
    if folder.stat().st_mode & 0o005 != 0o005:
        raise CellError(
            f"{folder} is not readable for other users, and in a container a bot is another user; "
            f"run: chmod -R o+rX {shlex.quote(str(folder))}"
        )
    places = {folder: FOLDER}
    for path in program.reads:
        if path.exists() and not any(path.resolve().is_relative_to(secret) for secret in secrets):
            places[path.resolve()] = str(path)
    mounts = [_bind(source, target) for source, target in places.items()]
    kept = "noexec,nosuid,nodev"
    if options.podman:
        # By default Podman copies what is below a new file system into it, which must not happen to hidden files. It knows neither
        # owners nor a limit of files; but nobody else is in there, and files use memory, which is counted.
        kept += ",notmpcopyup"
        owned = "mode=0777"
    else:
        kept += f",nr_inodes={BOX_FILES}"
        owned = f"mode=0700,uid={uid},gid={uid}"
    tmpfs = {TERMINALS: f"ro,{kept},size=4096,mode=0555", BOX: f"rw,{kept},{owned},size={program.caps.box}"}
    for secret in secrets:
        for source, target in places.items():
            if secret != source and secret.is_relative_to(source):
                place = f"{target}/{secret.relative_to(source)}"
                if secret.is_dir():
                    tmpfs[place] = f"ro,{kept},size=4096,mode=0555"
                elif secret.exists():
                    mounts.append(_bind(Path("/dev/null"), place))
                else:
                    raise HostError(f"{secret} cannot be hidden from bots, because it does not exist; create it first")
    return {"Mounts": mounts, "Tmpfs": tmpfs}


def _bind(source: Path, target: str) -> dict[str, Any]:
    """Bind a file or folder read-only, without mounts inside it, which older engines would leave writable."""
    options = {"Propagation": "rprivate", "NonRecursive": True}
    return {"Type": "bind", "Source": str(source), "Target": target, "ReadOnly": True, "BindOptions": options}
