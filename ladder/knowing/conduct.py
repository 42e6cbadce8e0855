"""How a bot conducts itself on a list: what is added up of its matches beside their results."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from bullring.ladder.keeping.rows import MatchRow, SeatRow

MOST_KEYS = 32
"""What a bot may tell of itself, in all matches together."""


@dataclass
class Conduct:
    """Sums over matches."""

    matches: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    """Matches won, by how many shared the first place."""
    faults: int = 0
    times: Counter[int] = field(default_factory=Counter)
    """Decisions by how long they took (`timing`)."""
    sums: defaultdict[str, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    """Of what it told of itself (`metrics`); exact, for groups do not end in the order in which they are read."""
    counts: Counter[str] = field(default_factory=Counter)
    """Matches in which it told so."""

    def take(self, seat: SeatRow, winners: int) -> None:
        """Add a match; `winners` share its first place."""
        self.matches += 1
        if seat.rank == 1:
            self.wins[winners] += 1
        self.faults += len(seat.faults)
        times = self.times
        for bucket, count in seat.times.items():
            times[bucket] += count
        for key, value in seat.metrics.items():
            if key not in self.counts and len(self.counts) >= MOST_KEYS:
                continue
            self.sums[key] += Fraction(value)
            self.counts[key] += 1

    @property
    def share(self) -> float | None:
        """Share of matches won, shared wins in part; None before the first match."""
        return sum(count / winners for winners, count in self.wins.items()) / self.matches if self.matches else None

    @property
    def metrics(self) -> Mapping[str, float]:
        """Means of what it told of itself."""
        return {key: float(self.sums[key] / count) for key, count in sorted(self.counts.items())}

    def text(self) -> str:
        """For the store."""
        sums = {key: str(value) for key, value in self.sums.items()}
        return json.dumps([self.matches, self.wins, self.faults, self.times, sums, self.counts])

    @classmethod
    def parse(cls, text: str) -> "Conduct":
        """From the store."""
        matches, wins, faults, times, sums, counts = json.loads(text)
        return cls(
            matches,
            Counter({int(key): count for key, count in wins.items()}),
            faults,
            Counter({int(key): count for key, count in times.items()}),
            defaultdict(Fraction, {key: Fraction(value) for key, value in sums.items()}),
            Counter(counts),
        )


def add(conducts: dict[int, Conduct], match: MatchRow) -> None:
    """Add a match to the sums of all who played it, by id."""
    winners = sum(seat.rank == 1 for seat in match.seats)
    for seat in match.seats:
        conducts.setdefault(seat.bot, Conduct()).take(seat, winners)
