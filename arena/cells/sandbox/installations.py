"""Programs of the machine, and the folders of their installations."""

import os
import shutil
import tomllib
from collections.abc import Iterator
from functools import cache
from glob import glob
from pathlib import Path

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
"""Folders of the system's programs and libraries, which everybody may read."""

SETTINGS = (
    *("/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime"),
    *("/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf", "/etc/crypto-policies"),
    *("/etc/java", "/etc/java-*", "/etc/mono", "/etc/dotnet", "/etc/R/ldpaths", "/etc/R/Renviron"),
    *(
        "/etc/php/*/cli",
        "/etc/php/*/mods-available",
        "/etc/php/php.ini",
        "/etc/php/conf.d",
        "/etc/php.ini",
        "/etc/php.d",
    ),
    *("/etc/perl", "/etc/julia", "/etc/common-lisp", "/var/lib/gems"),
)
"""Files outside `SYSTEM` that the system's runtimes need, as Debian, Fedora and Arch have them: all of which are for everybody.

Left out is what a machine's owner may put secrets into: settings of web servers (/etc/php/*/fpm), site-wide environments
(/etc/R/Renviron.site), accounts for package sources (/etc/maven/settings.xml, /etc/gemrc), certificates, beside which keys may lie.
And what only builds need, because each path costs bubblewrap a part of a millisecond at each start.
"""

OF_COMPILERS = (
    *(
        "/etc/maven/m2.conf",
        "/etc/maven/logging",
        "/etc/R/Makeconf",
        "/etc/nim",
        "/etc/ocamlfind.conf",
        "/etc/fpc*.cfg",
    ),
    *("/etc/dmd.conf", "/etc/ldc2.conf", "/var/lib/ghc"),
)
"""As `SETTINGS`, for builds."""

CERTIFICATES = ("/etc/ssl/certs", "/etc/pki/ca-trust", "/etc/pki/tls/certs", "/etc/ca-certificates")
NETWORK_SETTINGS = (
    *("/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services", "/etc/protocols"),
    *CERTIFICATES,
)
"""Files that programs need to reach the network, where they may: names, and certificates."""

PATH = "/usr/local/bin:/usr/bin:/bin"

_PARTS = ("bin", "lib", "lib64", "libexec")
"""Folders of an installation that are shown. Not all of it, because it may be a folder with much else, such as ~/.local."""

_LAYOUTS = {
    "release": ("conf", "jmods", "release"),  # Java
    "src/runtime/runtime.go": ("src", "pkg", "go.env", "VERSION"),  # Go
    "host/fxr": ("host", "shared", "sdk", "packs", "templates", "sdk-manifests"),  # .NET
    "etc/ldc2.conf": ("etc/ldc2.conf",),  # D
    "pyvenv.cfg": ("pyvenv.cfg",),
}
"""More parts of installations that have a certain file."""

_HOMES = (".local",)
"""Installations whose `share` is where programs keep what belongs to their user: histories, keys, accounts."""

_RUSTUP = "rustup"


def which(word: str) -> str | None:
    """Find a program of the machine by name. Skips the shims of version managers, which need their manager's home, and the working
    folder and others that depend on it, in which strangers' files may be.
    """
    every = os.environ.get("PATH", PATH).split(":")
    folders = [folder for folder in every if folder.startswith("/") and not folder.endswith("/shims")]
    found = shutil.which(word, path=":".join([*folders, PATH]))
    return _behind_rustup(found) if found else None


def in_place(program: str) -> str:
    """The absolute path of a program, without links in its folders: only the places are shown to which these lead.

    The program itself stays a link: virtual environments need that.
    """
    path = Path(os.path.abspath(program))  # noqa: PTH100  # keep symbolic links
    return str(path.parent.resolve() / path.name)


def _behind_rustup(found: str) -> str:
    """The program of the default toolchain, if this one is rustup's proxy for it: the proxy needs rustup's home."""
    path = Path(found)
    if path.name == _RUSTUP or path.resolve().name != _RUSTUP:
        return found
    home = Path(os.environ.get("RUSTUP_HOME") or Path.home() / ".rustup")
    try:
        usual = tomllib.loads((home / "settings.toml").read_text("utf-8")).get("default_toolchain")
    except (OSError, ValueError):
        return found
    # In full, or without the kind of machine.
    toolchains = [home / "toolchains" / str(usual), *sorted((home / "toolchains").glob(f"{usual}-*"))]
    programs = (toolchain / "bin" / path.name for toolchain in toolchains)
    return next((str(program) for program in programs if program.is_file()), found)


def is_of_the_system(path: str) -> bool:
    """Whether a path is in one of the folders of the system's programs, and does not lead out of it again."""
    return (path.startswith(tuple(f"{folder}/" for folder in SYSTEM)) and "/../" not in f"{path}/") or path in SYSTEM


def system_folders() -> dict[str, str]:
    """The folders in `SYSTEM` that this machine has: where each of them leads if it is a link, or else nothing."""
    folders = (folder for folder in map(Path, SYSTEM) if folder.is_dir())
    return {str(folder): str(folder.readlink()) if folder.is_symlink() else "" for folder in folders}


@cache
def system_settings(*, building: bool = False) -> list[str]:
    """The paths in `SETTINGS`, and for builds in `OF_COMPILERS`, that exist on this machine, looked up once."""
    wanted = (*SETTINGS, *OF_COMPILERS) if building else SETTINGS
    found = (sorted(glob(path)) if "*" in path else [path] for path in wanted)  # noqa: PTH207  # as text, and quicker
    return [path for paths in found for path in paths if os.path.lexists(path)]


def parts(prefix: Path, name: str = "") -> list[Path]:
    """The folders of an installation to show, without those of the system: of a program of this `name`, or the whole `share`."""
    share = () if prefix.name in _HOMES else (f"share/{name}" if name else "share",)
    place = prefix.resolve()
    more = (part for mark, others in _LAYOUTS.items() if (prefix / mark).exists() for part in others)
    found = [place / part for part in (*_PARTS, *share, *more)]
    return [part for part in found if part.exists() and not is_of_the_system(str(part))]


def runtime(program: Path) -> list[Path]:
    """The program, and the folders of its installation to show, without those of the system."""
    shown = [program.parent.resolve() / program.name, program.resolve()]
    for path in {program, program.resolve()}:
        shown += [part for prefix in _prefixes(path) for part in parts(prefix, program.name)]
    return [path for path in shown if path.exists() and not is_of_the_system(str(path))]


def _prefixes(program: Path) -> Iterator[Path]:
    """The folder of the installation that a program is in: above its `bin`, or where it is itself; nothing if that is a home."""
    folder = program.parent
    prefix = (folder.parent if folder.name == "bin" else folder).resolve()
    if len(prefix.parts) > 2 and prefix.parent != Path("/home") and not Path.home().resolve().is_relative_to(prefix):
        yield prefix
