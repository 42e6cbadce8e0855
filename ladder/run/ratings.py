"""What a rating has found, as it goes from one process to another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bullring.ladder.pairing.known import Known
from bullring.ladder.standings.columns import Row
from bullring.ladder.standings.conduct import EVERY, Stored
from bullring.ladder.standings.matches_needed import More
from bullring.ladder.standings.standings import Standings


@dataclass(frozen=True)
class News:
    """What a rating has found."""

    rows: Sequence[Row]
    rated: int
    """Matches in it."""
    ratings: Mapping[int, float | None]
    """By the ids of all bots."""
    matches: Mapping[int, int]
    known: Known
    more: More | None
    """At one match a second."""
    enough: str | None
    """Why the run may stop, with the bots that are active now."""
    conduct: Stored | None
    """The conduct of the bots to be stored; None if little has changed."""


def news_of(standings: Standings, *, final: bool) -> News:
    """What standings that were just rated tell."""
    bots = standings.bots
    return News(
        rows=standings.rows(),
        rated=standings.rated,
        ratings={bot.id: standings.rating(bot.id) for bot in bots},
        matches={bot.id: standings.matches(bot.id) for bot in bots},
        known=standings.known(),
        more=standings.more(1.0),
        enough=standings.enough([bot.id for bot in bots if bot.state == "active"]),
        conduct=standings.unwritten(0 if final else EVERY),
    )
