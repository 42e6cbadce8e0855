"""Real bots in real processes, played through the same way as `bullring match`."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.caps import Caps
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.registry import find
from bullring.arena.match.play import Report, play_match
from bullring.arena.match.referee.spec import MatchSpec
from bullring.arena.match.seats.pool import open_pool
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from tests.support.record import NONCE

BOTS = Path(__file__).parent.parent / "arena" / "match" / "seats" / "bots"
LIMITS = Limits.seconds(start=20.0, card=5.0, row=5.0)
UNCONFINED = Wish("none", allow_unsandboxed=True, proven=False)
"""The tier of most tests: they look at bots from outside."""


def bot(name: str, *arguments: str, restart: Literal["never", "match"] = "never") -> Bot:
    """One of the little programs in tests/arena/match/seats/bots. Arguments that are paths it may read, and write
    if all users may."""
    reads = tuple(Path(argument) for argument in arguments if argument.startswith("/"))
    command = (sys.executable, str(BOTS / f"{name}.py"), *arguments)
    return Bot(name, Program(command, BOTS, reads=reads), restart)


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
        seed=Seed.given("7", NONCE),
        limits=limits,
    )
    reports = []
    caps = Caps(memory=memory)
    bots = [replace(bot, program=replace(bot.program, caps=caps)) for bot in bots]
    async with open_sandbox(UNCONFINED) as sandbox, open_pool(limits, sandbox) as pool:
        for number in range(count):
            reports.append(await play_match(pool, bots, replace(spec, seed=Seed.given(f"7.{number}", NONCE)), record))
    return reports


def gone(pid: int) -> bool:
    """Whether no such process exists any more, not even as a zombie."""
    return not Path(f"/proc/{pid}").exists()


def runs(pid: int) -> bool:
    """Whether a process runs. A zombie does not: an orphan is one for as long as the first process of the machine likes."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"
