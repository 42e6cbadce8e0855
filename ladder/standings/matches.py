"""Matches as JSON, for other programs."""

from collections.abc import Mapping
from typing import Any

from bullring.ladder.store.rows import MatchRow


def match_facts(match: MatchRow, names: Mapping[int, str]) -> dict[str, Any]:
    """All facts of a match; `names` has the bots' names by id."""
    return {
        "id": match.id,
        **({} if match.group is None else {"group": match.group}),
        "void": match.void,
        "counted": match.counted,
        "deals": match.deals,
        "seats": [
            {
                "bot": names[seat.bot],
                "heads": seat.heads,
                "rank": seat.rank,
                "faults": list(seat.faults),
                "closed": seat.closed,
                "metrics": dict(seat.metrics),
            }
            for seat in match.seats
        ],
    }
