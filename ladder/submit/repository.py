"""Reading a commit of a stranger's git repository on this machine.

Git does what a repository's config tells it: it runs hooks, filters, monitors and transports, and follows `alternates` to other
repositories. So git never sees this one. Its objects and references, files without any such power, are copied into a bare
repository of our own, whose config is ours, and only there git is asked for the files of a commit.

The tree is listed as a stream, and files are asked for one by one: `git archive` reads all of a tree before it writes any of it.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple

from bullring.arena.cells.files.copy import copy_folder
from bullring.arena.cells.files.fill import filling
from bullring.arena.cells.files.read import read_file, shown
from bullring.arena.cells.files.walk import MIB, Bounds, Kind, everything
from bullring.errors import BotError, FilesError
from bullring.ladder.submit.archives import Unpacking

PREFIX = "git:"

_OBJECTS = re.compile(rb"([0-9a-f]{2}|pack)|[0-9a-f]{2}/[0-9a-f]{38,62}|pack/pack-[0-9a-f]{40,64}\.(pack|idx)")
"""Paths of objects, and nothing else of `objects`: not `info/alternates`, which names other folders."""

_MOST_OBJECTS = Bounds(size=1024 * MIB, files=200_000)
_MOST_REFERENCES = Bounds(size=64 * MIB, files=50_000)
_MOST_PACKED = 64 * MIB

_KINDS = {b"100644": Kind.FILE, b"100664": Kind.FILE, b"100755": Kind.PROGRAM, b"120000": Kind.LINK}
"""Of the entries of a tree, by their modes."""

_POINTER = b"version https://git-lfs.github.com/spec/"
_MOST_POINTER = 1024
"""Bytes of a file that Git LFS keeps elsewhere, as it is in the repository."""

_CHUNK = 1 << 16
_MOST_LINE = 8192

_CONFIG = "[core]\nrepositoryformatversion = {version}\nbare = true\nbigFileThreshold = 1m\n"
_SHA256 = "[extensions]\nobjectFormat = sha256\n"

_SECONDS = 120
"""Processor time that git may take."""
_MEMORY = 4096 * MIB
"""Address space that git may take."""


@dataclass(frozen=True)
class Commit:
    """The commit asked for: PATH, or PATH#REVISION; a revision may name a folder in the repository, as in HEAD:bots/mine."""

    path: Path
    revision: str

    @classmethod
    def parse(cls, text: str) -> "Commit":
        """From what follows `git:`."""
        path, _, revision = text.partition("#")
        return cls(Path(path), revision or "HEAD")


class _Blob(NamedTuple):
    path: bytes
    kind: Kind
    name: bytes
    """Its hash."""


def export(commit: Commit, folder: Path, target: Path, bounds: Bounds) -> str:
    """Write the files of a commit to `target`, an empty folder of ours; `folder` is another one, for what is needed meanwhile.

    Returns where they came from: "git PATH, commit HASH". Raises `BotError`, `FilesError`, and `OSError` of our folders.
    """
    if shutil.which("git") is None:
        raise BotError("git is not installed; install it (apt install git), or submit a folder or an archive")
    source = _found(commit.path)
    _copy(source, folder)
    found = _resolved(folder, commit)
    label = f"{shown(commit.path)} at {commit.revision}"
    with filling(target, label) as into:
        unpacking = Unpacking(into, bounds, label)
        # Listed first: a tree of trees may hold more files than anybody can count.
        entries = list(_listed(folder, found, unpacking, label))
        _write(folder, entries, unpacking, label)
        into.finish()
    return f"git {shown(commit.path.resolve())}, {found}"


def _listed(folder: Path, tree: str, unpacking: Unpacking, label: str) -> Iterator[_Blob]:
    """Yield the files of a commit or tree, within bounds."""
    with _running(folder, label, "ls-tree", "-r", "-z", "--full-tree", tree) as git:
        assert git.stdout is not None
        left = b""
        while chunk := git.stdout.read(_CHUNK):
            *lines, left = (left + chunk).split(b"\0")
            if len(left) > _MOST_LINE:
                raise FilesError(f"{label} has a path of more than {_MOST_LINE} bytes; shorten it")
            for line in lines:
                unpacking.count()
                facts, _, path = line.partition(b"\t")
                mode, _, name = facts.split(b" ")
                if mode == b"160000":
                    raise _elsewhere(label, path, "a submodule, whose files are in another repository")
                if mode not in _KINDS:
                    raise unpacking.refuse(path, "neither a file nor a folder")
                yield _Blob(path, _KINDS[mode], name)


def _write(folder: Path, entries: Sequence[_Blob], unpacking: Unpacking, label: str) -> None:
    """Ask for one blob after another, and write it."""
    with _running(folder, label, "cat-file", "--batch", answering=True) as git:
        assert git.stdin is not None
        assert git.stdout is not None
        for blob in entries:
            git.stdin.write(blob.name + b"\n")
            git.stdin.flush()
            _, kind, size = [*git.stdout.readline(_MOST_LINE).split(), b"", b"", b""][:3]
            if kind != b"blob" or not size.isdigit():
                raise FilesError(f"{label} lacks an object, {blob.name.decode()}; the repository is not whole")
            data = _exactly(git.stdout, int(size), label)
            if blob.kind is Kind.LINK:
                if int(size) > _MOST_LINE:
                    raise unpacking.refuse(blob.path, "a link to a path that is too long")
                unpacking.link(blob.path, b"".join(data))
            elif int(size) <= _MOST_POINTER:
                text = b"".join(data)
                if text.startswith(_POINTER):
                    raise _elsewhere(label, blob.path, "a pointer of Git LFS, and the file itself is elsewhere")
                unpacking.file(blob.path, blob.kind, iter([text]))
            else:
                unpacking.file(blob.path, blob.kind, data)
            git.stdout.read(1)
        git.stdin.close()


def _elsewhere(label: str, path: bytes, what: str) -> FilesError:
    return FilesError(
        f"{label}/{shown(path)[:200]} is {what}; submit the folder in which git has checked out everything"
    )


def _exactly(source: IO[bytes], size: int, label: str) -> Iterator[bytes]:
    while size:
        chunk = source.read(min(size, _CHUNK))
        if not chunk:
            raise FilesError(f"{label} cannot be read to its end; the repository is not whole")
        size -= len(chunk)
        yield chunk


@contextmanager
def _running(folder: Path, label: str, *words: str, answering: bool = False) -> "Iterator[subprocess.Popen[bytes]]":
    """A git that runs, and is ended at once if we do not want more of it. Raises `BotError` if it fails."""
    with (
        (folder / "said").open("wb") as said_to,
        subprocess.Popen(
            _git(folder, *words),
            stdin=subprocess.PIPE if answering else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=said_to,
            env=_environment(folder),
            cwd=folder,
        ) as git,
    ):
        try:
            yield git
        except BrokenPipeError:
            git.kill()
        except BaseException:
            git.kill()
            raise
    if git.returncode:
        said = (folder / "said").read_bytes()[:500].decode("utf-8", "replace").strip()
        raise BotError(f"git cannot read {label}: {said or f'it ended with status {git.returncode}'}")


def is_bare(path: Path) -> bool:
    """Whether a folder is a bare repository."""
    return (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()


def _found(path: Path) -> Path:
    """The folder of the repository that a path names. Raises `BotError`."""
    inner = path / ".git"
    if inner.is_file():
        raise BotError(f"{inner} is a file, so the repository is elsewhere; name the repository, or submit the folder")
    for folder in (inner, path):
        if is_bare(folder):
            if (folder / "reftable").exists():
                raise BotError(f"{folder} keeps its references in a reftable, which cannot be read; submit the folder")
            if (folder / "objects" / "info" / "alternates").exists():
                raise BotError(
                    f"{folder} borrows objects from another repository (objects/info/alternates), which cannot be read;"
                    " run git repack -a -d there and remove that file, or submit the folder"
                )
            return folder
    raise BotError(f"{path} is not a git repository; give its folder, or a bare one")


def _copy(source: Path, folder: Path) -> None:
    """Copy objects and references, and nothing else, into a bare repository of ours. Raises `BotError`, `FilesError`, `OSError`."""
    try:
        head = read_file(source / "HEAD", 4096)
        packed = b""
        if (source / "packed-refs").exists():
            packed = read_file(source / "packed-refs", _MOST_PACKED)
    except OSError as error:
        raise BotError(f"{error.filename or source} cannot be read: {error.strerror or error}") from None
    for name, bounds, wanted in (
        ("objects", _MOST_OBJECTS, _is_of_objects),
        ("refs", _MOST_REFERENCES, everything),
    ):
        (folder / name).mkdir()
        copy_folder(source / name, folder / name, bounds, wanted)
    (folder / "HEAD").write_bytes(head)
    (folder / "packed-refs").write_bytes(packed)
    long = re.compile(rb"(?m)^[0-9a-f]{64}\b")
    references = [packed, head, *(path.read_bytes()[:80] for path in (folder / "refs").rglob("*") if path.is_file())]
    is_long = any(long.search(text) for text in references)
    config = _CONFIG.format(version=int(is_long)) + (_SHA256 if is_long else "")
    (folder / "config").write_text(config, "ascii")


def _is_of_objects(path: bytes, *, is_folder: bool) -> bool:
    del is_folder
    return _OBJECTS.fullmatch(path) is not None


def _resolved(folder: Path, commit: Commit) -> str:
    """The hash of what a revision names. Raises `BotError`."""
    done = subprocess.run(
        _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", commit.revision),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=_environment(folder),
        cwd=folder,
        check=False,
    )
    found = done.stdout.decode("ascii", "replace").strip()
    if done.returncode or not re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", found):
        raise BotError(
            f"{commit.path} has no commit, branch or tag {commit.revision!r}; name one: git:{commit.path}#BRANCH"
        )
    return found


def _git(folder: Path, *words: str) -> Sequence[str]:
    limits = ("prlimit", f"--as={_MEMORY}", f"--cpu={_SECONDS}", "--core=0")
    return (*limits, "git", f"--git-dir={folder}", "--no-pager", "--no-replace-objects", *words)


def _environment(folder: Path) -> dict[str, str]:
    """An environment without variables of ours, and without any config."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "",
        "GIT_TERMINAL_PROMPT": "0",
    }
