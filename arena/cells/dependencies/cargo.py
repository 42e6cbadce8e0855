"""Crates, by `cargo vendor`, as the lock file says. It compiles nothing, so no build script is run."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bullring.arena.cells.dependencies.kind import MOST_TEXT, Command, Files, Kind, from_environment
from bullring.arena.cells.files.read import read_file
from bullring.arena.cells.files.toml import read_toml
from bullring.arena.cells.sandbox.installations import which
from bullring.errors import FilesError, HostError

_ELSEWHERE = {"git", "registry", "registry-index"}
"""Keys of a manifest that name other places than the user's registry."""

_LEADS = """
[source.crates-io]
replace-with = "vendored-sources"

[source.vendored-sources]
directory = "vendor"
"""

_SETTINGS = Path(".cargo") / "config.toml"
_SKIPPED = {"target", "vendor", "node_modules", ".cargo", ".git"}


def _declared(folder: Path) -> Files:
    lock = folder / "Cargo.lock"
    if not lock.is_file() or b"\nsource = " not in (text := read_file(lock, MOST_TEXT)):
        return {}
    given = {"Cargo.lock": text}
    for path in _below(folder):
        name = str(path.relative_to(folder))
        if path.name == "Cargo.toml":
            _refuse_others(read_toml(path), name)
            given[name] = read_file(path, MOST_TEXT)
        elif path.suffix == ".rs":
            given[name] = b""  # cargo looks whether they are there
    return given


def _below(folder: Path) -> Iterator[Path]:
    for above, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in _SKIPPED]
        yield from (Path(above) / name for name in files if name == "Cargo.toml" or name.endswith(".rs"))


def _refuse_others(value: Any, label: str) -> None:
    """Raise `FilesError` if a manifest names crates from elsewhere. Folders above its own are not there when it is read."""
    left = [value]
    while left:
        here = left.pop()
        if isinstance(here, dict):
            if found := _ELSEWHERE & here.keys():
                raise FilesError(
                    f"{label}: expected crates of the registry; got the key {found.pop()!r}, and nothing else is fetched"
                )
            left += here.values()
        elif isinstance(here, list):
            left += here


def _command() -> Command:
    if which("cargo") is None:
        raise HostError("crates are fetched by cargo, which is not on this machine; install it")
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    settings = next((home / name for name in ("config.toml", "config") if (home / name).is_file()), None)
    return Command(
        ("cargo", "vendor", "--quiet", "--locked"),
        from_environment("CARGO_HTTP_CAINFO", "CARGO_HTTP_PROXY", "CARGO_HTTP_TIMEOUT", "CARGO_NET_RETRY"),
        files={str(_SETTINGS): read_file(settings, MOST_TEXT, follow=True)} if settings is not None else {},
    )


def _leads(folder: Path) -> Files:
    """The setting that leads builds to the crates, added to those of the bot, unless these name sources themselves."""
    path = folder / _SETTINGS
    before = read_file(path, MOST_TEXT) if path.is_file() else b""
    return {} if b"[source" in before else {str(_SETTINGS): before + _LEADS.encode()}


CARGO = Kind("Rust", "cargo", _declared, "vendor", _command, leads=_leads)
