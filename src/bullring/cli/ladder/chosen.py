"""The home and the list that the user means."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from bullring.arena.games.rules.registry import find
from bullring.cli.options import TableWish
from bullring.errors import LadderError
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import BotRow, ListRow
from bullring.ladder.store.store import Store


def opened(home: Path | None, table: TableWish) -> tuple[Home, Store, ListRow]:
    """The home, its store opened for reading, and the list that is meant. Raises `LadderError`."""
    place = Home.find(home)
    store = place.store(read_only=True)
    return place, store, which_list(place, store, table)


def home_flag(home: Home) -> str:
    """The words " --home PATH" for a command to copy; empty if the home is found from here without them."""
    try:
        found = Home.find(None).path
    except LadderError:
        found = None
    return "" if found == home.path else f" --home {shlex.quote(str(home.path))}"


def playing(home: Home, store: Store, name: str) -> BotRow:
    """The bot with this label, which may be an older version. Raises `LadderError` if it does not exist or may not play."""
    row = store.bot(name)
    if row.state not in ("active", "older"):
        raise LadderError(f"{name!r} is {row.state} and does not play; {way_back(home, row)}")
    return row


def way_back(home: Home, row: BotRow) -> str:
    """The command with which a version plays again that does not play."""
    what = "ladder run --also" if row.state == "older" else "bots reinstate"
    return f"it plays again with: bullring {what} {shlex.quote(row.name)}{home_flag(home)}"


def which_list(home: Home, store: Store, table: TableWish) -> ListRow:
    """The list that fits what was given, or the only one. Raises `LadderError` if none or several fit."""
    fitting = which_lists(home, store, table)
    if len(fitting) == 1:
        return fitting[0]
    raise _not_one(f"{len(fitting)} lists fit", fitting)


def which_lists(home: Home, store: Store, table: TableWish) -> list[ListRow]:
    """All lists that fit what was given. Raises `LadderError` if none does.

    Lists without a match count only where none that fits has one.
    """
    lists, given = store.lists(), table.given
    wanted = find(table.game).id if table.game else None
    fitting = [
        row
        for row in lists
        if (wanted is None or row.game == wanted)
        and (table.seats is None or row.seats == table.seats)
        and all(str(row.options.get(key)).lower() == str(value).lower() for key, value in given.items())
    ]
    played = {row.id for row in store.lists(played=True)}
    if fitting:
        return [row for row in fitting if row.id in played] or fitting
    if not lists:
        raise LadderError(
            f"nothing has been played on this ladder yet; start with: bullring ladder run{home_flag(home)}"
        )
    raise _not_one("no list fits", lists)


def _not_one(what: str, lists: Sequence[ListRow]) -> LadderError:
    titles = "; ".join(row.title for row in lists)
    return LadderError(f"{what}; choose one with --game, --seats and --option. The lists: {titles}")
