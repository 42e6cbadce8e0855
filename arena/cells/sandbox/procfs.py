"""Files of /proc that tell of the whole machine: numbers that one bot can move and another read are a channel between them.

A namespace of processes hides other processes there, and nothing else. So everything beside the processes is covered, except what
does not change while the machine runs; what is new in a kernel is covered without being known here.
"""

import stat
from functools import cache
from pathlib import Path

PROC = Path("/proc")

_CONSTANT = {
    *("cmdline", "config.gz", "consoles", "devices", "dma", "execdomains", "filesystems"),
    *("iomem", "ioports", "kallsyms", "misc", "version"),
}
"""Files that stay the same."""

SHOWN = ("cpuinfo", "meminfo", "stat")
"""Files that runtimes read, for the number of cores and the size of memory. They are shown as they were when the referee began."""

OF_A_PROCESS = (
    *("auxv", "cgroup", "cmdline", "comm", "environ", "limits"),
    *("maps", "mountinfo", "mounts", "stat", "statm", "status"),
)
"""What runtimes read of themselves. All else (`fdinfo`, `smaps`, `pagemap`, ...) tells of others, or is of no use to them."""


def readable() -> list[str]:
    """The files that a program may read under Landlock: those that stay the same, and of its own those in `OF_A_PROCESS`.

    The kernel makes these anew for each process, and Landlock only knows files that are there already: so what the program starts
    may read none of its own. Links and lists work everywhere (`exe`, `fd`).
    """
    return [*(f"/proc/{name}" for name in (*_CONSTANT, *SHOWN)), *(f"/proc/self/{name}" for name in OF_A_PROCESS)]


@cache
def telling() -> tuple[Path, ...]:
    """The files and folders to cover: not links, and not what an ordinary user may not read anyway."""
    found = []
    for path in sorted(PROC.iterdir()):
        mode = path.lstat().st_mode if not path.name.isdigit() else 0
        if mode & stat.S_IROTH and not stat.S_ISLNK(mode) and path.name not in _CONSTANT:
            found.append(path)
    return tuple(found)


@cache
def snapshot() -> dict[str, bytes]:
    """The files in `SHOWN`, as they are at the first call."""
    return {name: (PROC / name).read_bytes() for name in SHOWN}


def written(folder: Path) -> dict[str, Path]:
    """The snapshot in files of this folder, by the paths that they cover. Writes those that are missing, for somebody may tidy up.

    Raises `OSError`.
    """
    folder.mkdir(exist_ok=True, parents=True)
    folder.chmod(0o755)
    files = {str(PROC / name): folder / name for name in SHOWN}
    for file in files.values():
        if not file.exists():
            file.write_bytes(snapshot()[file.name])
            file.chmod(0o644)
    return files
