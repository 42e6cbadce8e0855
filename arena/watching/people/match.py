"""One match with people, from seating to sealed record, or from where it was left.

The record is on disk after each batch, and seed and nonce lie beside it from the first card on. So a match can go on from its last
complete batch, with new bots that are told everything again, and a failure of the machine makes it left, not void.
"""

import contextlib
import os
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from bullring.arena.cells.bots.bot import Bot, told_apart
from bullring.arena.cells.bots.load import load
from bullring.arena.cells.building.cache import built_here
from bullring.arena.cells.processes.child import Child
from bullring.arena.cells.processes.kinds import FEED
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.arena.games.rules.registry import find
from bullring.arena.match.play import conclude, notes_of
from bullring.arena.match.records.ends import now
from bullring.arena.match.records.prefix import Prefix, read_prefix
from bullring.arena.match.records.wire import limits_of
from bullring.arena.match.records.writer import Recorder, create, extend
from bullring.arena.match.referee.spec import MatchSpec, Pulse
from bullring.arena.match.referee.turns import play
from bullring.arena.match.seats.guest import WithGuests
from bullring.arena.match.seats.person import PersonCell, person
from bullring.arena.match.seats.player import Player
from bullring.arena.match.seats.pool import Pool, open_pool
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import MICRO
from bullring.arena.settings.load import load_settings
from bullring.arena.settings.settings import Settings
from bullring.arena.watching.people import history
from bullring.arena.watching.people.sitting import Sitting
from bullring.arena.watching.people.unfinished import forget, kept, new_record, remember, secret_of
from bullring.errors import HostError, StartFailure, UsageError
from bullring.installation import VERSION

Tell = Callable[..., None]
"""Sends a message to the person's process: called with its kind, and its fields by name."""


@dataclass(frozen=True)
class Given:
    """The order to the referee process."""

    sitting: Sitting
    record: Path | None
    """The record of a match that goes on."""
    seats: Mapping[int, socket.socket]
    """The connections to people, by seat."""
    feed: int
    """The descriptor for the public frames."""


@dataclass(frozen=True)
class _Match:
    """A match that is about to be played."""

    spec: MatchSpec
    record: Path
    prefix: Prefix | None
    """The beginning of its record, if it was left."""


async def sit(given: Given, tell: Tell, gone: Callable[[], None]) -> None:
    """Play the match. `gone` is called when somebody leaves the table, and should cancel it.

    Raises `BullringError`. Once there is a record, the match can go on later.
    """
    sitting = given.sitting
    try:
        os.chdir(sitting.cwd)
    except OSError as error:
        raise UsageError(say("screens.refusals.folder", folder=sitting.cwd, error=error.strerror or error)) from None
    settings = load_settings(Path(sitting.config) if sitting.config else None, sitting.times)
    bots = _seated(sitting, settings)
    async with AsyncExitStack() as stack:
        if given.record is None:
            match = _new(sitting, bots, settings)
        else:
            stack.enter_context(kept(given.record))
            prefix = read_prefix(given.record)
            if prefix is None:  # its referee was killed between the last line and the end
                forget(given.record)
                tell("over", facts=history.summarise(given.record))
                return
            match = _left(prefix, given.record, sitting, settings)
        programs = None
        if len(sitting.people) < len(bots):
            tell("preparing", text=say("screens.table.setting"))
            wish = settings.wish(sitting.tier or None, sitting.allow_unsandboxed, sitting.freeze)
            owner = Owner(hidden=(Path(sitting.folder),))
            programs = await stack.enter_async_context(open_sandbox(wish, owner))

            def builds(name: str) -> None:
                tell("preparing", text=say("screens.table.building", name=harmless(name, 64)))

            bots = await built_here(bots, programs, settings.build, builds)
        people = {bots[seat].program: partial(PersonCell, line, gone) for seat, line in given.seats.items()}
        sandbox = WithGuests(programs, people)
        pool = await stack.enter_async_context(open_pool(match.spec.limits, sandbox))
        for bot in bots:
            await pool.prepare(bot)
        if match.prefix is None:
            match = replace(match, spec=replace(match.spec, notes=notes_of(sandbox, match.spec.limits)))
        facts = await _play(pool, bots, match, given, tell)
    tell("over", facts=facts)


def _seated(sitting: Sitting, settings: Settings) -> list[Bot]:
    """The players, by seat. Raises `BotError`."""
    bots = []
    for seat, chair in enumerate(sitting.chairs):
        if chair.person:
            bots.append(person(chair.name, seat))
        else:
            bot = settings.admit(load(chair.bot))
            bots.append(replace(bot, name=chair.name) if chair.name else bot)
    return told_apart(bots)


def _new(sitting: Sitting, bots: Sequence[Bot], settings: Settings) -> _Match:
    """A new match. Raises `RulesError`, `SeedError`."""
    game = find(sitting.game)(len(bots), sitting.options)
    spec = MatchSpec(
        game=game,
        names=[bot.name for bot in bots],
        seed=Seed.given(sitting.seed) if sitting.seed else Seed.draw(),
        limits=settings.limits,
        began=now(),
        version=VERSION,
        people=sitting.people,
        people_us=round((sitting.limit or 0) * MICRO),
    )
    return _Match(spec, new_record(Path(sitting.folder), game.id), None)


def _left(prefix: Prefix, record: Path, sitting: Sitting, settings: Settings) -> _Match:
    """The match as it was left. Raises `UsageError`."""
    head = prefix.head
    limits = replace(limits_of(head), tick_us=head.get("tick_us", 0))
    spec = MatchSpec(
        game=prefix.game,
        names=head["seats"],
        seed=secret_of(record, head["commitment"]),
        limits=limits,
        began=head["began"],
        version=VERSION,
        notes={"clock": head.get("clock", "wall")},
        people=sitting.people,
        people_us=head.get("people_us", 0),
    )
    return _Match(spec, record, prefix)


async def _play(pool: Pool, bots: Sequence[Bot], match: _Match, given: Given, tell: Tell) -> dict[str, Any]:
    """Play the match to its end, and seal its record. Returns the facts of the result. Raises `BullringError`."""
    spec, record, prefix = match.spec, match.record, match.prefix
    closed = [False] * len(bots) if prefix is None else [seat.closed for seat in prefix.seats]
    here = [bot for bot, is_closed in zip(bots, closed, strict=True) if not is_closed]
    came = await pool.seat(here)
    waiting = iter(came)
    players = [None if is_closed else next(waiting) for is_closed in closed]
    with contextlib.ExitStack() as stack:
        try:
            if prefix is None:
                stack.enter_context(remember(record, given.sitting, spec.began, spec.seed))
                file = stack.enter_context(create(record))
            else:
                file = stack.enter_context(extend(record, len(prefix.data)))
            recorder = Recorder(file, 0.0, before=b"" if prefix is None else prefix.data, synced=True)
            tell("began", record=str(record))
            before = 0 if prefix is None else prefix.data.count(b"\n")
            pulse = stack.enter_context(_feeding(record, before, given.feed))
            try:
                result = await play(replace(spec, pulse=pulse), players, recorder, pool.watch, prefix)
            except BaseException:
                for player in came:
                    if isinstance(player, Player):
                        player.cell.kill()
                recorder.flush(now=True)
                raise
        finally:
            await pool.release(came, keep=False)
        if result.void is not None:  # such a match does not count as void: it was left
            raise HostError(result.void)
        seated = [player if player is not None else _absent() for player in players]
        conclude(recorder, spec, result, seated, record)
    forget(record)
    return history.summarise(record)


def _absent() -> StartFailure:
    """The player of a seat that was closed before the match went on."""
    return StartFailure("a program that starts", "a seat that was closed before")


@contextlib.contextmanager
def _feeding(record: Path, before: int, to: int) -> Iterator[Pulse]:
    """Write the public frames of the record to a descriptor, from a process of its own, until the match is over.

    Yields the pulse that must be told who still thinks. It never waits: what does not fit is lost, and soon replaced.
    """
    with Child(FEED, str(record), str(before), stdout=to) as child:
        os.close(to)

        def thinking(batch: int, seats: Sequence[int]) -> None:
            child.offer("thinking", batch, *seats)

        yield thinking
