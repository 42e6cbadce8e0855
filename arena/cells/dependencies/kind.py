"""A kind of packages: what declares them, what the package manager is given, and its command."""

import os
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bullring.arena.cells.files.read import read_file
from bullring.errors import FilesError, HostError

MOST_TEXT = 4 << 20
"""Bytes of the largest declaration."""

ANSWER_LIMIT = 120.0
"""Seconds in which a package manager tells its settings. A busy machine only makes it slow."""

Files = Mapping[str, bytes]
"""Files by their paths."""


@dataclass(frozen=True)
class Command:
    """A command that fetches, and what of the user's it needs."""

    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    reads: tuple[Path, ...] = ()
    """Files and folders of the machine: packages that the user keeps there."""
    files: Files = field(default_factory=dict)
    """Settings, in its working folder."""


@dataclass(frozen=True)
class Kind:
    """A kind of packages."""

    title: str
    manager: str
    """The name of the package manager."""
    declared: Callable[[Path], Files]
    """What the package manager is given, written anew from a bot's folder, a copy of our own; empty if that declares nothing.
    Raises `FilesError`, `OSError`."""
    brings: str
    """The folder that the packages are in, in the bot's folder. Where it belongs to the bot already, the bot brings them itself."""
    command: Callable[[], Command]
    """Raises `HostError` if the package manager is not on this machine."""
    missing: str = "every version that it declares must be in the registry"
    """The remedy if a fetch fails for another reason than the network and hashes."""
    leads: Callable[[Path], Files] = lambda _: {}
    """Files to write into the bot's folder, so that builds find the packages there."""

    def remedy(self, log: str) -> str:
        """What to do if a fetch failed, by what the package manager said."""
        if _HASHES.search(log):
            return "a package is not the one whose hash is declared: declare the hash of the registry, if you trust that one"
        if _OFFLINE.search(log):
            return f"its registry cannot be reached from here; try again, or bring the packages in {self.brings}"
        return self.missing


_OFFLINE = re.compile(
    "name resolution|resolve (?:host|proxy)|getaddrinfo|EAI_AGAIN|ENOTFOUND|no such host|NewConnectionError|"
    "Network is unreachable|ECONNREFUSED|connection refused|Could(?: not|n't) connect|timed out",
    re.IGNORECASE,
)
"""What package managers say of a network that is not there."""

_HASHES = re.compile("DO NOT MATCH THE HASHES|EINTEGRITY|checksum (?:for .* )?(?:mismatch|changed)", re.IGNORECASE)


def text_of(path: Path) -> str:
    """The text of a declaration, without the mark that Windows puts before it. Raises `FilesError`, `OSError`."""
    try:
        return read_file(path, MOST_TEXT).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FilesError(f"{path.name} cannot be read: {error}") from None


def asked(command: Sequence[str]) -> str:
    """The answer of a package manager about its settings, which are the user's. Raises `HostError`."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=ANSWER_LIMIT, check=True, cwd="/", stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise HostError(f"{' '.join(command)} does not tell where packages come from: {error}") from None
    return done.stdout


def from_environment(*names: str) -> dict[str, str]:
    """The user's environment variables with these names, as far as they are set: proxies and certificates among them."""
    usual = ("HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")
    wanted = [*names, *usual, *map(str.lower, usual[:3])]
    return {name: os.environ[name] for name in wanted if os.environ.get(name)}
