"""Toolchains: whether the programs that kits need are on this machine, and how to get them."""

import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

from bullring.arena.cells.kits.kit import Kit, Need, kits
from bullring.arena.cells.sandbox.installations import which
from bullring.arena.cells.sandbox.program import OURS, PYTHON


def path_of(need: Need) -> str | None:
    """The path of the program on this machine; None if it, or one of its files, is missing."""
    if not all(Path(file).exists() for file in need.files):
        return None
    return sys.executable if need.program in (PYTHON, OURS) else which(need.program)


def missing(kit: Kit) -> list[Need]:
    """The needs of a kit that this machine does not meet."""
    return [need for need in kit.needs if path_of(need) is None]


def languages() -> list[str]:
    """The titles of the languages for which everything is on this machine."""
    return [declared.kit.title for declared in kits().values() if not missing(declared.kit)]


def installing(needs: Iterable[Need]) -> str:
    """Advice on getting these programs: a command, and a place for each that Debian lacks. Empty if nothing is needed."""
    needs = list(needs)
    packages = dict.fromkeys(package for need in needs for package in need.debian)
    apt = f"{'' if os.geteuid() == 0 else 'sudo '}apt install {' '.join(packages)}" if packages else ""
    others = [f"{need.program}: {need.elsewhere}" for need in needs if need.elsewhere and not need.debian]
    return "; ".join(filter(None, (apt, *others)))


def words(command: Iterable[str]) -> list[str]:
    """A kit's command as it is run on this machine."""
    return [sys.executable if word in (PYTHON, OURS) else word for word in command]


def typed(command: Iterable[str]) -> str:
    """A kit's command as a person types it in a shell."""
    return shlex.join(words(command))
