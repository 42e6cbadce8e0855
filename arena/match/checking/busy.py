"""Whether a bot thinks less where others take its core: then it counts plain time, and its clock is time on a core of its own.

The same question is asked alone and while the bot is kept off its core half of the time, and the kernel tells what the bot used for
each answer. Who works by processor time, or does not look at a clock at all, uses the same for both, however busy the machine is:
what others do can only hide the difference, not make it. So this finds a cause for advice, and never a fault.
"""

from collections.abc import Sequence
from statistics import median

import trio

from bullring.arena.match.checking.result import Skipped
from bullring.arena.match.checking.session import Question, Session

PAIRS = 5
"""Questions of each sort."""

SLICE = 0.003
"""Seconds for which it runs and is held, in turn."""

LEAST_US = 5_000
"""Processor time for one answer below which a bot does not use its time."""

SHRUNK = 0.75
"""Share of the thinking that is left at most where plain time is counted. Half is expected."""


def shrinks(alone_us: Sequence[int], held_us: Sequence[int]) -> bool:
    """Whether it used much less while it was held, in all pairs of answers but one: others may have had the core in that."""
    if median(alone_us) < LEAST_US:
        return False
    shrunk = sum(held <= SHRUNK * alone for alone, held in zip(alone_us, held_us, strict=True))
    return shrunk >= max(1, len(alone_us) - 1)


async def thinking(session: Session, asked: Question) -> tuple[list[int], list[int]]:
    """The processor time of its answers alone, and while it is held. Raises `Skipped` if that cannot be told, and as `ask` does."""
    cell = session.player.cell
    if cell.account() is None:
        raise Skipped("limits are plain time here")
    if not cell.freezes:
        raise Skipped("bots are not frozen here")
    alone: list[int] = []
    held: list[int] = []
    await session.say(session.packed(session.welcome(asked)))
    await session.ask(asked)  # a first time may be longer
    for pair in range(PAIRS):
        for hold in (pair % 2 == 0, pair % 2 == 1):
            (held if hold else alone).append(await _used(session, asked, hold=hold))
        if max(alone) < LEAST_US:  # it does not use its time
            break
    await session.say(session.packed(session.over(asked)))
    return alone, held


async def _used(session: Session, asked: Question, *, hold: bool) -> int:
    cell = session.player.cell
    before = cell.account()
    async with trio.open_nursery() as nursery:
        if hold:
            nursery.start_soon(_hold, session)
        await session.ask(asked)
        nursery.cancel_scope.cancel()
    after = cell.account()
    assert before is not None
    return 0 if after is None else after.used_us - before.used_us


async def _hold(session: Session) -> None:
    """Keep it off its core half of the time."""
    cell = session.player.cell
    try:
        while True:
            await trio.sleep(SLICE)
            cell.freeze()
            await trio.sleep(SLICE)
            cell.thaw()
    finally:
        cell.thaw()
