"""The first bytes of a program in a bot's folder: they tell whether this machine can run it, and by which interpreter."""

import json
import os
import platform
import shlex
from pathlib import Path

from bullring.arena.cells.files.read import open_file
from bullring.errors import CellError, FilesError

_FIRST = 256
"""Bytes of a file that the kernel looks at."""

_ELF = b"\x7fELF"
_MACHINES = {3: "i686", 40: "armv7l", 62: "x86_64", 183: "aarch64", 243: "riscv64", 21: "ppc64le", 22: "s390x"}
"""Names as printed by `uname -m`, by the number in a program's header: EM_* in elf.h."""

_OTHERS = {b"MZ": "Windows", b"\xcf\xfa\xed\xfe": "macOS", b"\xca\xfe\xba\xbe": "macOS, or a class of Java"}
"""First bytes of programs of other systems."""

_INTERPRETERS = {
    ".js": "node",
    ".lua": "lua",
    ".php": "php",
    ".pl": "perl",
    ".py": "python3",
    ".r": "Rscript",
    ".rb": "ruby",
    ".sh": "bash",
}
"""What runs a script, by the end of its name."""

_MORE_KINDS = Path("/proc/sys/fs/binfmt_misc")
"""The kernel's list of kinds of programs that the machine's owner has registered."""


def must_run_here(path: Path, name: str) -> None:
    """Raise `CellError` if the kernel cannot run this file of a bot, which calls it `name`.

    The C library would give such a file to a shell, whose complaints explain nothing.
    """
    first = _first_bytes(path)
    here = platform.machine()
    if first.startswith(b"#!"):
        _must_have_its_interpreter(first, name)
    elif not first or _knows_more_kinds():
        return
    elif first.startswith(_ELF):
        if (made_for := _machine_of(first)) != here:
            raise CellError(
                f"{name} is not a program for this machine (Exec format error): it is for {made_for}, and this is {here};"
                " build it for this machine"
            )
    elif other := next((system for magic, system in _OTHERS.items() if first.startswith(magic)), ""):
        raise CellError(f"{name} is not a program for this machine (Exec format error): it is for {other}")
    else:
        raise CellError(
            f"{name} is not a program (Exec format error): a script must begin with a line that names its interpreter, like"
            f" #!/bin/sh{by_interpreter(path, name)}"
        )


def by_interpreter(path: Path, name: str) -> str:
    """A hint at the command that runs a script which does not name its interpreter itself; empty if none is known."""
    interpreter = _INTERPRETERS.get(path.suffix.lower())
    if interpreter is None or words_of(path):
        return ""
    words = [interpreter, name]
    return f'; write "{shlex.join(words)}", or in a bot.toml: {json.dumps(words, ensure_ascii=False)}'


def words_of(path: Path) -> str:
    """The #! line of a file without its #!; empty if it has none or cannot be read."""
    try:
        first = _first_bytes(path)
    except CellError:
        return ""
    return _line(first) if first.startswith(b"#!") else ""


def _first_bytes(path: Path) -> bytes:
    """The first bytes of a file; none of one that may be run but not read. Raises `CellError`."""
    try:
        fd = open_file(path, follow=True)
    except PermissionError:
        return b""
    except (OSError, FilesError) as error:
        raise CellError(f"{path} cannot be run: {error}") from None
    try:
        return os.pread(fd, _FIRST, 0)
    finally:
        os.close(fd)


def _line(first: bytes) -> str:
    return first[2:].partition(b"\n")[0].decode("utf-8", "replace")


def _must_have_its_interpreter(first: bytes, name: str) -> None:
    line = _line(first)
    if line.endswith("\r"):
        raise CellError(
            f"the first line of {name} ends with a carriage return, as on Windows, which becomes part of its interpreter's name;"
            f" run: sed -i 's/\\r$//' {shlex.quote(name)}"
        )
    interpreter = next(iter(line.split()), "")
    # In a container or a namespace, paths of the bot's own folder are other ones.
    if interpreter.startswith("/") and not interpreter.startswith("/bot/") and not Path(interpreter).exists():
        program = interpreter.rpartition("/")[2]
        raise CellError(
            f"the first line of {name} names the interpreter {interpreter}, which is not on this machine; begin with"
            f" #!/usr/bin/env {program}, and install {program}"
        )


def _machine_of(first: bytes) -> str:
    """The machine that an ELF program is for."""
    number = int.from_bytes(first[18:20], "big" if first[5:6] == b"\x02" else "little")
    return _MACHINES.get(number, f"another machine (number {number})")


def _knows_more_kinds() -> bool:
    """Whether somebody taught the kernel to run more kinds of programs, such as those of other machines."""
    try:
        return any(entry not in ("register", "status") for entry in os.listdir(_MORE_KINDS))  # noqa: PTH208  # only names
    except OSError:
        return False
