"""Which home, list and options a user means."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from arena.bots.manifest import BotError
from arena.cli import Complaint, Failure
from arena.clock import DurationError
from arena.rules.game import RulesError
from arena.rules.options import OptionError
from arena.rules.registry import find
from arena.settings import SettingsError
from ladder.errors import LadderError, StoreError
from ladder.store import ListRow, Store

home_option = click.option(
    "--home",
    type=click.Path(path_type=Path),
    help="The arena home. Default: BULLRING_HOME, or found upwards from here.",
)
game_option = click.option("--game", help="The game; `bullring games` lists them.")
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
        first = _first(group)
        if isinstance(first, KeyboardInterrupt | BrokenPipeError):
            raise first from None
        if not isinstance(first, LadderError | BotError | SettingsError):
            raise
        raise (Failure if isinstance(first, StoreError) else Complaint)(str(first)) from None
    except StoreError as error:
        raise Failure(str(error)) from None
    except (LadderError, BotError, SettingsError, RulesError, OptionError, DurationError) as error:
        raise Complaint(str(error)) from None


def _first(group: BaseException) -> BaseException:
    return _first(group.exceptions[0]) if isinstance(group, BaseExceptionGroup) else group


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


def options_of(texts: Sequence[str]) -> dict[str, object]:
    """``--option KEY=VALUE`` as a map. Raises `OptionError`."""
    given: dict[str, object] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise OptionError(f"--option is KEY=VALUE, not {text[:40]!r}")
        given[key] = value
    return given
