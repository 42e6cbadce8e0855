"""Playing matches from Python: between programs, Python functions, or both."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from bullring.api import counting
from bullring.api.calls import awaited, brief, waiting
from bullring.arena.cells.bots.bot import MAX_NAME, Bot, told_apart
from bullring.arena.cells.bots.load import load
from bullring.arena.cells.building.cache import built_here
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.tiers import AUTO
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.registry import GAMES, find
from bullring.arena.games.rules.sayings import counted
from bullring.arena.match.play import Report, notes_of, play_match
from bullring.arena.match.records.ends import now
from bullring.arena.match.referee.spec import MatchSpec
from bullring.arena.match.seats.inprocess import WithInProcess, is_player
from bullring.arena.match.seats.pool import Pool, open_pool
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from bullring.arena.settings.settings import Settings
from bullring.errors import BotError, RulesError, SettingsError
from bullring.installation import VERSION


class Decides(Protocol):
    """A player that is an object. It may also have methods ``welcome`` and ``match_over``, which take these messages."""

    def decide(self, message: dict[str, Any]) -> Any:
        """Return one of the options of a `decide` message."""


Player = str | Path | Callable[[dict[str, Any]], Any] | Decides
"""Anything that can play: "@greedy", a folder with a bot.toml, a command line, a function or an object."""


@brief
def new_game(name: str = "standard", seats: int = 4, *, start: int = 0, **options: object) -> Game[Any]:
    """Make a game with a number of seats and options. `bullring.GAMES` has all games by name.

    A game is a state machine over values (see `bullring.Game`):

    >>> import bullring
    >>> game = bullring.new_game("standard", seats=3, deals=1)
    >>> state = game.new()
    >>> state.pending.cards  # cards needed for a deal
    34
    >>> state, events = game.deal(state, range(1, 35))
    >>> state.pending.kind, state.pending.seats
    ('card', (0, 1, 2))
    >>> state, events = game.apply(state, [1, 11, 21])
    >>> state.pending.kind, game.view(state, 0)["rows"]
    ('row', [[31], [32], [33], [34]])

    Raises `UnknownGame`, `SeatsError`, `OptionError`.
    """
    return find(name)(seats, options, start)


@awaited
async def aplay(
    *players: Player,
    game: str | Game[Any] = "standard",
    options: Mapping[str, object] | None = None,
    start: int = 0,
    seed: str | None = None,
    limits: Limits | None = None,
    record: str | Path | None = None,
    names: Sequence[str] | None = None,
    sandbox: str = AUTO,
    allow_unsandboxed: bool = False,
    images: Sequence[str] = (),
) -> Report:
    """Play one match; the players take their seats in the order given.

    >>> import bullring
    >>> def lowest(message):
    ...     return message["options"][0]
    >>> def highest(message):
    ...     return message["options"][-1]
    >>> report = bullring.play(lowest, highest, lowest, options={"deals": 1}, seed="example")
    >>> report.names
    ['lowest #1', 'highest', 'lowest #2']
    >>> report.void is None, report.faults, sorted(report.ranks)[0]
    (True, [], 1)

    Programs are given as on the command line: "@greedy" (see `bullring.builtin_bots`), a folder, a command line. They run in a
    sandbox; `allow_unsandboxed` lets programs that you trust run where there is none. `images` are the container images that
    they may name. A folder whose bot.toml has a `build` is built first, unless that was done before. Functions get the `decide`
    messages of SPEC.md and run in this process: they have no deadline, and an exception in one ends the match and is raised here.

    The same `seed` always makes the same deals; without one, it is drawn at random. The record is written to the path `record`;
    read it with `bullring.read`.

    Raises `BotError`, `RulesError`, `SettingsError`, `SeedError`, `WriteError`, `SandboxError`, `HostError`.
    """
    (report,) = await aplay_matches(
        *players,
        count=1,
        game=game,
        options=options,
        start=start,
        seeds=None if seed is None else [seed],
        limits=limits,
        records=None if record is None else [record],
        names=names,
        sandbox=sandbox,
        allow_unsandboxed=allow_unsandboxed,
        images=images,
    )
    return report


@awaited
async def aplay_matches(
    *players: Player,
    count: int,
    game: str | Game[Any] = "standard",
    options: Mapping[str, object] | None = None,
    start: int = 0,
    seeds: Sequence[str] | None = None,
    limits: Limits | None = None,
    records: Sequence[str | Path] | None = None,
    names: Sequence[str] | None = None,
    sandbox: str = AUTO,
    allow_unsandboxed: bool = False,
    images: Sequence[str] = (),
) -> list[Report]:
    """Play `count` matches one after another, like `play`; programs are started once, and the seats stay the same.

    >>> import bullring
    >>> def lowest(message):
    ...     return message["options"][0]
    >>> reports = bullring.play_matches(lowest, lowest, count=3, options={"deals": 1})
    >>> len(reports)
    3

    `seeds` and `records` have one entry per match.
    """
    count = counting("count", count)
    loaded = [_loaded(player) for player in players]
    if limits is None:
        limits = Limits()
    elif not isinstance(limits, Limits):
        raise SettingsError(f"limits must be Limits, such as bullring.Limits.seconds(card=0.2), not {limits!r}")
    table = _table(game, len(players), options or {}, start)
    for kind, given in (("seeds", seeds), ("records", records)):
        if given is not None and len(given) != count:
            raise BotError(f"{kind} must have one entry per match, {count} in all, not {len(given)}")
    if table.seats != len(players):
        raise BotError(f"this game has {counted(table.seats, 'seat')}; give as many players, not {len(players)}")
    wish = Wish(sandbox, allow_unsandboxed, images=tuple(images))
    paths = [None if records is None else Path(records[number]) for number in range(count)]
    drawn = [Seed.draw() if seeds is None else Seed.given(seeds[number]) for number in range(count)]

    hidden = tuple(path for path in paths if path is not None)
    async with AsyncExitStack() as stack:
        programs = any(isinstance(player, Bot) for player in loaded)
        cells = await stack.enter_async_context(open_sandbox(wish, Owner(hidden=hidden))) if programs else None
        house = WithInProcess(cells)
        bots = _named([_seated(house, player) for player in loaded], names)
        bots = await built_here(bots, house, BuildLimits())
        pool = await stack.enter_async_context(open_pool(limits, house))
        for bot in bots:
            await pool.prepare(bot)
        return [await _one(pool, bots, table, seed, limits, path) for seed, path in zip(drawn, paths, strict=True)]


play, play_matches = waiting(aplay, "play"), waiting(aplay_matches, "play_matches")


def _table(game: str | Game[Any], seats: int, options: Mapping[str, object], start: int) -> Game[Any]:
    """The game of a match, made unless it is given whole."""
    if not isinstance(game, Game):
        return find(game)(seats, options, start)
    if options or start:
        raise RulesError("options and start are for a game given by name; give them to new_game, which made this one")
    return game


async def _one(
    pool: Pool, bots: Sequence[Bot], game: Game[Any], seed: Seed, limits: Limits, record: Path | None
) -> Report:
    spec = MatchSpec(
        game=game,
        names=[bot.name for bot in bots],
        seed=seed,
        limits=limits,
        began=now(),
        version=VERSION,
        notes=notes_of(pool.sandbox, limits),
    )
    return await play_match(pool, bots, spec, record)


def _loaded(player: Player) -> Bot | Player:
    """The bot that a path or command line names; other players as they are. Raises `BotError`."""
    if isinstance(player, str | Path):
        return Settings().admit(load(str(player)))
    if not is_player(player):
        raise BotError(
            f"a player must be a path, a command line, a function or an object with a method decide, not {player!r}"
        )
    return player


def _seated(house: WithInProcess, player: Bot | Player) -> Bot:
    return player if isinstance(player, Bot) else house.seat(getattr(player, "__name__", type(player).__name__), player)


def _named(bots: Sequence[Bot], names: Sequence[str] | None) -> list[Bot]:
    """Bots under the given names, or else their own; equal names are told apart by a number."""
    if names is None:
        return told_apart(bots)
    if isinstance(names, str) or len(names) != len(bots):
        came = repr(names) if isinstance(names, str) else len(names)
        raise BotError(f"names must have one entry per player, {len(bots)} in all, not {came}")
    for at, name in enumerate(names):
        if not isinstance(name, str) or not 1 <= len(name) <= MAX_NAME:
            raise BotError(f"a name is a text of 1 to {MAX_NAME} characters, not {name!r:.100}")
        if name in names[:at]:
            raise BotError(f"names must differ, and {name!r} is there twice")
    return [replace(bot, name=name) for bot, name in zip(bots, names, strict=True)]


__all__ = ["GAMES", "Decides", "Player", "aplay", "aplay_matches", "new_game", "play", "play_matches"]
