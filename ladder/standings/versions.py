"""Facts about the versions of bots on a ladder.

A version is an entry of its own, with its label as its name, and is rated for itself. The store says which ones of a bot play.
"""

from collections.abc import Container, Mapping
from dataclasses import asdict
from typing import Any

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.building.build import key
from bullring.arena.cells.building.shelf import Shelf
from bullring.arena.cells.kits.language import clock_remedy
from bullring.errors import BotError, SettingsError
from bullring.ladder.standings.columns import Row, counts_plain
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import BotRow
from bullring.ladder.store.store import Store


def versions(home: Home, store: Store, chosen: Container[int] | None = None) -> list[dict[str, Any]]:
    """All bots of a ladder, or those with the `chosen` ids, oldest first, with their ratings in the main list."""
    list_ = store.main_list()
    rated = {row.bot: row for row in Standings(store, list_).rows()} if list_ else {}
    return [
        _facts(home, row, rated.get(row.name), whole=chosen is not None)
        for row in store.bots()
        if chosen is None or row.id in chosen
    ]


def _facts(home: Home, row: BotRow, rated: Row | None, *, whole: bool) -> dict[str, Any]:
    contents, entry = row.contents, row.entry
    facts = {
        "bot": row.name,
        "name": row.bot,
        "version": row.version,
        "state": row.state,
        "reason": row.reason,
        "language": entry.language,
        "size": entry.size,
        "files": entry.files,
        "rating": rated.rating if rated else None,
        "error": rated.error if rated else None,
        "low": rated.low if rated else None,
        "high": rated.high if rated else None,
        "matches": rated.matches if rated else 0,
        "plain_time": _plain_time(rated.sums if rated else {}),
        "source": row.source,
        "added": row.added,
        "hash": contents.hash,
        "reproducible": contents.whole,
        "built": contents.built,
        "commit": contents.commit,
        "image": contents.image,
        "path": str(home.path / entry.place),
    }
    return facts | (_of_program(home, row) if whole else {})


def _plain_time(sums: Mapping[str, int]) -> dict[str, Any]:
    """Whether it counts plain time (`clock.plain_time`), and by which pairs of decisions that is judged."""
    return {"counts": counts_plain(sums), "shrank": sums.get("shrank", 0), "grew": sums.get("grew", 0)}


def _of_program(home: Home, row: BotRow) -> dict[str, Any]:
    """The program of a bot and its caps, or why they cannot be read."""
    try:
        bot = home.bot(row)
    except (BotError, SettingsError) as error:
        return {"problem": str(error)}
    caps = asdict(bot.program.caps)
    return {
        "clock_remedy": clock_remedy(bot),
        "run": list(bot.program.command),
        "build": list(bot.build),
        "caps": caps,
        "build_log": _build_log(home, bot, row),
    }


def _build_log(home: Home, bot: Bot, row: BotRow) -> str | None:
    """The log of its build; None if there is none."""
    if not bot.build:
        return None
    log = Shelf(home.builds / key(row.contents.hash, bot.build, home.settings().build)).log
    return str(log) if log.is_file() else None
