"""The result of a rating, and how it goes from one process to another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bullring.ladder.pairing.known import Known
from bullring.ladder.standings.columns import Row
from bullring.ladder.standings.conduct import EVERY, Stored
from bullring.ladder.standings.matches_needed import More
from bullring.ladder.standings.standings import Standings


@dataclass(frozen=True)
class Ratings:
    """The result of a rating."""

    rows: Sequence[Row]
    rated: int
    """Matches in it."""
    ratings: Mapping[int, float | None]
    """By the ids of all bots."""
    matches: Mapping[int, int]
    known: Known
    more: More | None
    """At one match a second."""
    verdicts: Sequence[str]
    """The sentences about its places and cycles."""
    enough: str | None
    """The reason why the run may stop, with the bots that are active now."""
    conduct: Stored | None
    """The conduct of the bots to be stored; None if little has changed."""

    @classmethod
    def of(cls, standings: Standings, *, final: bool) -> "Ratings":
        """The result of standings that were just rated. At the end of a run (`final`) all conduct is stored."""
        bots = standings.bots
        return cls(
            rows=standings.rows(),
            rated=standings.rated,
            ratings={bot.id: standings.rating(bot.id) for bot in bots},
            matches={bot.id: standings.matches(bot.id) for bot in bots},
            known=standings.known(),
            more=standings.more(1.0),
            verdicts=[line for fact in standings.outlook().verdicts if (line := fact.said())],
            enough=standings.enough([bot.id for bot in bots if bot.state == "active"]),
            conduct=standings.unwritten(0 if final else EVERY),
        )

    def facts(self) -> dict[str, Any]:
        """As plain values."""
        known = self.known
        arrays = {name: getattr(known, name).tobytes() for name in ("met", "ratings", "widths", "weights")}
        return {
            **vars(self),
            "rows": list(map(vars, self.rows)),
            "known": {**vars(known), **arrays},
            "more": None if self.more is None else vars(self.more),
        }

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> "Ratings":
        """From plain values."""
        known, more, conduct = facts["known"], facts["more"], facts["conduct"]
        bots = len(known["bots"])
        arrays = {
            "bots": tuple(known["bots"]),
            "met": np.frombuffer(known["met"], np.int32).reshape(bots, bots),
            "ratings": np.frombuffer(known["ratings"]),
            "widths": np.frombuffer(known["widths"]),
            "weights": np.frombuffer(known["weights"]),
        }
        return cls(
            **{
                **facts,
                "rows": [Row(**row) for row in facts["rows"]],
                "known": Known(**{**known, **arrays}),
                "more": None if more is None else More(**more),
                "conduct": None if conduct is None else Stored(*conduct),
            }
        )
