"""Reading a commit of a stranger's git repository, on this machine or elsewhere.

Git does what a repository's config tells it: it runs hooks, filters, monitors and transports, and follows `alternates` to other
repositories. So git never sees one of a stranger. The objects and references of one on this machine, files without any such power,
are copied into a bare repository of our own, whose config is ours. From elsewhere git fetches the one commit into such a
repository, by https alone: no redirects, no submodules, no credentials, and a bound on time and bytes. Only there git is asked for
the files of a commit, and nothing is ever checked out, so there are no filters (such as that of Git LFS) to be run.

The tree is listed as a stream, and files are asked for one by one: `git archive` reads all of a tree before it writes any of it.
"""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import IO, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import trio

from bullring.arena.cells.files.copy import copy_folder
from bullring.arena.cells.files.fill import filling
from bullring.arena.cells.files.read import read_file, shown
from bullring.arena.cells.files.walk import MIB, Bounds, Kind, everything
from bullring.errors import BotError, FilesError
from bullring.ladder.submit.archives import Unpacking

PREFIX = "git+"

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

_REVISION = re.compile(r"[\w][\w./~^+-]{0,255}", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")

_CONFIG = "[core]\nrepositoryformatversion = {version}\nbare = true\nbigFileThreshold = 1m\n"
_SHA256 = "[extensions]\nobjectFormat = sha256\n"

_FETCHING = """\
[http]
followRedirects = false
emptyAuth = false
sslVerify = true
[credential]
helper =
[fetch]
fsckObjects = true
unpackLimit = 1
recurseSubmodules = false
[gc]
auto = 0
[maintenance]
auto = false
"""
"""The config for fetching. One pack, not a file for each object: then a bound on files is one on what is fetched."""

_PASSED = ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY", "GIT_SSL_CAINFO")
"""Variables that say how the network is reached from here, and whom to trust there."""

_WAIT = 300.0
"""Seconds that fetching may take."""

_SECONDS = 120
"""Processor time that git may take."""
_MEMORY = 4096 * MIB
"""Address space that git may take."""


@dataclass(frozen=True)
class Commit:
    """The commit asked for, as pip has it: git+URL@REVISION#subdirectory=FOLDER."""

    url: str
    """Of the repository: https://HOST/PATH, file:///PATH, or http:// for this machine itself."""
    revision: str = "HEAD"
    subdirectory: str = ""
    """The folder of the bot in the repository; empty for its top."""

    @classmethod
    def parse(cls, text: str) -> "Commit":
        """From the words of a user, which begin with `PREFIX`. Raises `BotError`."""
        try:
            parts = urlsplit(text.removeprefix(PREFIX))
            host, words = parts.hostname or "", parse_qs(parts.fragment, strict_parsing=bool(parts.fragment))
        except ValueError as error:
            raise BotError(f"{text[:200]}: {error}; {_FORM}") from None
        path, _, revision = parts.path.rpartition("@") if "@" in parts.path else (parts.path, "", "HEAD")
        folder = (words.pop("subdirectory", None) or [""])[0]
        if parts.scheme not in ("https", "http", "file") or (parts.scheme == "http" and not _is_here(host)):
            raise BotError(
                f"{text[:200]}: repositories are fetched by https alone; for others, clone it first, and {_LOCAL}"
            )
        if parts.scheme == "file" and (host or not path.startswith("/")):
            before, _, after = f"{parts.netloc}{parts.path}".rpartition("@")
            whole = f"{PREFIX}file://{Path(before or after).absolute()}@{after if before else 'HEAD'}"
            raise BotError(f"{text[:200]}: the path of a repository here begins with a slash: {whole}")
        if "@" in parts.netloc:
            raise BotError(
                f"the URL of a repository must not hold credentials, for records show it; clone it first, and {_LOCAL}"
            )
        right = host or (parts.scheme == "file" and path.startswith("/"))
        if (
            not right
            or (host and parts.scheme == "file")
            or parts.query
            or words
            or not text.isprintable()
            or " " in text
        ):
            raise BotError(f"{text[:200]} is not a commit of a repository; {_FORM}")
        if not _REVISION.fullmatch(revision) or ".." in revision:
            raise BotError(f"{revision[:200]!r} is not a branch, a tag or the hash of a commit; {_FORM}")
        if folder.startswith("/") or ".." in folder.split("/"):
            raise BotError(f"{folder[:200]!r} is not a folder in the repository; {_FORM}")
        return cls(f"{parts.scheme}://{parts.netloc}{path}", revision, folder.strip("/"))

    @property
    def path(self) -> Path | None:
        """The path of a repository of this machine; None for one elsewhere."""
        return Path(unquote(urlsplit(self.url).path)) if self.url.startswith("file:") else None

    def __str__(self) -> str:
        folder = f"#subdirectory={self.subdirectory}" if self.subdirectory else ""
        return f"{PREFIX}{self.url}@{self.revision}{folder}"


_FORM = "give git+https://HOST/REPOSITORY@REVISION or git+file:///PATH@REVISION, and #subdirectory=FOLDER after it if need be"
_LOCAL = "submit git+file:///PATH@REVISION"


def _is_here(host: str) -> bool:
    """Whether a host is this machine: what is sent there, nobody else can read or change."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


class _Blob(NamedTuple):
    path: bytes
    kind: Kind
    name: bytes
    """Its hash."""


async def download(commit: Commit, folder: Path, *, seconds: float = _WAIT, most: int = _MOST_OBJECTS.size) -> None:
    """Fetch a commit from elsewhere into `folder`, an empty one of ours, for `export`. Raises `BotError`, `OSError`."""
    _must_have_git()
    for name in ("objects", "refs"):
        (folder / name).mkdir()
    (folder / "HEAD").write_bytes(b"ref: refs/heads/none\n")
    (folder / "config").write_text(_CONFIG.format(version=0) + _FETCHING, "ascii")
    scheme = commit.url.partition(":")[0]
    passed = {name: os.environ[name] for name in _PASSED if name in os.environ and scheme == "https"}
    words = ("fetch", "--quiet", "--depth=1", "--no-tags", "--refmap=", commit.url, commit.revision)

    async def end(git: trio.Process) -> None:
        with suppress(ProcessLookupError):
            os.killpg(git.pid, signal.SIGKILL)  # with its helpers

    with trio.move_on_after(seconds) as waiting, (folder / "said").open("wb") as said:
        done = await trio.run_process(
            _git(folder, *words, most=most),
            capture_stdout=True,
            stderr=said,
            check=False,
            env=_environment(folder) | passed | {"GIT_ALLOW_PROTOCOL": scheme},
            cwd=folder,
            start_new_session=True,
            deliver_cancel=end,
        )
    if waiting.cancelled_caught:
        raise BotError(f"{commit} was not fetched within {seconds:g} s; try again, or clone it first, and {_LOCAL}")
    if done.returncode:
        why = _said(folder) or f"it ended with status {done.returncode}, as with more than {most // MIB} MiB"
        raise BotError(
            f"git cannot fetch {commit}: {why}; it must be public, and the revision a branch, a tag or the full hash of a commit;"
            f" otherwise clone it first, and {_LOCAL}"
        )


def export(commit: Commit, folder: Path, target: Path, bounds: Bounds) -> str:
    """Write the files of a commit to `target`, an empty folder of ours; `folder` is another one, for what is needed meanwhile.

    One from elsewhere is in `folder` already (`download`). Returns the full hash of the commit. Raises `BotError`, `FilesError`,
    and `OSError` of our folders.
    """
    _must_have_git()
    if commit.path is not None:
        _copy(_found(commit.path), folder)
    found = _resolved(folder, commit)
    with filling(target, str(commit)) as into:
        unpacking = Unpacking(into, bounds, str(commit))
        # Listed first: a tree of trees may hold more files than anybody can count.
        tree = f"{found}:{commit.subdirectory}" if commit.subdirectory else found
        if commit.subdirectory and not _named(folder, f"{_named(folder, tree)}^{{tree}}"):
            raise BotError(
                f"there is no folder {commit.subdirectory!r} in {commit.url} at {found[:12]}; name one that it has"
            )
        entries = list(_listed(folder, tree, unpacking, str(commit)))
        _write(folder, entries, unpacking, str(commit))
        into.finish()
    return found


def _must_have_git() -> None:
    if shutil.which("git") is None:
        raise BotError("git is not installed; install it (apt install git), or submit a folder or an archive")


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
        raise BotError(f"git cannot read {label}: {_said(folder) or f'it ended with status {git.returncode}'}")


def _said(folder: Path) -> str:
    """The beginning of what git has complained of, in one line. Strangers may have written it."""
    with (folder / "said").open("rb") as file:
        return " ".join(file.read(500).decode("utf-8", "replace").split())


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
    """The hash of the commit that a revision names. Raises `BotError`."""
    name = "FETCH_HEAD" if commit.path is None else commit.revision
    found = _named(folder, f"{name}^{{commit}}")
    if not found:
        raise BotError(
            f"{commit.url} has no commit, branch or tag {commit.revision!r}; name one: {PREFIX}{commit.url}@BRANCH"
        )
    return found


def _named(folder: Path, name: str) -> str:
    """The hash of the object with this name; empty if there is none."""
    done = subprocess.run(
        _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", name),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=_environment(folder),
        cwd=folder,
        check=False,
    )
    found = done.stdout.decode("ascii", "replace").strip()
    return found if done.returncode == 0 and _HASH.fullmatch(found) else ""


def _git(folder: Path, *words: str, most: int = _MOST_OBJECTS.size) -> Sequence[str]:
    limits = ("prlimit", f"--as={_MEMORY}", f"--cpu={_SECONDS}", f"--fsize={most}", "--core=0")
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
