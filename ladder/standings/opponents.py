"""The bots of a ladder as opponents for a person."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bullring.arena.cells.bots.manifest import read_manifest
from bullring.arena.watching.people.opponents import Opponent
from bullring.errors import BotError
from bullring.ladder.standings.versions import versions
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import BotRow


def opponents(home: Home) -> list[Opponent]:
    """The bots that play on a ladder, the strongest first; those whose files are missing say so. Raises `LadderError`."""
    store = home.store(read_only=True)
    rated = {facts["bot"]: facts for facts in versions(home, store)}
    found = [_opponent(home, row, rated[row.name]) for row in store.bots() if row.state == "active"]
    return sorted(found, key=lambda one: -(one.rating or 0))


def _opponent(home: Home, row: BotRow, facts: Mapping[str, Any]) -> Opponent:
    rating, error = (None if facts[key] is None else round(facts[key]) for key in ("rating", "error"))
    place = home.path / row.entry.place
    about, lacks, text = "", "", str(place)
    try:
        bot = home.bot(row)
        if place.is_dir():
            about = read_manifest(place).about
        else:
            text = shlex.join(_located(word, bot.program.folder) for word in bot.program.command)
    except BotError as missing:
        lacks = str(missing)
    return Opponent(text, row.name, rating, error, row.entry.language, about, "ladder", lacks)


def _located(word: str, folder: Path) -> str:
    """A word of a command that is run in `folder`, so that it means the same file elsewhere."""
    return str(folder / word) if (folder / word).is_file() else word
