"""Remove leftovers on this machine: processes, cgroups, folders."""

import os
from collections.abc import Container

from bullring.arena.cells.sandbox import cgroups, temporary
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.local import tree


def sweep() -> None:
    """Remove leftovers of dead referees, their cgroups first: frozen processes cannot die."""
    cgroups.sweep()
    tree.sweep_orphans()
    temporary.sweep()


def clear_away(owner: str, *, spare: Container[int] | None = None) -> None:
    """Sweep, then end all programs of this owner, whether their referee is alive or not.

    With `spare`, a set of process ids, leave these alone, and also end our other children that are in another session: orphans that
    we inherited when a referee process died. Blocks until all are gone, for some seconds at most.
    """
    sweep()
    tree.sweep(owner, spare=() if spare is None else spare)
    if spare is not None:
        tree.end_strays(spare)


def our_children() -> set[int]:
    """Our current child processes, for `clear_away` to spare later."""
    return set(tree.children(os.getpid()))


def environment_of(owner: Owner) -> dict[str, str]:
    """The environment that marks one of our own processes as this owner's, so that `clear_away` finds it too."""
    return {tree.MARK: owner.name}
