"""The matches of a bot with its stderr, for its author."""

from collections.abc import Sequence
from typing import Any

from bullring.errors import LadderError, RecordError
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import BotRow
from bullring.ladder.store.store import Store


def logs(
    home: Home, store: Store, bots: Sequence[BotRow], last: int, *, lost: bool = False, match: int | None = None
) -> list[dict[str, Any]]:
    """The last matches of these bots, oldest first: all, those that were `lost`, or one. Raises `LadderError`.

    A match has one entry for each seat of theirs.
    """
    labels = {row.id: row.name for row in bots}
    names = {row.id: row.name for row in store.bots()}
    titles = {row.id: row.title for row in store.lists()}
    found = []
    matches = store.matches_of(list(labels), last, lost=lost, match=match)
    if match is not None and not matches:
        raise LadderError(f"{bots[0].bot!r} has not played match {match}; list its matches with: bullring bots log")
    for played in matches:
        entries, problem = _written(home, played.id)
        for seat, row in enumerate(played.seats):
            if row.bot in labels and not (lost and row.rank == 1):
                found.append(
                    {
                        "match": played.id,
                        "date": played.ended,
                        "list": titles[played.list],
                        "bot": labels[row.bot],
                        "seat": seat,
                        "rank": row.rank or None,
                        "heads": row.heads,
                        "void": played.void,
                        "faults": list(row.faults),
                        "closed": row.closed,
                        "others": [names[one.bot] for at, one in enumerate(played.seats) if at != seat],
                        "problem": problem,
                        "stderr": entries.get(seat, ""),
                    }
                )
    return found


def _written(home: Home, match: int) -> tuple[dict[int, str], str]:
    """The stderr of a match, by seat; and why it cannot be read."""
    try:
        lines = [line for line in home.lines(match).each() if "stderr" in line]
        return {int(line["stderr"]["seat"]): str(line["stderr"]["text"]) for line in lines}, ""
    except (RecordError, KeyError, TypeError, ValueError) as error:
        return {}, str(error)
