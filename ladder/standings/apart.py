"""Ratings without the matches in which two of some bots sat together: the strength of each without the other's company."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bullring.errors import LadderError
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.rows import ListRow
from bullring.ladder.store.store import Store


@dataclass(frozen=True)
class Moved:
    """The rating of a bot."""

    bot: str
    rating: float | None
    """By all matches."""
    error: float | None
    """Half of its 95 % interval."""
    apart: float | None
    """Without some."""
    apart_error: float | None


@dataclass(frozen=True)
class Apart:
    """The ratings of a list, with and without some matches."""

    bots: Sequence[str]
    """The bots that are taken apart."""
    left_out: int
    matches: int
    """Of the list."""
    ratings: Sequence[Moved]
    """Best first, without those matches."""

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def apart(store: Store, list_: ListRow, bots: Sequence[str]) -> Apart:
    """Rate the list without the matches in which two of these bots sat. Raises `LadderError` if there are not two."""
    named = list(dict.fromkeys(bots))
    if len(named) < 2:
        raise LadderError(f"two bots or more can be taken apart, not {len(named)}; name them as in: --as-one ann,bob")
    ids = {row.id for row in store.bots() if row.name in named}
    upto = store.last_number()
    all_, rest = 0, set()
    for match in store.counted_whole(list_.id, 0, upto):
        all_ += 1
        if sum(seat.bot in ids for seat in match.seats) < 2:
            rest.add(match.id)
    before = {row.bot: row for row in Standings(store, list_).rows()}
    after = [row for row in Standings(store, list_, only=rest).rows() if row.bot in before]
    moved = [Moved(row.bot, before[row.bot].rating, before[row.bot].error, row.rating, row.error) for row in after]
    return Apart(named, all_ - len(rest), all_, moved)
