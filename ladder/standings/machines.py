"""The machines on which matches were played: nodes of a cluster have a class, which is in the first lines of their records."""

import json
from collections import defaultdict
from collections.abc import Set

from bullring.arena.games.rules.sayings import counted
from bullring.errors import LadderError
from bullring.ladder.store.home import Home

HERE = "here"
"""The class of the machine of the ladder itself, on which matches without a cluster are played."""


def classes(home: Home) -> dict[str, set[int]]:
    """The matches by the class of the machine on which they were played. Reads all records. Raises `StoreError`."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for match, text in home.kept.walk():
        found[_class_of(bytes(text))].add(match)
    return dict(found)


def played_on(home: Home, name: str) -> Set[int]:
    """The matches that were played on machines of a class; a part of its name is enough if no other has it.

    Raises `LadderError` if there is no such class, or several.
    """
    found = classes(home)
    fitting = [name] if name in found else [one for one in found if name and name.lower() in one.lower()]
    if len(fitting) == 1:
        return found[fitting[0]]
    known = "; ".join(f"{one} ({counted(len(ids), 'match', 'matches')})" for one, ids in sorted(found.items()))
    why = "is a part of several names" if fitting else "is not among them"
    raise LadderError(
        f"{name[:100]!r} {why}: the machines of this home are of the classes {known or 'that it has none of yet'}"
    )


def _class_of(record: bytes) -> str:
    try:
        node = json.loads(record[: record.index(b"\n")]).get("node")
        return str(node["class"]) if node else HERE
    except (ValueError, KeyError, TypeError, AttributeError):
        return HERE
