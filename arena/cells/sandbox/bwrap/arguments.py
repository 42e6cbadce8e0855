"""Build the command lines of bubblewrap (tier `bwrap`)."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bullring.arena.cells.sandbox import first_process, procfs
from bullring.arena.cells.sandbox.installations import NETWORK_SETTINGS, system_folders, system_settings, which
from bullring.arena.cells.sandbox.landlock import rules
from bullring.arena.cells.sandbox.local.sandbox import Plan, confining, limits_of
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.cells.sandbox.visible import BOT, BOX, Visible, places, places_of
from bullring.errors import HostError

TEMPORARY = 1 << 20
"""Size of /tmp, in bytes. That of /dev/shm is the box's: without memory files, Erlang writes up to 16 MiB of machine code there."""

TERMINALS = "/dev/pts"
"""Covered: bots need no terminals, whose number is limited for the whole machine."""

ANSWER_LIMIT = 60.0
"""Seconds after which a bubblewrap that does not describe itself hangs. A busy machine only makes it slow."""

CONFINE = "/confine.pyc"
"""Where the compiled `confine_and_exec` is in the cell."""

_NEEDED = ("--size", "--json-status-fd", "--seccomp", "--args", "--as-pid-1")


@dataclass(frozen=True)
class Bubblewrap:
    """The bubblewrap program of this machine."""

    path: str
    version: str
    options: frozenset[str]
    """All options that it knows."""


@cache
def find() -> Bubblewrap:
    """Find the machine's bubblewrap. Raises `HostError` if it is missing or too old."""
    path = which("bwrap")
    if path is None:
        raise HostError("bubblewrap is not installed; on Debian and Ubuntu: apt install bubblewrap")
    try:
        text, told = (
            subprocess.run([path, ask], capture_output=True, text=True, timeout=ANSWER_LIMIT, check=True).stdout
            for ask in ("--help", "--version")
        )
        version = told.split()[-1]
    except (OSError, subprocess.SubprocessError, IndexError) as error:
        raise HostError(f"{path} cannot be run: {error}") from None
    options = frozenset(word for word in text.split() if word.startswith("--"))
    missing = [option for option in _NEEDED if option not in options]
    if missing:
        raise HostError(f"bubblewrap {version} is too old: it has no {', '.join(missing)}; install 0.8 or newer")
    return Bubblewrap(path, version, options)


def options_of(
    bubblewrap: Bubblewrap,
    program: Program,
    visible: Visible,
    hidden: Sequence[Path],
    environment: Mapping[str, str],
    descriptors: Mapping[str, int],
    machine: Mapping[str, int],
    shell: int,
    confine: int,
) -> list[str]:
    """Return all options for a program, to be passed in a file (`--args`).

    Not on the command line: the bot can read that of its namespace's first process, and must not learn the machine's paths.
    Paths in `hidden` are covered. `descriptors` are those of "seccomp" and "json-status-fd", `machine` those of what to show in
    place of files of /proc (see `procfs`), `shell` is the first process's program, and `confine` that which becomes the bot.
    """
    options = [
        "--unshare-user",
        "--unshare-all",
        "--die-with-parent",
        "--as-pid-1",
        "--new-session",
        "--hostname",
        "bot",
        "--clearenv",
    ]
    workshop = program.workshop
    if workshop is not None and workshop.network:
        options.append("--share-net")
    if "--disable-userns" in bubblewrap.options:
        options.append("--disable-userns")
    options += ["--cap-drop", "ALL", "--uid", "65534", "--gid", "65534"]
    for name, value in environment.items():
        options += ["--setenv", name, value]
    for place, link in system_folders().items():
        options += ["--symlink", link, place] if link else ["--ro-bind-try", place, place]
    for place in system_settings(building=workshop is not None):
        options += ["--ro-bind-try", place, place]
    if workshop is not None and workshop.network:
        for place in NETWORK_SETTINGS:
            options += ["--ro-bind-try", place, place]
    options += ["--proc", "/proc", *_covers(machine), "--dev", "/dev", *_empty(TERMINALS)]
    options += ["--perms", "0111", "--ro-bind-data", str(shell), first_process.UNREADABLE]
    options += ["--perms", "0444", "--ro-bind-data", str(confine), CONFINE]
    options += ["--perms", "0700", "--size", str(program.caps.box), "--tmpfs", BOX]
    for place, size in (("/dev/shm", program.caps.box), ("/tmp", TEMPORARY)):
        options += ["--size", str(size), "--tmpfs", place]
    # After /tmp, because they may be in it.
    shown = places(program, visible, hidden)
    for place, source in shown.items():
        options += ["--ro-bind", str(source), place]
    for path in filter(Path.exists, hidden):
        for inside in places_of(path, shown):
            options += _empty(inside) if path.is_dir() else ["--ro-bind", "/dev/null", inside]
    options += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", BOT]
    for name, fd in descriptors.items():
        options += [f"--{name}", str(fd)]
    return options


def _covers(machine: Mapping[str, int]) -> list[str]:
    """Options that cover what /proc tells of the machine."""
    options = []
    for path in procfs.telling():
        if path.is_dir():
            options += _empty(str(path))
        elif path.name in machine:
            options += ["--ro-bind-data", str(machine[path.name]), str(path)]
        else:
            options += ["--ro-bind", "/dev/null", str(path)]
    return options


def _empty(folder: str) -> list[str]:
    return ["--tmpfs", folder, "--remount-ro", folder]


def confined(program: Program, visible: Visible, hidden: Sequence[Path]) -> list[str]:
    """Return the command that confines itself further in the cell: by limits, set in its user namespace, where only this bot's
    processes are counted, and by Landlock, where the kernel has it.
    """
    limits = program.caps.limits() | {"nproc": program.caps.processes}
    plan: Plan = {"command": visible.command, "limits": limits_of(limits)}
    if rules.let_rename() and program.workshop is None:
        shown = (*system_folders(), *system_settings(), "/dev", "/tmp", BOX, *places(program, visible, hidden))
        folders = {f"/{Path(place).parts[1]}" for place in shown}
        plan["landlock"] = rules.no_files_but(procfs.readable(), sorted(folders))
    return [first_process.UNREADABLE, *first_process.COMMAND[1:], *confining(plan, CONFINE)]
