"""Build the engine's configuration of a container, with all caps."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bullring.arena.sandbox import procfs
from bullring.arena.sandbox.caps import MIB, Caps
from bullring.arena.sandbox.identity import me
from bullring.arena.sandbox.installations import system_folders, system_settings
from bullring.arena.sandbox.program import Program
from bullring.arena.sandbox.visible import BOT, BOX, Visible, places, places_of
from bullring.errors import CellError, HostError

REFEREE, RUN = "bullring.referee", "bullring.run"
"""Labels of a container: the name of its referee, and its mark."""

GVISOR = "runsc"
GVISOR_MEMORY, GVISOR_THREADS = 64 * MIB, 64

BOX_FILES = 1024
PENDING_SIGNALS = 64

TERMINALS = "/dev/pts"
"""Covered: bots need no terminals, whose number is limited for the whole machine."""

SYS = Path("/sys")

TMP = "/tmp"
TMP_SIZE = MIB

INIT = ("/bin/sh", "-c", 'exec 3>&2 2>/dev/null; (unset PWD OLDPWD SHLVL; exec "$@" 2>&3 3>&-); exit', "sh")
"""The first process of a container of the machine's programs: it runs the command that follows and ends with its status.

Engines have one for that, but Docker puts it into /sbin, where the machine's own folder hides it. Like that one a shell takes in
orphans, and tells a signal as a status above 128. What it would say about signals is dropped, and what it adds to the environment.
"""


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
    built from its folder. Empty if it is the one that is shared."""
    visible: Visible | None = None
    """What the program sees of the machine, if it runs in the shared image."""


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


def container_config(
    program: Program, runs: Runs, uid: int, options: EngineOptions, hidden: Sequence[Path], mark: str, core: int
) -> dict[str, Any]:
    """Return the body of `POST /containers/create`. Raises `CellError` or `HostError` if a path cannot be shown or hidden."""
    env = {"HOME": BOX, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"} | runs.env
    command = runs.command if runs.visible is None else (*INIT, *runs.command)
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
        "OpenStdin": True,
        "StdinOnce": True,
        "AttachStdin": True,
        "AttachStdout": True,
        "AttachStderr": True,
        "HostConfig": _caps(program.caps, options, core)
        | {"Init": runs.visible is None}
        | _mounts(program, runs.visible, uid, options, hidden),
    }


def _caps(caps: Caps, options: EngineOptions, core: int) -> dict[str, Any]:
    security = ["no-new-privileges:true"]
    covered = [str(path) for path in _covered()]
    if options.selinux:
        security.append("label=disable")
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


def _mounts(
    program: Program, visible: Visible | None, uid: int, options: EngineOptions, hidden: Sequence[Path]
) -> dict[str, Any]:
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
    kept = "noexec,nosuid,nodev"
    if options.podman:
        # By default Podman copies what is below a new file system into it, which must not happen to hidden files. It knows neither
        # owners nor a limit of files; but nobody else is in there, and files use memory, which is counted.
        kept += ",notmpcopyup"
        owned = "mode=0777"
    else:
        kept += f",nr_inodes={BOX_FILES}"
        owned = f"mode=0700,uid={uid},gid={uid}"
    empty = f"ro,{kept},size=4096,mode=0555"
    # The image must not have the box's path, because the mount would take on its permissions.
    tmpfs = {TERMINALS: empty, BOX: f"rw,{kept},{owned},size={program.caps.box}"}
    shown = {BOT: folder}
    if visible is not None:
        shown = places(program, visible, hidden)
        tmpfs[TMP] = f"rw,{kept},{owned},size={TMP_SIZE}"
    binds = _of_the_system() | shown if visible is not None else shown
    mounts = [_bind(source.resolve(), target) for target, source in binds.items()]
    for secret in secrets:
        for place in places_of(secret, shown):
            if secret.is_dir():
                tmpfs[place] = empty
            elif secret.exists():
                mounts.append(_bind(Path("/dev/null"), place))
            else:
                raise HostError(f"{secret} cannot be hidden from bots, because it does not exist; create it first")
    return {"Mounts": mounts, "Tmpfs": tmpfs}


def _of_the_system() -> dict[str, Path]:
    """The system's folders and settings, by their paths."""
    folders = [folder for folder, link in system_folders().items() if not link]
    return {place: Path(place) for place in (*folders, *system_settings())}


def _bind(source: Path, target: str) -> dict[str, Any]:
    """Bind a file or folder read-only, without mounts inside it, which older engines would leave writable."""
    options = {"Propagation": "rprivate", "NonRecursive": True}
    return {"Type": "bind", "Source": str(source), "Target": target, "ReadOnly": True, "BindOptions": options}
