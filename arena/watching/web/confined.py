"""Confining this process: from here on it reads one folder, and writes, connects to and signals nothing."""

import sysconfig
from pathlib import Path

from bullring.arena.cells.sandbox.landlock import rules
from bullring.arena.cells.sandbox.local.confine_and_exec import forbid_new_privileges, landlock


def confine(folder: Path) -> bool:
    """Confine this process and all its threads to come. Returns whether this kernel can (Landlock, Linux 5.13)."""
    if not rules.version():
        return False
    paths = sysconfig.get_paths()
    libraries = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    forbid_new_privileges()
    landlock(*rules.nothing_but([*libraries, str(folder)], [], [], network=False))
    return True
