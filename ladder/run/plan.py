"""Planning a run: the game, the list it is rated in, and the schedule."""

from collections.abc import Mapping, Set
from dataclasses import replace
from typing import Any

import numpy as np

from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.registry import find
from bullring.arena.games.rules.sayings import counted
from bullring.errors import LadderError
from bullring.ladder.pairing.informed import Informed
from bullring.ladder.pairing.schedule import Gauntlet, RoundRobin, Schedule
from bullring.ladder.pairing.seats import Plan, matches_of
from bullring.ladder.run.dispatch import Plays
from bullring.ladder.store.rows import Format, ListRow
from bullring.ladder.store.store import Store


def rated_game(store: Store, name: str | None, seats: int | None, options: Mapping[str, object]) -> Game[Any]:
    """The game to play: as given, else that of the home's only list, else the standard game with one deal for four seats.

    Raises `RulesError` if there is no such game.
    """
    lists = store.lists()
    if name is None and seats is None and not options and len(lists) == 1:
        return find(lists[0].game)(lists[0].seats, lists[0].options)
    kind = find(name or "standard")
    return kind(usual_seats(kind) if seats is None else seats, rated_options(kind, options))


def usual_seats(kind: type[Game[Any]]) -> int:
    """The number of seats at the tables of a game if none is asked for."""
    low, high = kind.seat_range
    return min(max(low, 4), high)


def rated_options(game: type[Game[Any]], given: Mapping[str, object]) -> dict[str, object]:
    """The options of a rated match: one deal, unless its end is given, because a longer match only hides results."""
    options = dict(given)
    if any(spec.name == "deals" for spec in game.option_specs) and not options.keys() & {"deals", "target"}:
        options["deals"] = 1
    return options


def planned(
    store: Store,
    game: Game[Any],
    format_: Format,
    one: str | None,
    rounds: int,
    asked: Set[int] = frozenset(),
    *,
    duplicate: bool = False,
) -> Plays:
    """The list of this game, created if necessary, and the schedule of the format. `one` is the bot of a gauntlet.

    `asked` are older versions that play as well. With `duplicate`, each deal is played in a group of matches, with every bot in
    every seat. Raises `LadderError` if only one of gauntlet and `one` is given, the bot does not exist, or the list is played the
    other way.
    """
    list_ = _list(store, game, duplicate=duplicate)
    plan: Plan | None = "rotation" if duplicate else None
    return Plays(list_, format_, plan, _schedule(store, list_, format_, one, rounds, asked, plan), asked)


def _list(store: Store, game: Game[Any], *, duplicate: bool) -> ListRow:
    """The list of this game. Matches of both kinds are never rated together. Raises `LadderError`."""
    if duplicate and game.is_duplicate:
        raise LadderError(
            f"a {game.id} plays each deal with every bot in every seat by its own rules; leave out --duplicate"
        )
    list_ = store.list_of(game.id, game.options, game.seats)
    if list_.duplicate == duplicate:
        return list_
    if played := store.rated(list_.id):
        here = "several times, with --duplicate" if list_.duplicate else "once"
        remedy = "add --duplicate" if list_.duplicate else "leave out --duplicate"
        raise LadderError(
            f"the {counted(played, 'match', 'matches')} of {list_.title} played each deal {here}, and are not rated together with"
            f" others; {remedy}, or make a new home: bullring ladder init FOLDER"
        )
    store.set_duplicate(list_.id, duplicate=duplicate)
    return replace(list_, duplicate=duplicate)


def _schedule(
    store: Store,
    list_: ListRow,
    format_: Format,
    one: str | None,
    rounds: int,
    asked: Set[int],
    plan: Plan | None,
) -> Schedule | Informed:
    if (format_ == "gauntlet") != (one is not None):
        came = f"--format {format_} with --one" if one is not None else "--format gauntlet without --one"
        raise LadderError(f"--format gauntlet and --one BOT go together, not {came}; use: --format gauntlet --one BOT")
    if format_ == "ladder":
        size = 1 if plan is None else matches_of(plan, list_.seats)
        return Informed(list_.seats, np.random.default_rng(), size)  # matchmaking need not be unpredictable
    active = [row.id for row in store.bots() if row.plays(asked)]
    played = store.tables_in(list_.id, format_)
    if one is None:
        return RoundRobin(active, list_.seats, rounds, played)
    return Gauntlet(store.bot(one).id, active, list_.seats, rounds, played)
