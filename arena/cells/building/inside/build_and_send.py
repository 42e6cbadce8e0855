"""Build a bot inside a cell, and send what came of it: `python -I -S build_and_send.py PLAN`.

The working folder is the snapshot of the bot. It is copied into the box, the command is run in the copy, and the copy is written to
stdout. Everything that the command prints goes to stderr. It is run as a file, and in containers by a Python of theirs, so it
imports nothing of Bullring. The plan is JSON:

======= =================================================================================================
command the words of the build
path    PATH for it
box     the box, a folder; empty where it is the home of this process
stock   the stock to begin with (`building.stock`), a tar file; empty if there is none
most    bytes of the largest stock that is wanted; 0: none is wanted
======= =================================================================================================

What is sent, with numbers in big-endian order (`building.unpack` reads it):

* ``s`` and the exit status of the command as a signed number of 4 bytes; negative: the signal that ended it;
* if it is 0, for each folder, file and link, each folder before what is in it: its kind (``d``, ``f``, ``x``: a file that may be
  executed, ``l``), the length of its path in 2 bytes, the path, the length of its contents in 8 bytes, and the contents; those of a
  link are its target; and ``.`` in the end;
* if a stock is wanted, HOME of the build as a tar file, in pieces, each with its length in 4 bytes before it, and an empty piece in
  the end. Nothing else is one if there is nothing to keep. A piece of `SPOILT` bytes: forget what came.

This program need not be trusted: the build runs beside it as the same user and could write all of that itself.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import struct
import subprocess
import sys
import tarfile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

NOT_STARTED = 127
"""The status that is sent if the command cannot be started, as shells have it."""

SPOILT = 0xFFFFFFFF
"""The length that takes a stock back."""

MOST_KEPT = 50_000
"""Files and folders of a stock."""

_SOURCES = ".bullring-sources"
"""The file in a stock that has the hashes and times of the sources."""

_CHUNK = 1 << 20


def main() -> None:
    """Carry out the plan."""
    plan = json.loads(sys.argv[1])
    box = plan["box"] or os.environ["HOME"]
    place = os.path.join(box, "bot")
    os.umask(0o022)
    home = os.path.join(box, "home")
    try:
        for name in ("home", "tmp"):
            os.mkdir(os.path.join(box, name))
        if plan["stock"]:
            _unpack(plan["stock"], home)
        shutil.rmtree(
            place, ignore_errors=True
        )  # a stock may hold anything, but the sources are those that were handed in
        shutil.copytree(".", place, symlinks=True, copy_function=shutil.copy)
    except (OSError, shutil.Error) as error:
        sys.exit(f"the bot's folder cannot be copied into the box: {error}")
    sources = _as_before(place, os.path.join(home, _SOURCES)) if plan["most"] else {}
    status = _run(plan, box, place, home)
    _send(b"s" + struct.pack(">i", status))
    if status == 0:
        _send_folder(place)
        _send(b".")
    if plan["most"]:
        _send_stock(home, plan["most"], sources)


def _run(plan: dict[str, Any], box: str, place: str, home: str) -> int:
    environment = {
        **os.environ,  # what the sandbox says of runtimes, and the mark by which it finds this process
        "PATH": str(plan["path"]),
        "HOME": home,
        "TMPDIR": os.path.join(box, "tmp"),
        "PWD": place,  # which makefiles believe
        # Of what would lie in the folder, so that it would be new each time, and be sent as a part of the bot.
        "CARGO_BUILD_BUILD_DIR": os.path.join(home, ".cache", "cargo"),
        "ZIG_LOCAL_CACHE_DIR": os.path.join(home, ".cache", "zig-local"),
    }
    if "PYTHONPATH" in environment:  # of packages in the folder that was copied
        environment["PYTHONPATH"] = os.path.join(place, os.path.basename(environment["PYTHONPATH"]))
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


def _unpack(stock: str, home: str) -> None:
    """Unpack a stock. One that is broken is as none: an earlier build of the same bot may have made anything of it."""
    try:
        with tarfile.open(stock) as archive:
            archive.extraction_filter = lambda member, path: member  # here it can do no more than the build
            archive.extractall(home)
    except Exception as error:
        print(f"what earlier builds left cannot be used: {error!a:.200}", file=sys.stderr)
        shutil.rmtree(home, ignore_errors=True)
        os.makedirs(home, exist_ok=True)


def _as_before(place: str, known_from: str) -> dict[str, tuple[str, int]]:
    """Give files that are as they were in the build before the times that they had then, for tools that go by times.

    Any other file is new. Returns the hashes and times of all, by path.
    """
    try:
        with open(known_from, "rb") as file:
            known = {path: (str(hash), int(when)) for path, (hash, when) in json.load(file).items()}
    except Exception:  # an earlier build may have made anything of it
        known = {}
    found = {}
    for folder, _, names in os.walk(place):
        for path in (os.path.join(folder, name) for name in names):
            if os.path.islink(path):
                continue
            with open(path, "rb") as file:
                hash = hashlib.sha256(file.read()).hexdigest()
            name = os.path.relpath(path, place)
            before, when = known.get(name, ("", 0))
            if before == hash:
                os.utime(path, ns=(when, when))
            found[name] = hash, os.stat(path).st_mtime_ns
    return found


def _send_stock(home: str, most: int, sources: dict[str, tuple[str, int]]) -> None:
    """Send the stock, if there is one and it is not too large."""
    try:
        if os.listdir(home):
            with open(os.path.join(home, _SOURCES), "w") as file:
                json.dump(sources, file)
        found = list(_stock(home))
        size = sum(os.lstat(path).st_size for path in found)
        if len(found) > MOST_KEPT or size > most:
            print(
                f"left nothing for the next build: {len(found)} files, {size >> 20} MiB are too much", file=sys.stderr
            )
        elif found:
            pieces: Any = _Pieces()  # tarfile asks for no more than `write`
            with tarfile.open(mode="w|", fileobj=pieces, bufsize=_CHUNK) as archive:
                for path in found:
                    archive.add(path, os.path.relpath(path, home), recursive=False)
    except Exception as error:  # such as a file that is gone meanwhile, because processes of the build still run
        print(f"left nothing for the next build: {error!a:.200}", file=sys.stderr)
        _send(struct.pack(">I", SPOILT))
    else:
        _send(struct.pack(">I", 0))


def _stock(home: str) -> Iterator[str]:
    """The files, folders and links in a folder, each folder before what is in it."""
    for folder, folders, files in os.walk(home):
        for path in (os.path.join(folder, name) for name in [*folders, *files]):
            mode = os.lstat(path).st_mode
            if stat.S_ISDIR(mode) or stat.S_ISLNK(mode) or stat.S_ISREG(mode):
                yield path


class _Pieces:
    """A file that sends what is written to it."""

    def write(self, data: bytes) -> int:
        if data:
            _send(struct.pack(">I", len(data)))
            _send(data)
        return len(data)


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
