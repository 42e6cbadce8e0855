"""Ratings from results played elsewhere."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import index
from typing import SupportsIndex

import numpy as np

from bullring.api.calls import brief
from bullring.errors import LadderError
from bullring.ladder.rating.estimate import estimate
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.superiority import superiority
from bullring.ladder.rating.tally import Tally, tally
from bullring.ladder.standings.difference import Difference, differences


@dataclass(frozen=True)
class Rating:
    """The rating of one player."""

    name: str
    elo: float
    low: float
    """Lower end of the 95 % interval against the mean of all; -inf where the results set no bound, such as after losses only."""
    high: float
    """Upper end of the interval; inf where the results set no bound, such as after wins only."""
    matches: int


@brief
def rate(
    matches: Iterable[Mapping[str, SupportsIndex]],
    groups: Iterable[Hashable] | None = None,
    *,
    anchor: str | None = None,
    rating: float = 1500.0,
) -> list[Rating]:
    """Rate players by their matches. Each match maps players to places: ``{"ada": 1, "bob": 2, "cy": 2}``, 1 is best.

    >>> import bullring
    >>> matches = 6 * [{"ada": 1, "bob": 2}] + 3 * [{"ada": 2, "bob": 1}]
    >>> best, other = bullring.rate(matches, anchor="bob")
    >>> best.name, round(best.elo), other.elo
    ('ada', 1605, 1500.0)

    Every match is taken as independent of the others, unless the same deals were played again: then `groups` has, for each match,
    a key that it shares with the other matches of the same deals. `anchor` is the player whose Elo is `rating`; this only moves the
    zero. Without one, it is the Elo of the mean, in which each player counts by their matches. All matches must have the same
    number of players. The best player comes first.

    Pairwise Bradley-Terry with errors by match or group, as shown by `bullring ladder table`. Raises `LadderError` if the matches
    are not valid.
    """
    names, found = _read(matches, groups)
    if anchor is not None and anchor not in names:
        raise LadderError(f"the anchor {anchor!r} has not played; players: {', '.join(map(str, names))}")
    estimated = estimate(found, None if anchor is None else names.index(anchor), rating)
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


@brief
def compare(
    matches: Iterable[Mapping[str, SupportsIndex]], *players: str, groups: Iterable[Hashable] | None = None
) -> list[Difference]:
    """Say how much stronger each of some players is than those named after them, by all matches, which are given as to `rate`.

    >>> import bullring
    >>> found = bullring.compare(60 * [{"ada": 1, "bob": 2}] + 30 * [{"ada": 2, "bob": 1}], "bob", "ada")
    >>> print(*found)
    ada beats bob by 119 ± 77 Elo; the chance that ada is the stronger one is 99.8 %; they met in 90 matches

    A single player is compared with all others, the best first; without players, all are with each other. Raises `LadderError` if
    the matches are not valid or a player is in none.
    """
    names, found = _read(matches, groups)
    if missing := [player for player in players if player not in names]:
        raise LadderError(f"{missing[0]!r} has not played; players: {', '.join(map(str, names))}")
    estimated = estimate(found)
    numbers = [names.index(player) for player in dict.fromkeys(players or names)]
    likely = superiority(*found.sums.met(), found.seats, estimated)
    if players and len(numbers) == 1:
        pairs = [(numbers[0], int(other)) for other in np.argsort(-estimated.ratings) if other != numbers[0]]
    else:
        pairs = list(combinations(numbers, 2))
    return differences(estimated, likely, names, pairs)


def _read(
    matches: Iterable[Mapping[str, SupportsIndex]], groups: Iterable[Hashable] | None
) -> tuple[Sequence[str], Tally]:
    """The names of the players, and their results. Raises `LadderError`."""
    played = [_checked(match) for match in matches]
    keys: list[Hashable] = list(range(len(played))) if groups is None else list(groups)
    if not played:
        raise LadderError("there are no matches to rate; give at least one")
    if len(keys) != len(played):
        raise LadderError(f"groups must have one entry per match, {len(played)} in all, not {len(keys)}")
    names = list(dict.fromkeys(name for match in played for name in match))
    return names, tally(_results(names, played, keys))


def _checked(match: Mapping[str, SupportsIndex]) -> dict[str, int]:
    """A match with its places as `int`. Raises `LadderError` if it is not a match."""
    if not isinstance(match, Mapping):
        raise LadderError(f'a match maps players to places, such as {{"ada": 1, "bob": 2}}, not {match!r:.100}')
    try:
        places = {name: index(place) for name, place in match.items()}
    except TypeError:
        places = {}
    if len(places) < len(match) or any(place < 1 for place in places.values()):
        raise LadderError(f"places are whole numbers from 1, the best, not as in {dict(match)!r:.100}")
    return places


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
        counts = ", ".join(str(count) for count in sorted({len(lineup) for lineup in lineups}))
        raise LadderError(f"all matches must have the same number of players, at least 2, not {counts}")
    return Results(
        bots=len(names),
        lineups=np.array(lineups),
        sizes=np.array([len(of_group) for of_group in by_key.values()]),
        ranks=np.array(ranks),
        heads=np.zeros((len(ranks), len(lineups[0])), dtype=np.int64),
        deals=np.ones(len(ranks), dtype=np.int64),
    )


__all__ = ["Difference", "Rating", "compare", "rate"]
