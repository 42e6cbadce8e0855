"""Ratings from results, for whoever has results from elsewhere."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bullring.errors import LadderError
from bullring.ladder.rating.estimate import estimate
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.tally import tally


@dataclass(frozen=True)
class Rating:
    """What the results say of one player."""

    name: str
    elo: float
    low: float
    """Where its difference to the anchor lies with 95 %: not below this, ..."""
    high: float
    """... and not above this. Infinite where the results do not tell, such as after losses alone."""
    matches: int


def rate(
    matches: Iterable[Mapping[str, int]],
    groups: Iterable[Hashable] | None = None,
    *,
    anchor: str | None = None,
    rating: float = 1500.0,
) -> list[Rating]:
    """Rate players by their matches. Each match says who came in where: ``{"ada": 1, "bob": 2, "cy": 2}``, 1 is best.

    >>> import bullring
    >>> matches = 6 * [{"ada": 1, "bob": 2}] + 3 * [{"ada": 2, "bob": 1}]
    >>> best, other = bullring.rate(matches, anchor="bob")
    >>> best.name, round(best.elo), other.elo, best.low < other.elo < best.high
    ('ada', 1620, 1500.0, True)

    `groups` names for each match the duplicate group it belongs to: matches of the same deals, whose results are not independent.
    Without it, each match is one of its own. `anchor` is the player whose Elo is `rating`, by default the first one that is named.
    All matches must have as many players. The best comes first.

    Pairwise Bradley-Terry with errors by groups, as `bullring ladder table` shows it. Raises `LadderError` if these are no results.
    """
    played = list(matches)
    keys: list[Hashable] = list(range(len(played))) if groups is None else list(groups)
    if not played:
        raise LadderError("there are no matches to rate")
    if len(keys) != len(played):
        raise LadderError(f"{len(played)} matches need as many groups, not {len(keys)}")
    names = list(dict.fromkeys(name for match in played for name in match))
    if anchor is not None and anchor not in names:
        raise LadderError(f"the anchor {anchor!r} has not played")
    found = tally(_results(names, played, keys))
    estimated = estimate(found, names.index(anchor) if anchor is not None else 0, rating)
    ratings = [
        Rating(
            name,
            float(estimated.ratings[at]),
            float(estimated.low[at]),
            float(estimated.high[at]),
            int(estimated.matches[at]),
        )
        for at, name in enumerate(names)
    ]
    return sorted(ratings, key=lambda one: -one.elo)


def _results(names: Sequence[str], matches: Sequence[Mapping[str, int]], keys: Sequence[Hashable]) -> Results:
    by_key: dict[Hashable, list[Mapping[str, int]]] = {}
    for match, key in zip(matches, keys, strict=True):
        by_key.setdefault(key, []).append(match)
    lineups, ranks = [], []
    for key, of_group in by_key.items():
        lineup = list(of_group[0])
        if any(match.keys() != of_group[0].keys() for match in of_group):
            raise LadderError(f"all matches of the group {key!r} must have the same players")
        lineups.append([names.index(name) for name in lineup])
        ranks += [[match[name] for name in lineup] for match in of_group]
    if len({len(lineup) for lineup in lineups}) != 1 or len(lineups[0]) < 2:
        raise LadderError("all matches must have as many players, two at least")
    return Results(
        bots=len(names),
        lineups=np.array(lineups),
        sizes=np.array([len(of_group) for of_group in by_key.values()]),
        ranks=np.array(ranks),
        heads=np.zeros((len(ranks), len(lineups[0])), dtype=np.int64),
        deals=np.ones(len(ranks), dtype=np.int64),
    )


__all__ = ["Rating", "rate"]
