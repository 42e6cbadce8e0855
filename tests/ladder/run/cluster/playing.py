"""Orders, and what a referee process answers to them, without starting one."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import trio

from bullring.arena.cells.bots.bot import Bot, Contents
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.match.seats.pool import open_pool
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from bullring.ladder.run.cluster.result_checks import Terms
from bullring.ladder.run.workers.messages import Block, Match, Play, Setup
from bullring.ladder.run.workers.outbox import CarriedOut, block_of, packer
from bullring.ladder.run.workers.worker import Playing
from bullring.ladder.store.rows import ListRow
from tests.ladder.homes import TINY, tiny
from tests.support.patience import PATIENCE
from tests.support.processes import UNCONFINED

NODE: dict[str, Any] = {"name": "node", "speed": 7.5, "class": "a processor"}
LIST = ListRow(1, "standard", {"target": 66, "target_rule": "over", "deals": 1}, 2)
LIMITS = Limits.seconds(start=PATIENCE, card=PATIENCE, row=PATIENCE)
TERMS = Terms(LIST, "duel", LIMITS, "none", NODE)


def _bot(name: str, way: str) -> Bot:
    return Bot(name, Program(tuple(tiny(way).split()), TINY.parent), contents=Contents())


BOTS = [_bot("a", "first"), _bot("b", "last")]


def played(orders: Sequence[Sequence[int]]) -> tuple[list[Play], Block]:
    """Orders of these matches, and the block of their results."""
    return trio.run(partial(_played, [_order(matches) for matches in orders]))


def _order(matches: Sequence[int]) -> Play:
    seed = Seed.draw()
    return Play([Match(id, BOTS, [11, 12], seed.again() if id != matches[0] else seed) for id in matches])


async def _played(orders: list[Play]) -> tuple[list[Play], Block]:
    setup = Setup(LIMITS, UNCONFINED, Owner(), LIST, "duel", notes={"node": NODE})
    done = []
    async with open_sandbox(UNCONFINED) as sandbox, open_pool(LIMITS, sandbox) as pool:
        playing = Playing(pool, setup, None)
        for order in orders:
            answer = await playing.play(order)
            assert isinstance(answer, CarriedOut)
            done.append(answer.packed(packer(setup.dictionary)))
    return orders, block_of(done)
