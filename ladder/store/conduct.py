"""The conduct of a bot on a list: sums over its matches besides their results."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from bullring.ladder.store.rows import MatchRow, SeatRow

MOST_KEYS = 32
"""Most metric keys kept of a bot over all its matches."""


@dataclass
class Conduct:
    """Sums over a bot's matches on one list."""

    matches: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    """Matches won, by the number of bots that shared the first place."""
    faults: int = 0
    times: Counter[int] = field(default_factory=Counter)
    """Decisions by time bucket (`times`)."""
    sums: defaultdict[str, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    """Sums of its metrics (`metrics`); exact fractions, because matches do not end in the order in which they are read."""
    counts: Counter[str] = field(default_factory=Counter)
    """By metric, the matches in which it was printed."""
    wall_us: int = 0
    cpu_us: int = 0
    starts: int = 0
    """Sums of what it cost (`arena.match.cost.Spent`)."""

    def take(self, seat: SeatRow, winners: int) -> None:
        """Add a match in which `winners` bots shared the first place."""
        self.matches += 1
        if seat.rank == 1:
            self.wins[winners] += 1
        self.faults += len(seat.faults)
        times = self.times
        for bucket, count in seat.times.items():
            times[bucket] += count
        self.wall_us += seat.spent.wall_us
        self.cpu_us += seat.spent.cpu_us
        self.starts += seat.spent.starts
        for key, value in seat.metrics.items():
            if key not in self.counts and len(self.counts) >= MOST_KEYS:
                continue
            self.sums[key] += Fraction(value)
            self.counts[key] += 1

    @property
    def share(self) -> float | None:
        """Share of matches won, a win shared by n counting 1/n; None before the first match."""
        return sum(count / winners for winners, count in self.wins.items()) / self.matches if self.matches else None

    @property
    def metrics(self) -> Mapping[str, float]:
        """The mean of each metric."""
        return {key: float(self.sums[key] / count) for key, count in sorted(self.counts.items())}

    def text(self) -> str:
        """Encode for the store."""
        sums = {key: str(value) for key, value in self.sums.items()}
        return json.dumps(
            [
                *(self.matches, self.wins, self.faults, self.times, sums, self.counts),
                *(self.wall_us, self.cpu_us, self.starts),
            ]
        )

    @classmethod
    def parse(cls, text: str) -> "Conduct":
        """Decode from the store."""
        matches, wins, faults, times, sums, counts, *spent = json.loads(text)
        return cls(
            matches,
            Counter({int(key): count for key, count in wins.items()}),
            faults,
            Counter({int(key): count for key, count in times.items()}),
            defaultdict(Fraction, {key: Fraction(value) for key, value in sums.items()}),
            Counter(counts),
            *spent,
        )


def add(conducts: dict[int, Conduct], match: MatchRow) -> None:
    """Add a match to the sums of its bots; `conducts` is by bot id."""
    winners = sum(seat.rank == 1 for seat in match.seats)
    for seat in match.seats:
        conducts.setdefault(seat.bot, Conduct()).take(seat, winners)
