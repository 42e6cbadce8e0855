"""`bullring watch`: watch a running ladder from a second terminal."""

from pathlib import Path

import click
from rich.console import Console

from bullring.cli.ladder.chosen import home_flag, which_list
from bullring.cli.options import TableWish, home_option, table_options
from bullring.cli.values import LADDER_BOT
from bullring.errors import LadderError
from bullring.ladder.display.watching import running, watch_bot, watch_ladder, watch_match
from bullring.ladder.keeping.home import Home
from bullring.ladder.keeping.rows import ListRow
from bullring.ladder.keeping.store import Store


@click.command(name="watch")
@click.argument("match", required=False)
@click.option("--bot", type=LADDER_BOT, help="Follow the matches of this bot, one after another.")
@table_options
@home_option
def command(match: str | None, bot: str | None, table: TableWish, home: Path | None) -> None:
    """Watch a running ladder, one of its matches, or one of its bots.

    Without a MATCH (such as 17), show the standings. Everything is read from the home, so the ladder is not slowed down.
    """
    console = Console()
    place = Home.find(home)
    store = place.store(read_only=True)
    try:
        if match is not None:
            watch_match(place, match, console, f"bullring ladder matches{home_flag(place)}")
        elif bot is not None:
            if running(place) is None:
                raise LadderError(
                    f"no ladder is running in this home; start one with: bullring ladder run{home_flag(place)}"
                )
            watch_bot(place, store.bot(bot).name, console)
        else:
            watch_ladder(place, store, _list(place, store, table), console)
    except KeyboardInterrupt:
        pass


def _list(place: Home, store: Store, table: TableWish) -> ListRow:
    """The list that was asked for, else the one being played."""
    facts = running(place)
    if facts is not None and table == TableWish(None, None, ()):
        return next(row for row in store.lists() if row.id == facts["list"])
    return which_list(place, store, table)
