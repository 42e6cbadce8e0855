"""Ending what was left behind on this machine: processes, control groups, folders."""

import os
from collections.abc import Container

from bullring.arena.sandbox import cgroups, proof
from bullring.arena.sandbox.identity import Owner
from bullring.arena.sandbox.local import tree


def sweep() -> None:
    """Remove what dead referees left. First their control groups: what is frozen in one cannot even die."""
    cgroups.sweep()
    tree.sweep_orphans()
    proof.sweep()


def clear_away(owner: str, *, spare: Container[int] | None = None) -> None:
    """Sweep, then end what this owner has left, whether its referee lives or not.

    With `spare`, process ids, our other children are ended, too, if they are of a session of their own: orphans that became ours
    when a referee process died. Blocks until all is gone, for some seconds at most.
    """
    sweep()
    tree.sweep(owner)
    if spare is not None:
        tree.end_strays(spare)


def our_children() -> set[int]:
    """The processes whose parent we are now: `clear_away` can spare them later."""
    return set(tree.children(os.getpid()))


def environment_of(owner: Owner) -> dict[str, str]:
    """What makes a process of our own a thing of this owner, so that `clear_away` finds it, too."""
    return {tree.MARK: owner.name}
