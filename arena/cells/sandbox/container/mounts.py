"""The mounts of a container: files of the machine, read-only, covers for those that are hidden, and the box."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bullring.arena.cells.sandbox.caps import MIB
from bullring.arena.cells.sandbox.installations import CERTIFICATES, system_folders, system_settings
from bullring.arena.cells.sandbox.program import Program, Workshop
from bullring.arena.cells.sandbox.visible import BOT, BOX, Visible, places, places_of
from bullring.errors import CellError, HostError

BOX_FILES = 1024
WORKSHOP_FILES = 1 << 20
"""Most files in a box, and in one for building."""

TERMINALS = "/dev/pts"
"""Covered: bots need no terminals, whose number is limited for the whole machine."""

TMP, TMP_SIZE = "/tmp", MIB

NAMES = ("/etc/hosts", "/etc/resolv.conf")
"""Covered: engines write into them how the machine's network looks, Podman the container's name as well, which is our own."""

BY_PODMAN = ("/run", "/var/tmp")
ACCOUNTS = ("/etc/passwd", "/etc/group")
"""Covered, too: what Podman adds, file systems to write to, and an account for the bot, with which Java takes files that it cannot
lock."""

NULL = Path("/dev/null")
MOUNTED = Path("/proc/self/mountinfo")


def mounts(
    program: Program,
    visible: Visible | None,
    uid: int,
    hidden: Sequence[Path],
    machine: Mapping[str, Path],
    *,
    podman: bool,
) -> dict[str, Any]:
    """Return the mounts for a program of this user, as the engine wants them. Without `visible` it has an image of its own.

    `machine` are files to mount in any case, by their paths in the container.
    Raises `CellError` or `HostError` if a path cannot be shown or hidden.
    """
    folder = program.folder.resolve()
    secrets = [path.resolve() for path in hidden]
    if folder in secrets:
        raise CellError(f"{folder} cannot be a bot's folder: it is one that bots must not see")
    if folder.stat().st_mode & 0o005 != 0o005:
        raise CellError(
            f"{folder} is not readable for other users, and in a container a bot is another user; "
            f"run: chmod -R o+rX {shlex.quote(str(folder))}"
        )
    shown = {BOT: folder} if visible is None else places(program, visible, hidden)
    network = program.workshop is not None and program.workshop.network
    binds = shown if visible is None else _with_the_system(shown, secrets, program.workshop)
    kept = "nosuid,nodev"
    if podman:
        # By default Podman copies what is below a new file system into it, which must not happen to hidden files. It knows neither
        # owners nor a limit of files; but only the bot is in there, and files use memory, which is counted.
        kept += ",notmpcopyup"
        owned, files, many = "mode=0777", "", ""
    else:
        owned, files, many = f"mode=0700,uid={uid},gid={uid}", f",nr_inodes={BOX_FILES}", f",nr_inodes={WORKSHOP_FILES}"
    empty = f"ro,noexec,{kept}{files},size=4096,mode=0555"
    # As in bubblewrap, what is in the box may be run: runtimes unpack libraries, and with Python a bot can run anything.
    # The image must not have the box's path, because the mount would take on its permissions.
    box = f"rw,exec,{kept}{many if program.workshop else files},{owned},size={program.caps.box}"
    tmpfs = {TERMINALS: empty, BOX: box}
    if visible is not None:
        tmpfs[TMP] = f"rw,exec,{kept}{files},{owned},size={TMP_SIZE}"
    nothing = dict.fromkeys((*(() if network else NAMES), *(ACCOUNTS if podman and visible is not None else ())), NULL)
    if podman and visible is not None:
        tmpfs |= dict.fromkeys(BY_PODMAN, empty)
    found = [_bind(source.resolve(), target) for target, source in {**binds, **machine, **nothing}.items()]
    for secret in secrets:
        for place in places_of(secret, shown) if visible is not None else _in_folder(secret, folder):
            if secret.is_dir():
                tmpfs[place] = empty
            elif secret.exists():
                found.append(_bind(NULL, place))
            else:
                raise HostError(f"{secret} cannot be hidden from bots, because it does not exist; create it first")
    return {"Mounts": found, "Tmpfs": tmpfs}


def _in_folder(path: Path, folder: Path) -> list[str]:
    return [f"{BOT}/{path.relative_to(folder)}"] if path.is_relative_to(folder) else []


def _with_the_system(shown: Mapping[str, Path], secrets: Sequence[Path], workshop: Workshop | None) -> dict[str, Path]:
    """Add the system's folders and settings, and the file systems that are mounted inside any of these.

    Not those in the bot's folder, which are a stranger's.
    """
    folders = [folder for folder, link in system_folders().items() if not link]
    settings = [
        *system_settings(building=workshop is not None),
        *(CERTIFICATES if workshop is not None and workshop.network else ()),
    ]
    # Links of which nothing is left, and what was uninstalled since it was looked up, engines refuse to mount.
    system = {place: Path(place) for place in (*folders, *settings) if Path(place).exists()}
    everything = {**system, **shown}
    inside = {
        f"{place}/{point.relative_to(source)}": point
        for point in _mount_points()
        if not any(point.is_relative_to(secret) for secret in secrets)
        for place, source in everything.items()
        if place != BOT and point != source and point.is_relative_to(source)
    }
    return everything | inside


def _mount_points() -> Iterator[Path]:
    for line in MOUNTED.read_text("utf-8", "surrogateescape").splitlines():
        yield Path(re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), line.split()[4]))


def _bind(source: Path, target: str) -> dict[str, Any]:
    """Bind a file or folder read-only, without mounts inside it, which older engines would leave writable."""
    options = {"Propagation": "rprivate", "NonRecursive": True}
    return {"Type": "bind", "Source": str(source), "Target": target, "ReadOnly": True, "BindOptions": options}
