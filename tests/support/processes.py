"""Real bots in real processes, played through the same way as `bullring match`."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

import trio

from arena.bots.manifest import Bot
from arena.clock import Limits
from arena.match import MatchSpec
from arena.rules.registry import find
from arena.runner import Report, run_match
from arena.sandbox.caps import Caps
from arena.sandbox.choice import Wish, open_sandbox
from arena.seats.pool import open_pool
from arena.seeds import Seed

BOTS = Path(__file__).parent.parent / "processes" / "bots"
LIMITS = Limits(start=20.0, card=5.0, row=5.0)
UNCONFINED = Wish("none", allow_unsandboxed=True, proven=False)
"""The tier of most tests: they look at bots from outside."""


def bot(name: str, *arguments: str, restart: Literal["never", "match"] = "never") -> Bot:
    """One of the little programs in tests/processes/bots. Arguments that are paths it may read, and write if anybody may."""
    reads = tuple(Path(argument) for argument in arguments if argument.startswith("/"))
    return Bot(name, (sys.executable, str(BOTS / f"{name}.py"), *arguments), BOTS, restart, reads=reads)


def blackboard(path: Path) -> Path:
    """An empty file that bots may write to, whoever they run as."""
    path.touch()
    path.chmod(0o666)
    return path


def matches(
    *bots: Bot,
    count: int = 1,
    limits: Limits = LIMITS,
    memory: int = Caps.memory,
    record: Path | None = None,
) -> list[Report]:
    """Play some one-deal matches, one after the other in one pool."""
    return trio.run(partial(_matches, bots, count, limits, memory, record))


async def _matches(bots: Sequence[Bot], count: int, limits: Limits, memory: int, record: Path | None) -> list[Report]:
    spec = MatchSpec(
        game=find("standard")(len(bots), {"deals": 1}),
        names=[entrant.name for entrant in bots],
        seed=Seed.given("7"),
        limits=limits,
    )
    reports = []
    bots = [replace(bot, caps=replace(bot.caps, memory=memory)) for bot in bots]
    async with open_sandbox(UNCONFINED) as sandbox, open_pool(limits, sandbox) as pool:
        for number in range(count):
            reports.append(await run_match(pool, bots, replace(spec, seed=Seed.given(f"7.{number}")), record))
    return reports


def gone(pid: int) -> bool:
    """Whether no such process exists any more, not even as a zombie."""
    return not Path(f"/proc/{pid}").exists()
