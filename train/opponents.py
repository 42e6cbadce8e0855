"""Bots of the arena as opponents: real programs in cells, and functions, asked as at any table.

Environments are synchronous, and processes and clocks belong to trio. So the bots live in a thread with a loop of its own; the
environment hands it a question for each of them and waits. Bots are asked one after another, so each has a core of its own while
it thinks, and rest in between.
"""

import atexit
import threading
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgpack
import trio

from bullring.arena.cells.bots.bot import Bot, told_apart
from bullring.arena.cells.bots.load import load
from bullring.arena.cells.building.cache import built_here
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.game import Batch, Game, Option
from bullring.arena.games.rules.ranks import ranks
from bullring.arena.match.ask import Talk
from bullring.arena.match.composer import Addressee, Composer
from bullring.arena.match.faults import STRIKES, complaint
from bullring.arena.match.records.wire import Exchange
from bullring.arena.match.seats.inprocess import WithInProcess, is_player
from bullring.arena.match.seats.player import Player
from bullring.arena.match.seats.pool import Pool, open_pool
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from bullring.arena.settings.settings import Settings
from bullring.errors import BotError, HostError, StartFailure, first_error
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS

_ENCODER = ENCODERS[Dialect.MSGPACK]

Opponent = Any
"""A player, as for `bullring.play`: "@greedy", a folder with a bot.toml, a command line, a function or an object with `decide`."""


@dataclass
class _Seated:
    """An opponent in the present match."""

    talk: Talk
    to: Addressee
    player: Player


class Opponents:
    """The bots on some seats, from match to match. Programs are started with the first match, and stay until `close`."""

    def __init__(self, given: Mapping[int, Opponent], limits: Limits, wish: Wish) -> None:
        """`given` is by seat. Raises `BotError` if one of them cannot play."""
        self._limits = limits
        self._wish = wish
        self._seats = sorted(given)
        self._given = [given[seat] for seat in self._seats]
        self._bots = _bots(self._given, WithInProcess(None))
        self.faults: dict[int, str] = {}
        """The last fault of each opponent in this match, by seat."""
        self._seated: dict[int, _Seated] = {}
        self._composer: Composer
        self._thread: threading.Thread | None = None
        self._token: trio.lowlevel.TrioToken
        self._pool: Pool
        self._closing: trio.Event
        self._failure: BaseException | None = None

    def begin(self, game: Game[Any], seed: Seed) -> None:
        """Seat them for a match. Raises `StartFailure`, `BotError`, `SandboxError`, `HostError`."""
        if self._thread is None:
            self._open()
        self._run(self._begin, game, seed)

    def tell(self, events: Sequence[Any]) -> None:
        """Note events of the match; the bots hear of them with their next question."""
        self._composer.journal.add([*events])

    def ask(self, state: Any, batch: Batch) -> dict[int, Option]:
        """The answers of the opponents in a batch, by seat. A seat is missing if its bot gave none that can be used."""
        if not any(seat in self._seated for seat in batch.seats):
            return {}
        answers: dict[int, Option] = self._run(self._ask, state, batch)
        return answers

    def end(self, scores: Sequence[int], *, finished: bool) -> None:
        """The match is over, or was broken off; then it is void for the bots."""
        if self._seated:
            self._run(self._end, list(scores), finished)

    def close(self) -> None:
        """End all programs, and wait until they are gone."""
        thread, self._thread = self._thread, None
        if thread is not None:
            atexit.unregister(self.close)
            with suppress(trio.RunFinishedError):
                trio.from_thread.run_sync(self._closing.set, trio_token=self._token)
            thread.join()

    # The thread

    def _open(self) -> None:
        ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, args=(ready,), name="bullring opponents", daemon=True)
        self._thread.start()
        ready.wait()
        if self._failure is not None:
            self._thread = None
            raise self._failure
        atexit.register(self.close)

    def _serve(self, ready: threading.Event) -> None:
        try:
            trio.run(self._live, ready)
        except BaseException as error:
            self._failure = first_error(error)
            ready.set()

    async def _live(self, ready: threading.Event) -> None:
        async with AsyncExitStack() as stack:
            programs = any(not is_player(given) for given in self._given)
            house = WithInProcess(
                await stack.enter_async_context(open_sandbox(self._wish, Owner())) if programs else None
            )
            self._bots = await built_here(_bots(self._given, house), house, BuildLimits())
            self._pool = await stack.enter_async_context(open_pool(self._limits, house))
            for bot in self._bots:
                await self._pool.prepare(bot)
            self._closing, self._token = trio.Event(), trio.lowlevel.current_trio_token()
            ready.set()
            await self._closing.wait()
            self._stand_up()

    def _run(self, function: Any, *args: Any) -> Any:
        try:
            return trio.from_thread.run(function, *args, trio_token=self._token)
        except trio.RunFinishedError:
            raise self._failure or HostError("the thread that the opponents live in has ended") from None
        except BaseExceptionGroup as group:
            raise first_error(group) from None

    async def _begin(self, game: Game[Any], seed: Seed) -> None:
        await self._release()
        players = await self._pool.seat(self._bots)
        failed = next((player for player in players if isinstance(player, StartFailure)), None)
        if failed is not None:
            await self._pool.release(players)
            raise failed
        self.faults = {}
        self._composer = Composer(game)
        for seat, player in zip(self._seats, players, strict=True):
            assert isinstance(player, Player)
            to = Addressee(seat)
            seated = self._seated[seat] = _Seated(Talk(player, self._pool.watch, self._limits), to, player)
            player.begin_match()
            welcome = self._composer.welcome(
                self._limits.of_bots(),
                STRIKES,
                seed.commitment,
                seat=seat,
                seed=seed.for_bot(seat),
                clock="core" if player.cell.account() is not None else "wall",
            )
            await seated.talk.send(msgpack.unpackb(_ENCODER.message(welcome)))

    async def _ask(self, state: Any, batch: Batch) -> dict[int, Option]:
        answers: dict[int, Option] = {}
        self._composer.begin(state, batch)
        for seat, options in zip(batch.seats, batch.options, strict=True):
            seated = self._seated.get(seat)
            if seated is None or seated.talk.over:
                continue
            limit_us = self._limits.of(batch.kind)
            question = self._composer.decide(seated.to, options, _ENCODER.value(0), limit_us, self._limits.bank_us)
            reply = await seated.talk.ask(Exchange(msgpack.unpackb(question), 0))
            seated.to.last_us, seated.to.complaint = reply.us, None
            if reply.fault is not None:
                self.faults[seat] = seated.to.complaint = complaint(reply.fault, reply.expected, reply.got)
                _close_if_over(seated)
            elif reply.option is not None:
                answers[seat] = reply.option
        return answers

    async def _end(self, scores: Sequence[int], finished: bool) -> None:
        places = ranks(scores, [False] * len(scores)) if finished else []
        for seated in self._seated.values():
            if not seated.talk.over:
                over = self._composer.over(seated.to, scores, places, void=not finished)
                await seated.talk.send(msgpack.unpackb(over))
        await self._release()

    async def _release(self) -> None:
        players = self._stand_up()
        if players:
            await self._pool.release(players)

    def _stand_up(self) -> list[Player]:
        players = [seated.player for seated in self._seated.values()]
        self._seated = {}
        return players


def _close_if_over(seated: _Seated) -> None:
    """A fault may cost a bot its seat; then the fallback plays on."""
    if seated.talk.over:
        seated.player.cell.kill()


def _bots(given: Sequence[Opponent], house: WithInProcess) -> list[Bot]:
    """Load the bots that were given, with names that tell them apart. Raises `BotError`."""
    return told_apart([_bot(one, house) for one in given])


def _bot(given: Opponent, house: WithInProcess) -> Bot:
    if isinstance(given, str | Path):
        return Settings().admit(load(str(given)))
    if not is_player(given):
        raise BotError(
            f"an opponent must be a path, a command line, a function or an object with a method decide, not {given!r:.80}"
        )
    return house.seat(getattr(given, "__name__", type(given).__name__), given)
