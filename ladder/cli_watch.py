"""`bullring watch`: look at a running ladder from a second terminal."""

from pathlib import Path

import click
from rich.console import Console

from ladder.choosing import complaints, game_option, home_option, options_option, seats_option, which_list
from ladder.errors import LadderError
from ladder.home import Home
from ladder.store import ListRow, Store
from ladder.watch import running, watch_bot, watch_ladder, watch_match


@click.command()
@click.argument("match", required=False)
@click.option("--bot", help="Follow the matches of this bot, one after the other.")
@game_option
@seats_option
@options_option
@home_option
def watch(
    match: str | None, bot: str | None, game: str | None, seats: int | None, options: tuple[str, ...], home: Path | None
) -> None:
    """Watch a ladder that is running: its standings, one MATCH (like 17.2), or the matches of a bot.

    The ladder is not slowed down by it: everything is read from its home.
    """
    console = Console()
    with complaints():
        place = Home.find(home)
        store = place.store(read_only=True)
        try:
            if match is not None:
                watch_match(place, match, console)
            elif bot is not None:
                if running(place) is None:
                    raise LadderError("no ladder runs on this home; begin with: bullring ladder run")
                watch_bot(place, store.bot(bot).name, console)
            else:
                watch_ladder(place, store, _list(place, store, game, seats, options), console)
        except KeyboardInterrupt:
            pass


def _list(place: Home, store: Store, game: str | None, seats: int | None, options: tuple[str, ...]) -> ListRow:
    """The list that was asked for, else the one that is being played."""
    facts = running(place)
    if facts is not None and game is None and seats is None and not options:
        return next(row for row in store.lists() if row.id == facts["list"])
    return which_list(store, game, seats, options)
