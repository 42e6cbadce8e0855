"""The matrix behaviour x tier, for people."""

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path

import trio
from rich.table import Table

from arena.cli_match import first_error
from arena.sandbox.cell import HostError
from arena.sandbox.choice import SandboxError, Wish, open_sandbox
from arena.sandbox.engine import find_socket
from arena.sandbox.tiers import Tier
from tests.hostile.arena import contest
from tests.hostile.behaviours import Behaviour
from tests.support.engine import MUST, answers, own_engine

HELD, FAILED, NOT_PROMISED = "held", "FAILED", "-"


@cache
def why_not(tier: Tier) -> str:
    """Why this machine cannot have the tier; empty if it can. Where all must be had (CI), there is no such excuse."""
    try:
        trio.run(_open, tier)
    except BaseExceptionGroup as group:
        error = first_error(group)
        if not isinstance(error, (HostError, SandboxError)) or os.environ.get(MUST):
            raise
        return str(error)
    return ""


async def _open(tier: Tier) -> None:
    async with open_sandbox(Wish(tier, allow_unsandboxed=True)):
        pass


@contextmanager
def an_engine() -> Iterator[None]:
    """A container engine: the one that answers, or one of our own where we may start it, or none."""
    with ExitStack() as stack:
        with suppress(HostError):
            if answers(find_socket()):
                yield
                return
        if os.geteuid() == 0 and shutil.which("dockerd"):
            stack.enter_context(named(stack.enter_context(own_engine())))
        yield


@contextmanager
def named(engine: Path) -> Iterator[None]:
    """Whoever looks for an engine finds this one."""
    before = os.environ.get("DOCKER_HOST")
    os.environ["DOCKER_HOST"] = f"unix://{engine}"
    try:
        yield
    finally:
        del os.environ["DOCKER_HOST"]
        if before is not None:
            os.environ["DOCKER_HOST"] = before


Cells = Mapping[Tier, str]


def rows(tiers: Sequence[Tier], behaviours: Iterable[Behaviour]) -> Iterator[tuple[Behaviour, Cells, list[str]]]:
    """Each behaviour with what came of it in each tier, and what went wrong."""
    for behaviour in behaviours:
        cells, problems = {}, []
        for tier in tiers:
            if tier not in behaviour.tiers:
                cells[tier] = NOT_PROMISED
            elif why_not(tier):
                cells[tier] = "skipped"
            else:
                found = contest(tier, behaviour)
                cells[tier] = FAILED if found else HELD
                problems += [f"{behaviour.name} in {tier}: {problem}" for problem in found]
        yield behaviour, cells, problems


def table(tiers: Sequence[Tier], played: Iterable[tuple[Behaviour, Cells]]) -> Table:
    """For a terminal."""
    made = Table(box=None, padding=(0, 2, 0, 0))
    for title in ("", "behaviour", *tiers):
        made.add_column(title)
    style = {HELD: "green", FAILED: "bold red", NOT_PROMISED: "dim"}
    for behaviour, cells in played:
        shown = [f"[{style.get(cells[tier], 'yellow')}]{cells[tier]}[/]" for tier in tiers]
        made.add_row(str(behaviour.number), behaviour.what, *shown)
    return made


def markdown(tiers: Sequence[Tier], played: Iterable[tuple[Behaviour, Cells]]) -> str:
    """For the README."""
    lines = [f"| | behaviour | {' | '.join(tiers)} |", f"| ---: | --- | {' | '.join(['---'] * len(tiers))} |"]
    for behaviour, cells in played:
        lines.append(f"| {behaviour.number} | {behaviour.what} | {' | '.join(cells[tier] for tier in tiers)} |")
    return "\n".join(lines)
