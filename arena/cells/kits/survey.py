"""Survey this machine for `bullring languages`: which toolchains are here, and in which tiers they start.

A toolchain is tried in a cell of each tier, because an installed program may fail to start where its home folder is hidden.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import trio

from bullring.arena.cells.kits.kit import Declared, Need
from bullring.arena.cells.kits.toolchains import path_of
from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.cell import Sandbox, said
from bullring.arena.cells.sandbox.choice import opening
from bullring.arena.cells.sandbox.cores import cores
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.cells.sandbox.proof import prove
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.cells.sandbox.wish import Wish
from bullring.errors import CellError, HostError

LIMIT = 120.0
"""Seconds that a program may take to print its version."""

MOST = 10_000
"""Bytes that are kept of what it prints."""

CAPS = Caps(memory=2048 * MIB, processes=512, box=64 * MIB)
"""Enough for a compiler: the question is whether it starts, not whether it is small."""


@dataclass(frozen=True)
class Said:
    """The answer of a program in a cell of one tier to the question for its version."""

    works: bool
    text: str
    """The first line that it printed, or else how it ended."""


@dataclass
class Found:
    """A program that a language needs, as it is on this machine."""

    declared: Declared
    need: Need
    path: str | None
    """None if it is not here."""
    said: dict[str, Said] = field(default_factory=dict)
    """By tier that is proven here; only in `none` if it need not be confined."""

    @property
    def confined(self) -> bool:
        """Whether the sandbox has to run it. A package manager that only fetches runs on the author's machine, with the network."""
        kit = self.declared.kit
        return (self.need.program,) != kit.fetch[:1] or self.need.program in (*kit.build, *kit.run)

    @property
    def version(self) -> str:
        """Its version, as short as possible; empty if it told none."""
        lines = [said.text for said in self.said.values() if said.works]
        return next(filter(None, map(short_version, lines)), "")


@dataclass(frozen=True)
class Survey:
    """All programs that languages need, and the tiers in which they were tried."""

    found: list[Found]
    proven: list[str]
    unproven: dict[str, str]
    """The other tiers, with the reasons why they were left out."""


async def survey(languages: Iterable[Declared], tell: Callable[[str], None] = lambda _: None) -> Survey:
    """Ask each program for its version, in each tier that is proven here. Calls `tell` as each tier begins."""
    found = [Found(declared, need, path_of(need)) for declared in languages for need in declared.kit.needs]
    proven, unproven = list[str](), dict[str, str]()
    async with opening() as opener:
        for name, tier in TIERS.items():
            tell(name)
            try:
                sandbox = await opener.open(tier, Wish(name, freeze=False))
            except HostError as error:
                unproven[name] = str(error)
                continue
            proof = await prove(sandbox)
            if proof.holds:
                proven.append(name)
                await _ask_all(found, sandbox)
            else:
                unproven[name] = proof.text()
    return Survey(found, proven, unproven)


async def _ask_all(found: Iterable[Found], sandbox: Sandbox) -> None:
    """Ask those that are here, each once even if several languages need it."""
    room = trio.CapacityLimiter(len(cores()))
    same: dict[tuple[str, ...], list[Found]] = {}
    for one in found:
        if one.path is not None and (one.confined or not sandbox.tier.confines):
            same.setdefault(tuple(one.need.version), []).append(one)

    async def ask(those: list[Found]) -> None:
        async with room:
            answer = await _said(those[0], sandbox)
        for one in those:
            one.said[sandbox.tier.name] = answer

    async with trio.open_nursery() as nursery:
        for those in same.values():
            nursery.start_soon(ask, those)


async def _said(one: Found, sandbox: Sandbox) -> Said:
    """Run the command that prints the version, in a cell like that of a bot."""
    printed, log = bytearray(), bytearray()
    program = Program(tuple(one.need.version), one.declared.folder.resolve(), CAPS)
    try:
        await sandbox.prepare(program)
        cell = await sandbox.start(program, log.extend)
    except (CellError, HostError) as error:
        return Said(False, str(error))
    try:
        with trio.move_on_after(LIMIT) as limit:
            cell.hang_up()
            while more := await said(cell):
                printed += more[: MOST - len(printed)]
            await cell.wait()
        cell.read_log()
        ended = f"no end within {LIMIT:g} s" if limit.cancelled_caught else cell.exit_text()
    finally:
        await cell.end()
    text = (bytes(printed) + b"\n" + bytes(log[:MOST])).decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if ended == "exited with status 0":
        return Said(True, next(filter(short_version, lines), ""))
    return Said(False, ": ".join([ended, *lines[:1]]))


def short_version(line: str) -> str:
    """The version in a line: "go version go1.19.8 linux/amd64" has 1.19.8."""
    match = re.search(r"\d+(\.\d+)+[\w+-]*", line) or re.search(r"\d+", line)
    return match[0] if match else ""
