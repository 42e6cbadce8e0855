"""The facts that are told below the standings of a list."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bullring.ladder.standings.confinements import Confinements
from bullring.ladder.standings.cycles import Cycles
from bullring.ladder.standings.matches_needed import More
from bullring.ladder.standings.meetings import Meetings
from bullring.ladder.standings.places import Places
from bullring.ladder.standings.shares import Shares
from bullring.ladder.standings.zero import Zero


@dataclass(frozen=True)
class Outlook:
    """Zero, forecast, places, cycles, shares of an overall list, confinement, pairs, what is missing; each as far as known."""

    zero: Zero | None = None
    more: More | None = None
    places: Places | None = None
    cycles: Cycles | None = None
    overall: Shares | None = None
    confinements: Confinements | None = None
    meetings: Meetings | None = None
    newer: int = 0
    """Matches that are not in the standings yet."""

    @property
    def verdicts(self) -> Sequence[Places | Cycles | Shares]:
        """Those that are known of the facts that are told in a sentence each."""
        return [fact for fact in (self.places, self.cycles, self.overall) if fact is not None]

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "zero": self.zero and vars(self.zero),
            "more": self.more and self.more.facts(),
            "places": self.places and self.places.facts(),
            "cycles": self.cycles and self.cycles.facts(),
            "overall": self.overall and self.overall.facts(),
            "confinement": self.confinements and self.confinements.facts(),
            "newer": self.newer,
        }


NOTHING = Outlook()
"""Nothing is known but the rows."""
