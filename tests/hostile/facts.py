"""The matrix as plain values, for `docgen.hostile`."""

import os
import platform
from collections.abc import Iterable, Sequence
from typing import Any

from bullring.arena.cells.sandbox import cgroups
from tests.hostile.behaviours import BEHAVIOURS
from tests.hostile.matrix import Row


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
