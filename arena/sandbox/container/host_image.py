"""Make an image from this machine's own Python, so that programs run in containers without any registry.

It contains the Python that runs the arena with its standard library and msgpack, a shell, the program of the machine that runs the
bot if it needs another one, and the shared libraries of all these. It does not reveal paths of the machine: programs are in
/usr/bin, and libraries where the loader looks first.
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

from bullring.arena.sandbox.installations import which
from bullring.errors import CellError, HostError

REPOSITORY = "bullring/host"
RECIPE = "2"
"""Version of the images. Increase it when this module makes different images from the same programs."""

PATH = "/usr/local/bin:/usr/bin:/bin"

PACKAGES = ("msgpack",)
"""Packages that bots may import besides the standard library."""

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
    """Return the path of the program to add to the image; empty if Python and the shell are enough. Raises `CellError`."""
    if program in ("python3", "python", "sh"):
        return ""
    found = which(program)
    if found is None:
        raise CellError(
            f"there is no program {program!r} on this machine, and the bot does not name an image that has it"
        )
    path = Path(found).resolve()
    with path.open("rb") as file:
        if file.read(4) != _ELF:
            raise CellError(
                f"{program} is a script on this machine, which cannot be copied into a container; name an image or add a Dockerfile"
            )
    return str(path)


@cache
def tag(program: str, name: str) -> str:
    """The tag of the image with this program. It changes with the contents."""
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
            # Python checks compiled files against the time of the source.
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
    """List the files of the image: path in the image, path on the machine."""
    python = Path(sys.executable).resolve()
    files = {"usr/bin/python3": python}
    library = f"usr/{sys.platlibdir}/python{sys.version_info.major}.{sys.version_info.minor}"
    paths = sysconfig.get_paths()
    for folder in dict.fromkeys((paths["stdlib"], paths["platstdlib"])):
        files |= dict(_tree(Path(folder), library))
    for package in PACKAGES:
        spec = importlib.util.find_spec(package)
        for place in (spec.submodule_search_locations or ()) if spec else ():
            # In the folder of the standard library, where every Python looks.
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
    """Find the shared libraries of these programs, and the loader, by their paths in the image. Raises `HostError`."""
    try:
        done = subprocess.run(["ldd", *map(str, binaries)], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HostError(f"an image of this machine's Python cannot be made without ldd: {error}") from None
    found: dict[str, Path] = {}
    loaders: set[str] = set()
    for match in _NEEDS.finditer(done.stdout):
        if match["name"] is None or match["name"].startswith("/"):
            loaders.add(match["name"] or match["path"])
        else:
            found[match["name"]] = Path(match["path"])
    if not loaders:
        return {}
    # The loader always looks in the folder of libc; other folders are specific to this machine.
    libc = next((path for name, path in found.items() if name.startswith(("libc.so", "libc.musl"))), Path(min(loaders)))
    unasked = libc.parent / "libgcc_s.so.1"  # loaded when a thread ends
    if unasked.exists():
        found[unasked.name] = unasked
    libraries = {f"{str(libc.parent).lstrip('/')}/{name}": path.resolve() for name, path in found.items()}
    return libraries | {loader.lstrip("/"): Path(loader).resolve() for loader in loaders}
