"""The clerk: a process beside a run that reads what was stored and rates it, so that the run has its time for the referees.

`python -m bullring.ladder.running.clerk HOME LIST ANCHOR TARGET` rates a list at each byte on stdin, but spends only a small part
of the time on it, and writes `News` to stdout, pickled, behind their length. It ends when stdin does. With `FINAL` it rates at
once, and says everything that it has not said yet.
"""

import os
import pickle
import select
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bullring.ladder.keeping.home import Home
from bullring.ladder.knowing.more import More
from bullring.ladder.knowing.standings import CONDUCT_EVERY, SHARE, Row, Standings
from bullring.ladder.pairing.known import Known

LENGTH = 8
"""Bytes of the length before each message."""

RATE, FINAL = b"r", b"f"

REST = 0.5
"""Least seconds between two ratings."""


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


def main(home: str, list_: str, anchor: str, target: str) -> None:
    """Rate until stdin ends."""
    store = Home(Path(home)).store(read_only=True)
    (row,) = (one for one in store.lists() if one.id == int(list_))
    standings = Standings(store, row, anchor or None, float(target) if target else None, live=True)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # anything printed by mistake must not be read as news
    until = 0.0
    while wishes := os.read(0, 4096):
        final = FINAL in wishes
        while not final and (left := until - time.monotonic()) > 0:
            if select.select([0], [], [], left)[0]:
                if not (more := os.read(0, 4096)):
                    return
                final = FINAL in more
        began = time.monotonic()
        standings.rate()
        data = pickle.dumps(news_of(standings, final=final))
        out.write(len(data).to_bytes(LENGTH, "big") + data)
        out.flush()
        until = time.monotonic() + max(REST, (time.monotonic() - began) / SHARE)


if __name__ == "__main__":
    main(*sys.argv[1:])
