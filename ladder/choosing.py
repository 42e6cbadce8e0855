"""Which home, list and options a user means."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from arena.bots.manifest import BotError
from arena.cli import Complaint, Failure, options_of
from arena.cli_errors import first_error
from arena.clock import DurationError
from arena.rules.game import Game, RulesError
from arena.rules.options import OptionError
from arena.rules.registry import find
from arena.sandbox.cell import HostError
from arena.sandbox.choice import SandboxError
from arena.settings import SettingsError
from ladder.errors import LadderError, StoreError
from ladder.store import ListRow, Store

home_option = click.option(
    "--home",
    type=click.Path(path_type=Path),
    help="The arena home. Default: BULLRING_HOME, or found upwards from here.",
)
game_option = click.option("--game", help="The game; `bullring games` lists them.")
matches_option = click.option(
    "--matches", type=click.IntRange(1), help="Stop after so many matches; groups are finished."
)
duration_option = click.option("--for", "duration", metavar="DURATION", help="Stop after this time: 90s, 10m.")
jobs_option = click.option("--jobs", type=click.IntRange(1, 64), help="Referee processes. Default: one for each core.")
seats_option = click.option("--seats", type=click.IntRange(2, 10), help="How many sit at a table.")
options_option = click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game; may be repeated."
)


@contextmanager
def complaints() -> Iterator[None]:
    """What users can do wrong, as one clear line."""
    try:
        yield
    except BaseExceptionGroup as group:
        # What goes wrong while matches are played comes out of nurseries, wrapped.
        first = first_error(group)
        if isinstance(first, KeyboardInterrupt | BrokenPipeError):
            raise first from None
        if isinstance(first, HostError):
            raise Failure(f"the machine cannot run bots: {first}") from None
        if not isinstance(first, LadderError | BotError | SettingsError | SandboxError):
            raise
        raise (Failure if isinstance(first, StoreError) else Complaint)(str(first)) from None
    except StoreError as error:
        raise Failure(str(error)) from None
    except (LadderError, BotError, SettingsError, RulesError, OptionError, DurationError) as error:
        raise Complaint(str(error)) from None


def which_list(store: Store, game: str | None, seats: int | None, options: Sequence[str]) -> ListRow:
    """The list a user means: the one that fits what was given, or the only one. Raises `LadderError`."""
    lists = store.lists()
    given = options_of(options)
    wanted = find(game).id if game else None
    fitting = [
        row
        for row in lists
        if (wanted is None or row.game == wanted)
        and (seats is None or row.seats == seats)
        and all(str(row.options.get(key)).lower() == str(value).lower() for key, value in given.items())
    ]
    if len(fitting) == 1:
        return fitting[0]
    if not lists:
        raise LadderError("nothing was played on this ladder yet; begin with: bullring ladder run")
    titles = "; ".join(row.title for row in fitting or lists)
    what = "several lists fit" if fitting else "no list fits"
    raise LadderError(f"{what}; say which with --game, --seats and --option. There are: {titles}")


def rated_options(game: type[Game[Any]], texts: Sequence[str]) -> dict[str, object]:
    """The options of a match that is rated: one deal, unless its end was given. A longer match only hides results."""
    given = options_of(texts)
    if any(spec.name == "deals" for spec in game.option_specs) and not given.keys() & {"deals", "target"}:
        given["deals"] = 1
    return given
