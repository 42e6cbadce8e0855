"""What the matches of a list tell of each bot: its places, its last results, its best and its worst matches; and who has moved."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from heapq import nlargest

from bullring.ladder.standings.columns import Row
from bullring.ladder.standings.history import Point
from bullring.ladder.store.store import Brief

FORM = 10
"""Last results of a bot beside its name."""

LAST = 12
"""Last matches on the page of a bot, and of a list."""

TOLD = 3
"""Best and worst matches of a bot."""

BACK = timedelta(days=1)
"""The time over which places move."""


@dataclass
class Profile:
    """A bot in a list."""

    places: list[int]
    """By place, from the first one, how often it has ended there."""
    last: deque[Brief] = field(default_factory=lambda: deque(maxlen=LAST))
    """Its last matches, the oldest first."""
    best: Sequence[Brief] = ()
    """The matches that it won against the strongest tables."""
    worst: Sequence[Brief] = ()
    """The matches in which it came last at the weakest tables."""

    def form(self, bot: int) -> list[int]:
        """Its places in the last matches that count, the oldest first."""
        return [match.ranks[match.bots.index(bot)] for match in self.last if match.counted][-FORM:]


def profiles(matches: Iterable[Brief], ratings: Mapping[int, float], seats: int) -> Mapping[int, Profile]:
    """The profiles of all bots that have played, by their ids; `ratings` are those that are known."""
    found: defaultdict[int, Profile] = defaultdict(lambda: Profile([0] * seats))
    won: defaultdict[int, list[tuple[float, int, Brief]]] = defaultdict(list)
    lost: defaultdict[int, list[tuple[float, int, Brief]]] = defaultdict(list)
    for match in matches:
        for bot in dict.fromkeys(match.bots):
            found[bot].last.append(match)
        if not match.counted:
            continue
        known = [ratings.get(bot, 0.0) for bot in match.bots]
        total, most = sum(known), max(match.ranks)
        for bot, rank, own in zip(match.bots, match.ranks, known, strict=True):
            found[bot].places[rank - 1] += 1
            if rank == 1:
                won[bot].append((total - own, match.id, match))
            elif rank == most:
                lost[bot].append((own - total, match.id, match))
    for bot, profile in found.items():
        profile.best = [match for *_, match in nlargest(TOLD, won[bot])]
        profile.worst = [match for *_, match in nlargest(TOLD, lost[bot])]
    return dict(found)


@dataclass(frozen=True)
class Moves:
    """How places have changed since a day ago, or over the last quarter of a ladder that is younger."""

    matches: int = 0
    """Over how many of the last matches of the list; 0 if nothing is known."""
    places: Mapping[str, int] = field(default_factory=dict)
    """By bot: the places that it went up among those in this map; below 0: down. Bots that had no rating then are missing, as are
    those whose rating is provisional."""


def moves(rows: Sequence[Row], histories: Mapping[str, Sequence[Point]]) -> Moves:
    """The moves of the rows that have a place."""
    placed = [row.bot for row in sorted(rows, key=lambda row: row.place or 0) if row.settled]
    grid = next((histories[bot] for bot in placed if histories.get(bot)), ())
    if len(grid) < 2:
        return Moves()
    ended = [datetime.fromisoformat(point.ended) for point in grid]
    quarter = len(grid) - 1 - max(1, len(grid) // 4)
    then = next((at for at in range(len(grid) - 2, -1, -1) if ended[at] <= ended[-1] - BACK), quarter)
    rated = {bot: points[then].rating for bot in placed if (points := histories.get(bot))}
    before = sorted((bot for bot in placed if rated.get(bot) is not None), key=lambda bot: -(rated[bot] or 0.0))
    after = [bot for bot in placed if bot in before]
    return Moves(
        grid[-1].matches - grid[then].matches, {bot: before.index(bot) - place for place, bot in enumerate(after)}
    )
