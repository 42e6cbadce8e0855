"""Build a bot inside a cell, and send what came of it: `python -I -S build_and_send.py PLAN`.

The working folder is the snapshot of the bot. It is copied into the box, the command is run in the copy, and the copy is written to
stdout. Everything that the command prints goes to stderr. It is run as a file, and in containers by a Python of theirs, so it
imports nothing of Bullring. The plan is JSON:

======= =================================================================================================
command the words of the build
path    PATH for it
box     the box, a folder; empty where it is the home of this process
======= =================================================================================================

What is sent, with numbers in big-endian order (`building.unpack` reads it):

* ``s`` and the exit status of the command as a signed number of 4 bytes; negative: the signal that ended it. If it is not 0,
  that is all;
* for each folder, file and link, each folder before what is in it: its kind (``d``, ``f``, ``x``: a file that may be executed,
  ``l``), the length of its path in 2 bytes, the path, the length of its contents in 8 bytes, and the contents; those of a link are
  its target;
* ``.``, after which nothing comes.

This program need not be trusted: the build runs beside it as the same user and could write all of that itself.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import struct
import subprocess
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NOT_STARTED = 127
"""The status that is sent if the command cannot be started, as shells have it."""

_CHUNK = 1 << 20


def main() -> None:
    """Carry out the plan."""
    plan = json.loads(sys.argv[1])
    box = plan["box"] or os.environ["HOME"]
    place = os.path.join(box, "bot")
    os.umask(0o022)
    try:
        shutil.copytree(".", place, symlinks=True, copy_function=shutil.copy)
        for name in ("home", "tmp"):
            os.mkdir(os.path.join(box, name))
    except (OSError, shutil.Error) as error:
        sys.exit(f"the bot's folder cannot be copied into the box: {error}")
    status = _run(plan, box, place)
    _send(b"s" + struct.pack(">i", status))
    if status == 0:
        _send_folder(place)
        _send(b".")


def _run(plan: dict[str, Any], box: str, place: str) -> int:
    environment = {
        **os.environ,  # what the sandbox says of runtimes, and the mark by which it finds this process
        "PATH": str(plan["path"]),
        "HOME": os.path.join(box, "home"),
        "TMPDIR": os.path.join(box, "tmp"),
        "PWD": place,  # which makefiles believe
    }
    try:
        done = subprocess.run(
            plan["command"], cwd=place, env=environment, stdin=subprocess.DEVNULL, stdout=2, stderr=2, check=False
        )
    except OSError as error:
        print(f"{plan['command'][0]} cannot be started: {error.strerror or error}", file=sys.stderr)
        return NOT_STARTED
    return done.returncode


def _send_folder(top: str) -> None:
    """Send everything below a folder."""
    left = [(top, "")]
    while left:
        folder, prefix = left.pop()
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
        for entry in found:
            path = prefix + entry.name
            mode = entry.stat(follow_symlinks=False).st_mode
            if stat.S_ISDIR(mode):
                os.chmod(entry.path, 0o700)  # whatever the build made of it
                _send_head(b"d", path, 0)
                left.append((entry.path, f"{path}/"))
            elif stat.S_ISLNK(mode):
                target = os.fsencode(os.readlink(entry.path))
                _send_head(b"l", path, len(target))
                _send(target)
            elif stat.S_ISREG(mode):
                _send_file(entry.path, path, b"x" if mode & 0o111 else b"f")
            else:
                print(f"left out, because it is neither a file nor a folder: {path!a}", file=sys.stderr)


def _send_file(where: str, path: str, kind: bytes) -> None:
    if not os.access(where, os.R_OK):
        os.chmod(where, 0o600)
    with open(where, "rb", buffering=0) as file:
        left = os.fstat(file.fileno()).st_size
        _send_head(kind, path, left)
        while left:
            data = file.read(min(left, _CHUNK))
            if not data:
                sys.exit(f"{path!a} became shorter while it was sent")
            _send(data)
            left -= len(data)


def _send_head(kind: bytes, path: str, size: int) -> None:
    name = os.fsencode(path)
    if len(name) > 0xFFFF:
        sys.exit(f"the path {path[:100]!a}... is too long")
    _send(kind + struct.pack(">H", len(name)) + name + struct.pack(">Q", size))


def _send(data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]


if __name__ == "__main__":
    main()
