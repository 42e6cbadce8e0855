"""The cgroup that an engine has put a container into: what can be read of it, and its freezer, if we may write there."""

import contextlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

_MOUNT = re.compile(
    r"^\S+ \S+ \S+ (?P<root>\S+) (?P<point>\S+) .*? - (?P<type>cgroup2?) \S+ (?P<options>\S+)$", re.MULTILINE
)


@dataclass(frozen=True)
class ContainerGroup:
    """Paths of files in the cgroup of a container; None where there is none."""

    freezer: Path | None
    """Where to write whether it is frozen; only if we may."""
    frozen: bytes
    thawed: bytes
    memory: Path | None
    """The bytes it uses."""
    kills: Path | None
    """Where the line `oom_kill` counts its processes that were killed for memory."""

    def freeze(self) -> None:
        """Let nothing of it run. Only with a `freezer`."""
        self._write(self.frozen)

    def thaw(self) -> None:
        """Let it run again. No harm if it does, or if it is gone, or if there is no freezer."""
        self._write(self.thawed)

    def memory_bytes(self) -> int:
        """The memory it uses; 0 if that cannot be read."""
        with contextlib.suppress(OSError, ValueError):
            return int(self.memory.read_bytes()) if self.memory else 0
        return 0

    def memory_kills(self) -> int:
        """How many of its processes were killed for memory; 0 if that cannot be read, as when it has ended."""
        with contextlib.suppress(OSError, ValueError):
            for line in self.kills.read_bytes().splitlines() if self.kills else ():
                name, _, count = line.partition(b" ")
                if name == b"oom_kill":
                    return int(count)
        return 0

    def _write(self, word: bytes) -> None:
        if self.freezer is not None:
            # Plain system calls: this is done twice for every turn.
            with contextlib.suppress(OSError):
                fd = os.open(self.freezer, os.O_WRONLY)
                try:
                    os.write(fd, word)
                finally:
                    os.close(fd)


def group_of(pid: int, name: str) -> ContainerGroup | None:
    """The cgroup of a process, or None if the process is gone or its cgroup does not carry this name (of a container)."""
    try:
        lines = Path(f"/proc/{pid}/cgroup").read_text().splitlines()
        mounts = [match.groupdict() for match in _MOUNT.finditer(Path("/proc/self/mountinfo").read_text())]
    except OSError:
        return None
    folders: dict[str, Path] = {}
    named = False
    for line in lines:
        _, controllers, path = line.split(":", 2)
        named |= name in path
        for controller in controllers.split(","):
            folder = _folder(controller, path, mounts)
            if folder is not None and name in path:
                folders[controller] = folder
    if not named:
        return None
    if "freezer" in folders:
        freezer, words = folders["freezer"] / "freezer.state", (b"FROZEN", b"THAWED")
    else:
        freezer, words = folders.get("", Path("/nowhere")) / "cgroup.freeze", (b"1", b"0")
    if "memory" in folders:
        memory, kills = folders["memory"] / "memory.usage_in_bytes", folders["memory"] / "memory.oom_control"
    else:
        memory, kills = (folders.get("", Path("/nowhere")) / name for name in ("memory.current", "memory.events"))
    return ContainerGroup(
        freezer if os.access(freezer, os.W_OK) else None,
        *words,
        memory if os.access(memory, os.R_OK) else None,
        kills if os.access(kills, os.R_OK) else None,
    )


def may_freeze() -> bool:
    """Whether we may write to the freezers of containers, as far as that can be told without one."""
    mounts = [match.groupdict() for match in _MOUNT.finditer(Path("/proc/self/mountinfo").read_text())]
    return any(
        os.geteuid() == 0 and os.access(mount["point"], os.W_OK)
        for mount in mounts
        if mount["type"] == "cgroup2" or "freezer" in mount["options"].split(",")
    )


def _folder(controller: str, path: str, mounts: list[dict[str, str]]) -> Path | None:
    """Where a cgroup is seen; the empty controller is the unified hierarchy (v2)."""
    for mount in mounts:
        named = mount["options"].split(",") if mount["type"] == "cgroup" else [""]
        if controller in named and Path(path).is_relative_to(mount["root"]):
            return Path(mount["point"]) / Path(path).relative_to(mount["root"])
    return None
