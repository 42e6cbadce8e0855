"""The matrix behaviour x tier, for people."""

import os
import platform
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any

from rich.table import Table

from bullring.arena.cells.sandbox import cgroups
from bullring.arena.cells.sandbox.container.engine import find_socket
from bullring.errors import HostError
from tests.hostile.behaviours import BEHAVIOURS, Behaviour
from tests.hostile.contest import contest, means
from tests.support.engine import answers, named, own_engine
from tests.support.tiers import LOCAL, lacks

HELD, FAILED, NOT_PROMISED, SKIPPED = "held", "FAILED", "-", "skipped"
_STYLES = {HELD: "green", FAILED: "bold red", NOT_PROMISED: "dim", SKIPPED: "yellow"}


def why_not(tier: str, behaviour: Behaviour) -> str:
    """Why this machine cannot have the tier, or this of it; empty if it can."""
    if reason := lacks(tier):
        return reason
    return f"it needs {behaviour.needs}" if behaviour.needs and behaviour.needs not in means(tier) else ""


@contextmanager
def an_engine() -> Iterator[None]:
    """A container engine: the one that answers, or one of our own where we may start it, or none."""
    with ExitStack() as stack:
        with suppress(HostError):
            if answers(find_socket()):
                yield
                return
        if os.geteuid() == 0 and shutil.which("dockerd"):
            stack.enter_context(named(stack.enter_context(own_engine())))
        yield


@dataclass
class Row:
    """The results of one behaviour."""

    behaviour: Behaviour
    cells: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    """Why it was not tried."""


def rows(tiers: Sequence[str], behaviours: Iterable[Behaviour], step: Callable[[], None]) -> list[Row]:
    """Let all behaviours be held by all tiers that claim it; `step` is called after each.

    One tier after the other: an engine of our own is a child of ours, which the tiers without namespaces would take for a stray.
    """
    played = [Row(behaviour) for behaviour in behaviours]
    for tier in tiers:
        with an_engine() if tier not in LOCAL else nullcontext():
            for row in played:
                _play(tier, row)
                step()
    return played


def _play(tier: str, row: Row) -> None:
    behaviour = row.behaviour
    if tier not in behaviour.tiers:
        row.cells[tier] = NOT_PROMISED
    elif reason := why_not(tier, behaviour):
        row.cells[tier] = SKIPPED
        row.skipped[tier] = reason
    else:
        found = contest(tier, behaviour)
        row.cells[tier] = FAILED if found else HELD
        row.problems += [f"{behaviour.name} in {tier}: {problem}" for problem in found]


def table(tiers: Sequence[str], played: Iterable[Row]) -> Table:
    """For a terminal."""
    made = Table(box=None, padding=(0, 2, 0, 0))
    for title in ("", "behaviour", *tiers):
        made.add_column(title)
    for row in played:
        shown = [f"[{_STYLES[row.cells[tier]]}]{row.cells[tier]}[/]" for tier in tiers]
        made.add_row(str(row.behaviour.number), row.behaviour.what, *shown)
    return made


def facts(tiers: Sequence[str], played: Iterable[Row]) -> dict[str, Any]:
    """The results of all behaviours, and the machine."""
    found = cgroups.find()
    if isinstance(found, cgroups.Subtree):
        found.close()
    return {
        "machine": {
            "kernel": f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}, {platform.machine()}",
            "user": "root" if os.geteuid() == 0 else "an ordinary user",
            "cgroups": found.describe() if isinstance(found, cgroups.Subtree) else "none",
        },
        "tiers": list(tiers),
        "behaviours": [
            {
                "number": row.behaviour.number,
                "what": row.behaviour.what,
                **{tier: row.cells[tier] for tier in tiers},
            }
            for row in played
        ],
    }


def merged(before: Iterable[Any], after: Iterable[Any]) -> list[Any]:
    """The rows of the behaviours there are, in their order: those played `after`, and of the others those from `before`."""
    rows = {row["number"]: row for row in (*before, *after)}
    return [rows[behaviour.number] for behaviour in BEHAVIOURS if behaviour.number in rows]
