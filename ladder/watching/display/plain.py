"""Watching a ladder where there is no terminal: text, printed as it comes. Only the store and records are read."""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice

from rich.console import Console

from bullring.arena.games.rulebook.language import spoken
from bullring.arena.match.records.reader import Entry, follow
from bullring.arena.match.records.replay import Replay
from bullring.arena.watching.display.transcript import Story
from bullring.ladder.run.progress import running
from bullring.ladder.standings.standings import Standings
from bullring.ladder.standings.titles import plain_title
from bullring.ladder.store.home import Home
from bullring.ladder.watching.display.tables import WIDE, standings_notes, standings_table

EVERY = 10.0
"""Seconds between two tables."""
POLL = 0.1
"""Seconds between two looks for the next match of a bot."""


def print_ladder(home: Home, standings: Standings, console: Console) -> None:
    """Print the standings now and then until the ladder ends; if none is running, print them once."""
    while True:
        goes_on = running(home) is not None
        standings.rate()
        rows = standings.rows()
        played = spoken().say("ladder.matches", count=matches(standings))
        console.print(f"{plain_title(standings.list)}: {played}", markup=False, highlight=False, soft_wrap=True)
        console.print(
            standings_table(rows, wide=console.width >= WIDE, width=console.width, plain=True),
            *standings_notes(rows, standings.outlook()),
            sep="\n",
        )
        if not goes_on:
            console.print(spoken().say("ladder.not_running"), highlight=False)
            return
        time.sleep(EVERY)


def matches(standings: Standings) -> int:
    """The number of matches that count."""
    return sum(row.matches for row in standings.rows()) // standings.list.seats


def print_match(home: Home, match: int, say: Callable[[str], None]) -> None:
    """Tell a match as it is played, to its end or until it is given up. Raises `RecordError`."""
    replay, told = Replay(telling=True), 0
    story = Story(replay, hands=home.is_over(match))
    while True:
        goes_on = _is_played(home, match)
        # A match is followed in a file of its own, if it is long, and lies in the home when it is over.
        for entry in islice(_entries(home, match), told, None):
            told += 1
            for line in story.lines(replay.feed(entry)):
                say(line)
        if replay.end is not None:
            return
        if not goes_on:
            say(spoken().say("ladder.given_up", match=match))
            return
        time.sleep(POLL)


def _entries(home: Home, match: int) -> Iterator[Entry]:
    """The entries of a record, as long as they come in the file where it is now."""
    path = home.record(match)
    with suppress(FileNotFoundError):
        for entries in follow(path, lambda: path.exists() and _is_played(home, match)):
            yield from entries


def print_bot(home: Home, bot: str, say: Callable[[str], None]) -> None:
    """Tell the matches of a bot, one after another, until the ladder ends."""
    last = 0
    while (found := running(home)) is not None:
        match = next((match.id for match in found.matches if bot in match.bots and match.id != last), None)
        if match is None:
            time.sleep(POLL)
            continue
        last = match
        print_match(home, match, say)
        say("")


def _is_played(home: Home, match: int) -> bool:
    found = running(home)
    return found is not None and any(other.id == match for other in found.matches)
