"""What a rating has found, as it goes from one process to another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bullring.ladder.pairing.known import Known
from bullring.ladder.standings.matches_needed import More
from bullring.ladder.standings.standings import CONDUCT_EVERY, Row, Standings


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
    conduct: tuple[int, Sequence[tuple[int, str]]] | None
    """What is to be stored of the bots' conduct, and up to which number it goes; None if there is little."""


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
        conduct=standings.unwritten(0 if final else CONDUCT_EVERY),
    )
