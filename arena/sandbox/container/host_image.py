"""An image made of this machine's own Python: so programs run in containers without any registry.

It holds the Python that runs the arena with its standard library and msgpack, a shell, and one more program of the machine if
that is what a bot is run by; with each the shared libraries it needs. Nothing of it tells where things lie on the machine:
programs are in /usr/bin, all libraries are where the loader looks first.
"""

import hashlib
import importlib.util
import io
import re
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import IO

from bullring.arena.sandbox.local.visible import which
from bullring.errors import CellError, HostError

REPOSITORY = "bullring/host"
RECIPE = "2"
"""Changed whenever this file makes something else of the same programs."""

PATH = "/usr/local/bin:/usr/bin:/bin"

PACKAGES = ("msgpack",)
"""What bots may import besides the standard library."""

_NOT_FOR_BOTS = frozenset(
    (
        "test",
        "tests",
        "idlelib",
        "tkinter",
        "turtledemo",
        "ensurepip",
        "lib2to3",
        "pydoc_data",
        "site-packages",
        "dist-packages",
    )
)
_NOR = ("config-", "_test", "_ctypes_test", "_tkinter", "_xxtestfuzz")
_APPLETS = (
    "sh",
    "cat",
    "cp",
    "dd",
    "echo",
    "env",
    "false",
    "head",
    "id",
    "ls",
    "mkdir",
    "rm",
    "sleep",
    "tail",
    "test",
    "true",
)
_NEEDS = re.compile(r"^\t(?:(?P<name>\S+) => )?(?P<path>/\S+) \(0x", re.MULTILINE)
_ELF = b"\x7fELF"


def is_for(program: str) -> str:
    """The machine's program that is to be in the image, by its path; empty if Python and the shell will do. Raises `CellError`."""
    if program in ("python3", "python", "sh"):
        return ""
    found = which(program)
    if found is None:
        raise CellError(f"there is no program {program!r} on this machine, and no image is named to look for it")
    path = Path(found).resolve()
    with path.open("rb") as file:
        if file.read(4) != _ELF:
            raise CellError(
                f"{program} is a script on this machine, which cannot be taken into a container: name an image, or add a Dockerfile"
            )
    return str(path)


@cache
def tag(program: str, name: str) -> str:
    """The name of the image with this program; it changes with what is in it."""
    digest = hashlib.sha256(f"{RECIPE} {sys.version} {name}".encode())
    for target, source in _contents(program, name):
        status = source.stat()
        digest.update(f"{target}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return f"{REPOSITORY}:{digest.hexdigest()[:16]}"


def write(program: str, name: str, into: IO[bytes]) -> None:
    """Write the image as a tar. Raises `HostError`."""
    made: set[str] = set()
    with tarfile.open(fileobj=into, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for target, source in _contents(program, name):
            _folders(tar, target, made)
            info = tarfile.TarInfo(target)
            data = source.read_bytes()
            info.size = len(data)
            # Python knows its compiled files by the time of the source.
            info.mtime = int(source.stat().st_mtime)
            info.mode = 0o755 if source.stat().st_mode & 0o111 else 0o644
            tar.addfile(info, io.BytesIO(data))
        links = {"usr/bin/python": "python3"}
        if which("busybox"):
            links |= {f"bin/{applet}": "busybox" for applet in _APPLETS}
        for target, to in links.items():
            _folders(tar, target, made)
            info = tarfile.TarInfo(target)
            info.type, info.linkname = tarfile.SYMTYPE, to
            tar.addfile(info)


def _folders(tar: tarfile.TarFile, target: str, made: set[str]) -> None:
    for folder in reversed(Path(target).parents):
        name = str(folder)
        if name != "." and name not in made:
            made.add(name)
            info = tarfile.TarInfo(name)
            info.type, info.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(info)


@cache
def _contents(program: str, name: str) -> list[tuple[str, Path]]:
    """Where each file goes, and where it comes from."""
    python = Path(sys.executable).resolve()
    files = {"usr/bin/python3": python}
    library = f"usr/{sys.platlibdir}/python{sys.version_info.major}.{sys.version_info.minor}"
    paths = sysconfig.get_paths()
    for folder in dict.fromkeys((paths["stdlib"], paths["platstdlib"])):
        files |= dict(_tree(Path(folder), library))
    for package in PACKAGES:
        spec = importlib.util.find_spec(package)
        for place in (spec.submodule_search_locations or ()) if spec else ():
            # Beside the standard library, where every Python looks.
            files |= dict(_tree(Path(place), f"{library}/{package}"))
    shell = which("busybox")
    files |= {"bin/busybox": Path(shell).resolve()} if shell else {"bin/sh": Path("/bin/sh").resolve()}
    if program:
        files[f"usr/bin/{name}"] = Path(program)
    binaries = [path for target, path in files.items() if target.startswith(("usr/bin/", "bin/")) or ".so" in path.name]
    files |= _libraries(binaries)
    return sorted(files.items())


def _tree(folder: Path, target: str) -> Iterator[tuple[str, Path]]:
    for path in folder.iterdir():
        if path.name in _NOT_FOR_BOTS or path.name.startswith(_NOR) or ".opt-" in path.name:
            continue
        if path.is_dir():
            yield from _tree(path, f"{target}/{path.name}")
        elif path.is_file() and path.suffix != ".a":
            yield f"{target}/{path.name}", path


def _libraries(binaries: Sequence[Path]) -> dict[str, Path]:
    """The shared libraries that these need, and the loader at its own place."""
    try:
        done = subprocess.run(["ldd", *map(str, binaries)], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HostError(f"an image of this machine's Python needs ldd: {error}") from None
    found: dict[str, Path] = {}
    loaders: set[str] = set()
    for match in _NEEDS.finditer(done.stdout):
        if match["name"] is None or match["name"].startswith("/"):
            loaders.add(match["name"] or match["path"])
        else:
            found[match["name"]] = Path(match["path"])
    if not loaders:
        return {}
    # The folder that libc is in is one where the loader looks unasked; the others are known to this machine only.
    libc = next((path for name, path in found.items() if name.startswith(("libc.so", "libc.musl"))), Path(min(loaders)))
    unasked = libc.parent / "libgcc_s.so.1"  # threads load it when they end
    if unasked.exists():
        found[unasked.name] = unasked
    libraries = {f"{str(libc.parent).lstrip('/')}/{name}": path.resolve() for name, path in found.items()}
    return libraries | {loader.lstrip("/"): Path(loader).resolve() for loader in loaders}
