"""Python packages, by pip: wheels only, so no `setup.py` of anybody is run."""

import ast
import importlib.util
import re
import sys
from pathlib import Path

from bullring.arena.cells.dependencies import requirements
from bullring.arena.cells.dependencies.kind import Command, Files, Kind, asked, from_environment, text_of
from bullring.arena.cells.files.toml import read_toml
from bullring.arena.cells.sandbox.program import OURS
from bullring.arena.cells.sandbox.python import PACKAGES
from bullring.errors import FilesError, HostError

_SOURCES = ("index-url", "extra-index-url", "find-links", "no-index", "trusted-host", "cert", "proxy")
"""The settings of pip that say where packages come from."""

_READ = (Path("/etc/debian_version"), Path("/etc/os-release"), Path("/etc/mime.types"))
"""Files that pip reads where they are: to tell the index what system this is, and what is in its files."""

_SETTING = re.compile(r"(:env:|[a-z]+)\.([a-z-]+)=(.+)")


def _declared(folder: Path) -> Files:
    listed, project = folder / "requirements.txt", folder / "pyproject.toml"
    found: list[str] = []
    if listed.is_dir():
        raise FilesError(
            f"{listed.name} is a folder; it must be a file with a package in each line, or have another name"
        )
    if listed.is_file():
        found = requirements.in_file(text_of(listed), listed.name)
    elif project.is_file():
        told = read_toml(project).get("project")
        told = told if isinstance(told, dict) else {}
        dynamic = told.get("dynamic")
        if isinstance(dynamic, list) and "dependencies" in dynamic:
            raise FilesError(
                f"the dependencies in {project.name} are dynamic, so a program would have to tell them; list them there, or in"
                f" {listed.name}"
            )
        values = told.get("dependencies", [])
        found = requirements.in_list(values, f"the dependencies in {project.name}")
    return {"requirements.txt": "".join(f"{line}\n" for line in found).encode()} if found else {}


def _command() -> Command:
    pip = _pip()
    settings = _settings(asked([sys.executable, "-I", *pip, "config", "list"]))
    local = tuple(Path(link) for link in settings.get("find-links", "").split() if Path(link).is_dir())
    missing = {link for link in settings.get("find-links", "").split() if link.startswith("/")} - set(map(str, local))
    if "find-links" in settings:
        settings["find-links"] = " ".join(link for link in settings["find-links"].split() if link not in missing)
    return Command(
        words=(
            *(OURS, "-I", *pip, "install", "--target", PACKAGES, "--only-binary", ":all:", "--no-compile"),
            *("--no-input", "--no-cache-dir", "--disable-pip-version-check", "--no-warn-script-location"),
            *("--progress-bar", "off", "--quiet", "--requirement", "requirements.txt"),
        ),
        environment={f"PIP_{name.upper().replace('-', '_')}": value for name, value in settings.items() if value}
        | from_environment(),
        reads=(*local, *filter(Path.exists, _READ)),
    )


def _pip() -> tuple[str, ...]:
    """The words that run pip: that of our environment, or the one that comes with Python."""
    if importlib.util.find_spec("pip") is not None:
        return ("-m", "pip")
    import ensurepip  # seldom needed

    wheels = sorted(Path(ensurepip.__file__).parent.glob("_bundled/pip-*.whl"))
    if not wheels:
        raise HostError("packages for Python are fetched by pip, which is not on this machine; install it")
    return (f"{wheels[-1]}/pip",)


def _settings(listed: str) -> dict[str, str]:
    """The settings that say where packages come from, in what `pip config list` prints. Those of the environment count most."""
    found: dict[str, dict[str, str]] = {}
    for match in filter(None, map(_SETTING.fullmatch, listed.splitlines())):
        section, name, value = match.groups()
        if name in _SOURCES and section in ("global", "install", ":env:"):
            found.setdefault(section, {})[name] = " ".join(str(ast.literal_eval(value)).split())
    return found.get("global", {}) | found.get("install", {}) | found.get(":env:", {})


_WHEELS = (
    "only wheels are fetched, and nothing is built of its source: declare a version that the index has as a wheel for this Python,"
    f" or bring the package in {PACKAGES}"
)

PIP = Kind("Python", "pip", _declared, PACKAGES, _command, _WHEELS)
