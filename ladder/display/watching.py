"""Watching a ladder from another process: only reads its store and the records of running matches, so nothing is slowed down."""

import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from bullring.arena.display.tabletop import LEAST, tabletop
from bullring.arena.display.text import harmless
from bullring.arena.picture.reducer import Reducer
from bullring.arena.records.reading import follow
from bullring.errors import LadderError, RecordError
from bullring.ladder.display.tables import WIDE, standings_table
from bullring.ladder.keeping.home import Home
from bullring.ladder.keeping.rows import ListRow
from bullring.ladder.keeping.store import Store
from bullring.ladder.knowing.standings import Standings

EVERY = 1.0
"""Seconds between two readings of the standings."""
POLL = 0.1
"""Seconds between two polls for the next match of a bot."""
MATCHES = 6
"""Most running matches named."""
PLAIN_EVERY = 10.0
"""Seconds between two tables when there is no terminal."""


def running(home: Home) -> dict[str, Any] | None:
    """The contents of running.json; None if no ladder is running."""
    try:
        facts: dict[str, Any] = json.loads(home.running.read_text("utf-8"))
        return facts if not facts["over"] and Path(f"/proc/{facts['pid']}").exists() else None
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
    ):  # only a ladder writes it; if it is damaged, the next one mends it
        return None


def watch_ladder(home: Home, store: Store, list_: ListRow, console: Console) -> None:
    """Show the standings until the ladder ends; if none is running, show them once."""
    standings = Standings(store, list_)
    with Live(console=console, auto_refresh=False) if console.is_terminal else nullcontext() as live:
        while True:
            began = time.monotonic()
            facts = running(home)
            standings.read()
            standings.rate()
            picture = _picture(standings, facts, console)
            if live is None:
                console.print(picture)
            else:
                live.update(picture, refresh=True)
            if facts is None:
                return
            # Reading a long list takes a while: spend at most a tenth of the time on it.
            time.sleep(max(EVERY if live else PLAIN_EVERY, 10 * (time.monotonic() - began)))


def _picture(standings: Standings, facts: Mapping[str, Any] | None, console: Console) -> Group:
    rows = standings.rows()
    room = max(3, console.height - MATCHES - 4) if console.is_terminal else len(rows)
    parts: list[RenderableType] = [
        Text(
            f"{standings.list.title}: {sum(row.matches for row in rows) // standings.list.seats} matches", style="bold"
        ),
        standings_table(rows[:room], wide=console.width >= WIDE),
    ]
    if len(rows) > room:
        parts.append(Text(f"and {len(rows) - room} more: bullring ladder table", style="dim"))
    for match in (facts or {"matches": []})["matches"][:MATCHES]:
        names = " ".join(harmless(name, 12) for name in match["bots"])
        parts.append(Text(f"playing {match['id']}: {names}", style="dim", no_wrap=True, overflow="ellipsis"))
    if facts is None:
        parts.append(Text("no ladder is running in this home", style="yellow"))
    return Group(*parts)


def watch_match(home: Home, match: str, console: Console, lists: str) -> None:
    """Follow one match to its end. Raises `LadderError` if it has no record; the command `lists` names those that have one."""
    path = home.record(int(match)) if re.fullmatch(r"[0-9]{1,18}", match) else None
    if path is None or not path.is_file():
        raise LadderError(
            f"{match[:40]!r} is not a match with a record on this ladder; expected a number like 17."
            f" List them with: {lists}"
        )
    with _live(console) as live:
        _follow(home, int(match), path, live)


@contextmanager
def _live(console: Console) -> Iterator[Live]:
    """A live picture, after which the line ends, as that of `rich` does on terminals only."""
    with Live(console=console, auto_refresh=False) as live:
        yield live
    if not console.is_terminal:
        console.print()


def watch_bot(home: Home, bot: str, console: Console) -> None:
    """Follow the matches of a bot, one after another, until the ladder ends."""
    last = 0
    with _live(console) as live:
        while (facts := running(home)) is not None:
            found = [match for match in facts["matches"] if bot in match["bots"] and match["id"] != last]
            if found:
                last = found[0]["id"]
                _follow(home, last, Path(found[0]["record"]), live)
            else:
                time.sleep(POLL)


def _follow(home: Home, match: int, path: Path, live: Live) -> None:
    """Show a match from its first entry on, in place of the previous one."""

    def goes_on() -> bool:
        facts = running(home)
        return facts is not None and any(other["id"] == match for other in facts["matches"])

    reducer, width, height = Reducer(), live.console.width, live.console.height - 1
    try:
        for entries in follow(path, goes_on):
            frames = [frame for entry in entries for frame in reducer.feed(entry)]
            if frames:
                live.update(tabletop(frames[-1], max(LEAST[0], width), max(LEAST[1], height)), refresh=True)
    except (RecordError, FileNotFoundError):
        pass  # restarted by another worker, or not begun yet: the next poll finds another match
