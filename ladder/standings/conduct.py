"""The conduct of the bots of a list: sums over their matches besides the results. They are stored from time to time.

The sums that columns declare are among them (`columns.Column.sums`). Stored sums of another version are added up anew.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from bullring.arena.match.records.confinement import Confinement
from bullring.errors import StoreError
from bullring.ladder.standings import columns
from bullring.ladder.standings.confinements import Confinements
from bullring.ladder.store.progress import Tell, nobody, told
from bullring.ladder.store.rows import MatchRow
from bullring.ladder.store.store import Store

MOST_KEYS = 32
"""Most metric keys kept of a bot over all its matches."""

EVERY = 10_000
"""Matches of a home after which the sums are stored again. Readers add up those that came after."""

FORM = "3"
"""The version of `Conduct.text`."""


@dataclass
class Conduct:
    """Sums over a bot's matches on one list."""

    matches: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    """Matches won, by the number of bots that shared the first place."""
    times: Counter[int] = field(default_factory=Counter)
    """Decisions by time bucket (`measures`)."""
    metric_sums: defaultdict[str, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    """Sums of its metrics (`measures`); exact fractions, because matches do not end in the order in which they are read."""
    metric_counts: Counter[str] = field(default_factory=Counter)
    """By metric, the matches in which it was printed."""
    sums: Counter[str] = field(default_factory=Counter)
    """The sums that columns declare, by name."""
    confinements: Counter[str] = field(default_factory=Counter)
    """Matches in whose first seat it was, by how the bots were confined (`Confinement`); empty: not recorded."""

    @property
    def share(self) -> float | None:
        """Share of matches won, a win shared by n counting 1/n; None before the first match."""
        return sum(count / winners for winners, count in self.wins.items()) / self.matches if self.matches else None

    @property
    def metrics(self) -> Mapping[str, float]:
        """The mean of each metric."""
        return {key: float(self.metric_sums[key] / count) for key, count in sorted(self.metric_counts.items())}

    def mean(self, name: str, unit: float = 1.0) -> float | None:
        """A sum that a column declares, for each match; None before the first match."""
        return self.sums[name] / self.matches / unit if self.matches else None

    def text(self) -> str:
        """Encode for the store."""
        metrics = {key: str(value) for key, value in self.metric_sums.items()}
        return json.dumps(
            [self.matches, self.wins, self.times, metrics, self.metric_counts, self.sums, self.confinements]
        )

    @classmethod
    def parse(cls, text: str) -> "Conduct":
        """Decode from the store."""
        matches, wins, times, metrics, counts, sums, confinements = json.loads(text)
        return cls(
            matches,
            Counter({int(key): count for key, count in wins.items()}),
            Counter({int(key): count for key, count in times.items()}),
            defaultdict(Fraction, {key: Fraction(value) for key, value in metrics.items()}),
            Counter(counts),
            Counter(sums),
            Counter(confinements),
        )


class Stored(NamedTuple):
    """Sums as the store keeps them."""

    version: str
    upto: int
    """The number of the last match in them."""
    texts: Mapping[int, str]
    """By bot id."""

    def after(self, earlier: "Stored | None") -> "Stored":
        """These sums, and the earlier ones of the bots that are not among them: a part tells changes only, each once."""
        return self if earlier is None else self._replace(texts={**earlier.texts, **self.texts})


class Conducts:
    """The conduct of all bots of a list, by id."""

    def __init__(self) -> None:
        self.of: defaultdict[int, Conduct] = defaultdict(Conduct)
        self.upto = 0
        """The number of the last match in the sums that are stored."""
        self._changed: set[int] = set()
        """Bots whose sums are not stored as they are."""
        self._sums = columns.sums()

    @classmethod
    def stored(cls, store: Store, list_: int) -> "Conducts":
        """The sums of a list that are in the store. Raises `StoreError`."""
        found = cls()
        version, found.upto, texts = store.conduct(list_)
        if version != _version():
            found.upto, texts = 0, {}
        try:
            found.of.update({bot: Conduct.parse(text) for bot, text in texts.items()})
        except (ValueError, TypeError, AttributeError) as error:
            raise StoreError(
                f"the store holds sums that no ladder wrote ({error!s:.80}); add them up anew with: bullring ladder rebuild"
            ) from None
        return found

    def add(self, match: MatchRow) -> None:
        """Add a match to the sums of its bots."""
        winners = sum(seat.rank == 1 for seat in match.seats)
        self._changed.update(match.bots)
        self.of[match.bots[0]].confinements[str(match.confinement or "")] += 1
        for seat in match.seats:
            own = self.of[seat.bot]
            own.matches += 1
            if seat.rank == 1:
                own.wins[winners] += 1
            for bucket, count in seat.times.items():
                own.times[bucket] += count
            for name, of in self._sums.items():
                own.sums[name] += of(seat)
            for key, value in seat.metrics.items():
                if key in own.metric_counts or len(own.metric_counts) < MOST_KEYS:
                    own.metric_sums[key] += Fraction(value)
                    own.metric_counts[key] += 1

    def take(self, others: "Conducts") -> None:
        """Add the sums of another list."""
        for bot, other in others.of.items():
            own = self.of[bot]
            own.matches += other.matches
            for name in ("wins", "times", "metric_sums", "metric_counts", "sums", "confinements"):
                for key, more in getattr(other, name).items():
                    getattr(own, name)[key] += more

    @property
    def confinements(self) -> Confinements:
        """How the bots were confined in all matches."""
        counts = sum((own.confinements for own in self.of.values()), Counter[str]())
        return Confinements({Confinement.parse(text or None): count for text, count in counts.items()})

    def unwritten(self, upto: int, least: int = EVERY) -> Stored | None:
        """The sums to be stored once all matches up to this number are added; None if nothing has changed.

        Nor if fewer than `least` matches of the home were added. What was taken once is not given again.
        """
        if not self._changed or upto - self.upto < least:
            return None
        self.upto = upto
        texts = {bot: self.of[bot].text() for bot in sorted(self._changed)}
        self._changed.clear()
        return Stored(_version(), upto, texts)


def write(store: Store, tell: Tell = nobody) -> None:
    """Add up the conduct of all bots anew. Call within a change of the store."""
    last, all_ = store.last_number(), store.count()
    for list_ in store.lists():
        found = Conducts()
        for match in told(store.counted_whole(list_.id, 0, last), "results added up", all_, tell):
            found.add(match)
        if (stored := found.unwritten(last, 0)) is not None:
            store.set_conduct(list_.id, *stored)


def damaged(store: Store, tell: Tell = nobody) -> list[str]:
    """The bots whose stored sums are not those of their matches, by name. Raises `StoreError`."""
    names, found = {row.id: row.name for row in store.bots()}, set[int]()
    for list_ in store.lists():
        stored, own = Conducts.stored(store, list_.id), Conducts()
        for match in told(store.counted_whole(list_.id, 0, stored.upto), "results added up", store.count(), tell):
            own.add(match)
        found |= {bot for bot in {*stored.of, *own.of} if stored.of[bot] != own.of[bot]}
    return sorted(names.get(bot, f"bot {bot}") for bot in found)


def _version() -> str:
    return f"{FORM} {columns.version()}"
