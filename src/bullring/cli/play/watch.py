"""`bullring watch`: watch a running ladder from a second terminal."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bullring.cli.late import late
from bullring.cli.options import TableWish, home_option, language_option, table_options
from bullring.cli.values import LADDER_BOT
from bullring.errors import LadderError

with late():
    from rich.console import Console

    from bullring.arena.cells.text.doing import unshown
    from bullring.arena.watching.screens.terminal import full_screen
    from bullring.cli.ladder.chosen import home_flag, which_list
    from bullring.ladder.run.progress import Running, running
    from bullring.ladder.standings.standings import Standings
    from bullring.ladder.store.home import Home
    from bullring.ladder.store.rows import ListRow
    from bullring.ladder.store.store import Store
    from bullring.ladder.watching.display.plain import print_bot, print_ladder, print_match


if TYPE_CHECKING:
    from bullring.ladder.watching.screens.watch import WatchApp

_ANY = TableWish(None, None, ())


@click.command(name="watch")
@click.argument("match", required=False)
@click.option("--bot", type=LADDER_BOT, help="Follow the matches of this bot, one after another.")
@language_option
@table_options
@home_option
def command(match: str | None, bot: str | None, table: TableWish, home: Path | None) -> None:
    """Watch a running ladder, one of its matches, or one of its bots.

    Without a MATCH (such as 17), show the standings, the current tables and the last results; Enter or a click opens a bot, a
    table or a match, Esc leaves it. At a table the keys are those of `bullring replay`; hands can be opened when the match is
    over. The ladder is not slowed down, and may start later.

    In a pipe, print text: the standings every 10 seconds until the ladder ends, or a match as it is played.
    """
    place = Home.find(home)
    store = place.store(read_only=True)
    number = None if match is None else _number(place, match)
    name = None if bot is None else store.bot(bot).name
    if full_screen():
        if number is None and name is None:
            _must_fit(place, store, table)
        store.close()
        app = _screen(place, table, number, name)
        with unshown():
            app.run()
        sys.exit(app.return_code or 0)
    with suppress(KeyboardInterrupt):
        _print(place, store, table, number, name)


def _number(place: Home, match: str) -> int:
    """The number of a match that has a record or is being played. Raises `LadderError`."""
    found = int(match) if re.fullmatch(r"[0-9]{1,18}", match) else None
    if found is not None:
        playing = running(place)
        if place.record(found).is_file() or (playing and any(other.id == found for other in playing.matches)):
            return found
    raise LadderError(
        f"{match[:40]!r} is not a match with a record on this ladder; expected a number like 17."
        f" List them with: bullring ladder matches{home_flag(place)}"
    )


def _screen(place: Home, table: TableWish, number: int | None, name: str | None) -> WatchApp:
    from bullring.ladder.watching.screens import watch  # Textual takes time to import

    if number is not None:
        return watch.match(place, number)
    if name is not None:
        return watch.bot(place, name)
    return watch.ladder(place, lambda store, now: _list(place, store, table, now))


def _print(place: Home, store: Store, table: TableWish, number: int | None, name: str | None) -> None:
    if number is not None:
        print_match(place, number, click.echo)
    elif name is not None:
        if running(place) is None:
            raise LadderError(
                f"no ladder is running in this home; start one with: bullring ladder run{home_flag(place)}"
            )
        print_bot(place, name, click.echo)
    else:
        list_ = _list(place, store, table, running(place))
        print_ladder(place, Standings(store, list_), Console())


def _list(place: Home, store: Store, table: TableWish, now: Running | None) -> ListRow:
    """The requested list, or else the one being played. Raises `LadderError`."""
    if now is not None and table == _ANY:
        return next(row for row in store.lists() if row.id == now.list)
    return which_list(place, store, table)


def _must_fit(place: Home, store: Store, table: TableWish) -> None:
    """Raise `LadderError` if no list fits, whatever will be played."""
    if table != _ANY and store.lists():
        which_list(place, store, table)
