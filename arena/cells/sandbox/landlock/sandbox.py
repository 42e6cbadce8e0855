"""The sandbox of the tier `landlock`: what a program may read, and a box where there can be one."""

from collections.abc import Sequence
from pathlib import Path

from bullring.arena.cells.sandbox.installations import NETWORK_SETTINGS, SYSTEM, system_settings
from bullring.arena.cells.sandbox.landlock import TIER, rules
from bullring.arena.cells.sandbox.local.sandbox import LocalSandbox, Plan
from bullring.arena.cells.sandbox.program import Program, Workshop
from bullring.arena.cells.sandbox.seccomp import policy

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
"""Devices that programs may use."""

OWN_MEMORY = "/proc/self/maps"
"""All that programs may read of /proc: the C library looks there for the stack, and Mono ends without it."""

BOX = "/dev/shm"
"""The box of a program if we are root: a folder in memory of its own is mounted there."""

BOX_FILES = 1024
"""Most files in such a box."""


class LandlockSandbox(LocalSandbox):
    """Starts programs that Landlock and a filter of system calls confine."""

    tier = TIER
    sockets = policy.NO_SOCKETS

    def _confine(self, plan: Plan, program: Program, shown: Sequence[str], user: int | None) -> None:
        workshop = program.workshop or Workshop()
        settings = system_settings(building=program.workshop is not None)
        read = [*SYSTEM, *settings, *(NETWORK_SETTINGS if workshop.network else ()), *shown, OWN_MEMORY]
        own = [str(workshop.box)] if workshop.box is not None else []
        if user is not None and workshop.box is None and _is_free(BOX, shown):
            limits = f"size={program.caps.box},nr_inodes={BOX_FILES},mode=0700,uid={user},gid={user}"
            plan["box"], own = (BOX, limits), [BOX]
            plan["environment"] |= {"HOME": BOX, "TMPDIR": BOX}
        plan["landlock"] = rules.nothing_but(read, DEVICES, own, network=workshop.network)
        plan["seccomp"] = self._filter_for(program)


open_tier = LandlockSandbox.opened


def _is_free(folder: str, shown: Sequence[str]) -> bool:
    """Whether something can be mounted on a folder: it is there, and nothing that is to be shown is in it."""
    return Path(folder).is_dir() and not any(Path(path).is_relative_to(folder) for path in shown)
