"""What a container is made from: the engine's own description of it, with every limit."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bullring.arena.sandbox.caps import MIB, Caps
from bullring.arena.sandbox.identity import me
from bullring.arena.sandbox.program import Program
from bullring.errors import CellError, HostError

FOLDER = "/bot"
"""Where a bot finds its own folder, read-only; it runs there."""

BOX = "/box"
"""The only place it may write to, a file system in memory. A path that images do not have: else it would keep their rights."""

REFEREE, RUN = "bullring.referee", "bullring.run"
"""The labels that tell whose a container is: of which referee process, and with which mark."""

GVISOR = "runsc"
GVISOR_MEMORY, GVISOR_THREADS = 64 * MIB, 64

BOX_FILES = 1024
OPEN_FILES = 64


@dataclass(frozen=True)
class Runs:
    """What is run in a container, and in which."""

    image: str
    """The image by its id: what a name stands for may change."""
    command: tuple[str, ...]
    env: dict[str, str] = field(default_factory=dict)
    """What its environment has beyond the usual."""


@dataclass(frozen=True)
class EngineOptions:
    """What the engine is to hold a container with, besides the usual."""

    runtime: str = ""
    """Another runtime than the engine's default one: runsc."""
    seccomp: str = ""
    """The filter of system calls as the engine wants it; empty for the engine's own."""
    podman: bool = False
    """Whether it speaks Podman's dialect."""


def container_config(
    program: Program, runs: Runs, uid: int, options: EngineOptions, hidden: Sequence[Path], mark: str
) -> dict[str, Any]:
    """The body of the engine's `POST /containers/create`. Raises `CellError` or `HostError` for what cannot be shown or hidden."""
    env = {"HOME": BOX, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"} | runs.env
    return {
        "Image": runs.image,
        # Both are given, so that an image's own entry point has no say.
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
        "HostConfig": _caps(program.caps, options) | _mounts(program, uid, options, hidden),
    }


def _caps(caps: Caps, options: EngineOptions) -> dict[str, Any]:
    security = ["no-new-privileges:true"]
    if options.seccomp:
        security.append(f"seccomp={options.seccomp}")
    ulimits = {"nofile": OPEN_FILES, "core": 0, "fsize": caps.file}
    if options.podman:
        # Unasked it sets a limit by user that not every machine lets it set. Each bot is a user of its own.
        ulimits["nproc"] = caps.processes
    memory, processes = caps.memory, caps.processes
    if options.runtime.startswith(GVISOR):
        # The kernel that it brings along lives in the same cgroup.
        memory, processes = memory + GVISOR_MEMORY, processes + GVISOR_THREADS
    limits = {
        "NetworkMode": "none",
        "CapDrop": ["ALL"],
        "SecurityOpt": security,
        "ReadonlyRootfs": True,
        "PidsLimit": processes,
        "Memory": memory,
        "MemorySwap": memory,  # memory and swap together: no swap
        "NanoCpus": round(caps.cpus * 1e9),
        "Ulimits": [{"Name": name, "Soft": value, "Hard": value} for name, value in ulimits.items()],
        "IpcMode": "private",
        "ShmSize": MIB,
        "Init": True,
        "LogConfig": {"Type": "none"},
        "RestartPolicy": {"Name": "no"},
    }
    return limits | ({"Runtime": options.runtime} if options.runtime else {})


def _mounts(program: Program, uid: int, options: EngineOptions, hidden: Sequence[Path]) -> dict[str, Any]:
    """What it sees of the machine's files, and what is hidden in there."""
    folder = program.folder.resolve()
    secrets = [path.resolve() for path in hidden]
    if folder in secrets:
        raise CellError(f"{folder} is a bot's folder and holds what bots must not see")
    if folder.stat().st_mode & 0o005 != 0o005:
        raise CellError(
            f"{folder} is shut to other users, and in a container a bot is one: chmod -R o+rX {shlex.quote(str(folder))}"
        )
    places = {folder: FOLDER}
    for path in program.reads:
        if path.exists() and not any(path.resolve().is_relative_to(secret) for secret in secrets):
            places[path.resolve()] = str(path)
    mounts = [_bind(source, target) for source, target in places.items()]
    kept = "noexec,nosuid,nodev"
    if options.podman:
        # It would copy into a new file system what lies below, which a mask must not. Owners and a limit of files it does not
        # know: nobody else is in there, and files take memory, which is counted.
        kept += ",notmpcopyup"
        owned = "mode=0777"
    else:
        kept += f",nr_inodes={BOX_FILES}"
        owned = f"mode=0700,uid={uid},gid={uid}"
    tmpfs = {BOX: f"rw,{kept},{owned},size={program.caps.box}"}
    for secret in secrets:
        for source, target in places.items():
            if secret != source and secret.is_relative_to(source):
                place = f"{target}/{secret.relative_to(source)}"
                if secret.is_dir():
                    tmpfs[place] = f"ro,{kept},size=4096,mode=0555"
                elif secret.exists():
                    mounts.append(_bind(Path("/dev/null"), place))
                else:
                    raise HostError(f"{secret} is to be hidden from bots, but only what is there can be: make it first")
    return {"Mounts": mounts, "Tmpfs": tmpfs}


def _bind(source: Path, target: str) -> dict[str, Any]:
    """Show a file or folder. Not what is mounted in it: older engines would let that be written to."""
    options = {"Propagation": "rprivate", "NonRecursive": True}
    return {"Type": "bind", "Source": str(source), "Target": target, "ReadOnly": True, "BindOptions": options}
