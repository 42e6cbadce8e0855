"""Trials with a sender and a receiver in two cells, and the readings that tell whether the sender acted.

In each trial a fair coin decides whether it acts. Coins do not know what else the machine does, so a reading that has nothing to do
with the sender guesses right as often as coins do, however the machine is used meanwhile. Two rounds: the first finds, for each
reading, the threshold that tells best, the second counts right guesses with it, in trials of its own.
"""

import json
import math
import random
import shutil
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import trio

from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.cell import Cell, Sandbox, said
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.program import PYTHON, Program
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.cells.text.lines import LineBuffer
from tests.support.patience import PATIENCE

PROBES = Path(__file__).parent / "probes"

CHANCE = 1e-6
"""At most so likely a comparison finds a channel where there is none."""

PROMISING = 0.8
"""Right guesses in the first round, as a share, from which on a reading is looked at in the second."""

PLANTED = "planted"
"""A file in the receiver's folder, which the test changes when the sender acts: a comparison must find it."""


CAPS = Caps(memory=2048 * MIB, processes=256)
"""Enough for all deeds together."""


FIRST, SECOND = 8, 30
"""Trials of the two rounds: in the second even one wrong guess leaves no doubt."""


@dataclass(frozen=True)
class Rule:
    """A guess: the sender has acted if the change of a reading is above a threshold, or if it is not."""

    threshold: float
    above: bool

    def right(self, changes: Sequence[float], coins: Sequence[bool]) -> int:
        """The number of right guesses."""
        return sum(
            (change > self.threshold) == (coin == self.above) for change, coin in zip(changes, coins, strict=True)
        )


@dataclass(frozen=True, order=True)
class Channel:
    """A reading that tells whether the sender acted."""

    deed: str
    reading: str
    right: int
    trials: int
    seconds: float
    """The time that the deed takes."""

    @property
    def bits(self) -> float:
        """Bits of one use: the capacity of a symmetric channel with these errors, at least one in twice the trials."""
        wrong = min(max(1 - self.right / self.trials, 0.5 / self.trials), 0.5)
        return 1 + wrong * math.log2(wrong) + (1 - wrong) * math.log2(1 - wrong)

    @property
    def rate(self) -> float:
        """Bits a second, if the deed is all that takes time, and at least a millisecond."""
        return self.bits / max(self.seconds, 0.001)


def chance(right: int, trials: int) -> float:
    """The probability that so many or more of these coins are guessed by chance."""
    return sum(math.comb(trials, many) for many in range(right, trials + 1)) / 2.0**trials


def best_rule(changes: Sequence[float], coins: Sequence[bool]) -> Rule:
    """The rule with the most right guesses."""
    thresholds = sorted(set(changes))[:-1] or [changes[0]]
    rules = [Rule(threshold, above) for threshold in thresholds for above in (True, False)]
    return max(rules, key=lambda rule: rule.right(changes, coins))


@dataclass
class Trials:
    """Coins, and the changes of all readings by name: a change that was not told is 0."""

    coins: list[bool] = field(default_factory=list)
    changes: list[Mapping[str, float]] = field(default_factory=list)

    def of(self, reading: str) -> list[float]:
        """The changes of one reading."""
        return [changes.get(reading, 0.0) for changes in self.changes]


def channels(deed: str, first: Trials, second: Trials, seconds: float) -> list[Channel]:
    """The readings that tell the coins, beyond chance."""
    rules = {}
    for reading in sorted({name for changes in first.changes for name in changes}):
        rule = best_rule(first.of(reading), first.coins)
        if rule.right(first.of(reading), first.coins) >= PROMISING * len(first.coins):
            rules[reading] = rule
    trials = len(second.coins)
    found = [
        Channel(deed, name, rule.right(second.of(name), second.coins), trials, seconds) for name, rule in rules.items()
    ]
    return [channel for channel in found if chance(channel.right, trials) * len(rules) <= CHANCE]


class Probe:
    """A program in a cell that is asked and answers in lines."""

    def __init__(self, cell: Cell, log: bytearray) -> None:
        self._cell = cell
        self._log = log
        self._buffer = LineBuffer()
        self._lines: deque[bytes] = deque()

    def tell(self, data: bytes) -> None:
        """Write a line."""
        assert self._cell.send(data) == len(data)

    async def answer(self) -> Any:
        """Read what it says next."""
        while not self._lines:
            with trio.fail_after(PATIENCE):
                more = await said(self._cell)
            if not more:
                self._cell.read_log()
                await self._cell.wait()
                why = self._cell.breach() or self._log.decode("utf-8", "replace")[-2000:]
                raise AssertionError(f"a probe {self._cell.exit_text()}: {why}")
            self._lines.extend(self._buffer.feed(more))
        return json.loads(self._lines.popleft())

    async def ask(self, **request: object) -> Any:
        """Ask and read the answer."""
        self.tell(json.dumps(request).encode() + b"\n")
        return await self.answer()


@asynccontextmanager
async def probe(sandbox: Sandbox, folder: Path, name: str) -> AsyncIterator[Probe]:
    """Run one of the programs in a cell of its own."""
    log = bytearray()
    cell = await sandbox.start(Program((PYTHON, "-S", "-E", "-B", name), folder, CAPS), log.extend)
    try:
        yield Probe(cell, log)
    finally:
        await cell.end()


@dataclass
class Pair:
    """The sender and the receiver."""

    sender: Probe
    receiver: Probe
    planted: Path
    coins: random.Random
    number: int
    """Of the trial: each takes files that no other has read."""

    async def trials(self, deeds: Sequence[str], count: int) -> tuple[Trials, float]:
        """Let coins decide `count` times whether these deeds are done. Also returns how long they took."""
        made, seconds = Trials(), 0.0
        for _ in range(count):
            coin = self.coins.random() < 0.5
            self.number += 1
            await self.receiver.ask(look="before", trial=self.number)
            self.planted.write_text(str(int(coin)))
            sent = await self.sender.ask(deeds=deeds, trial=self.number, act=coin)
            got = await self.receiver.ask(look="after", trial=self.number, pid=sent["pid"])
            self.planted.write_text("0")
            self.sender.tell(b"\n")
            await self.sender.answer()
            made.coins.append(coin)
            made.changes.append(got["changed"])
            seconds = sent["seconds"]
        return made, seconds


async def compare(
    tier: str, seed: int, *, apart: bool, step: Callable[[str], object], only: Collection[str] = ()
) -> list[Channel]:
    """Find the channels of a tier: all deeds together, or one after the other if `apart`; `only` some of them, if any are named.

    `step` is told of each.
    """
    found: list[Channel] = []
    coins = random.Random(seed)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory())) / "probes"
        shutil.copytree(PROBES, folder)
        for path in (folder.parent, folder, *folder.iterdir()):
            path.chmod(0o755)  # bots are other users
        planted = folder / PLANTED
        planted.write_text("0")
        planted.chmod(0o644)
        wish = Wish(tier, allow_unsandboxed=True, freeze=False, proven=False)
        sandbox = await stack.enter_async_context(open_sandbox(wish))
        sender, receiver = [
            await stack.enter_async_context(probe(sandbox, folder, name)) for name in ("sender.py", "receiver.py")
        ]
        deeds = [deed for deed in (await sender.answer())["deeds"] if not only or deed in only]
        await receiver.answer()
        pair = Pair(sender, receiver, planted, coins, coins.randrange(1000))
        for some in [[deed] for deed in deeds] if apart else [deeds]:
            name = some[0] if apart else "everything"
            await pair.trials(some, 2)  # without coins that count: whatever is slow at first
            first, _ = await pair.trials(some, FIRST)
            second, seconds = await pair.trials(some, SECOND)
            found += channels(name, first, second, seconds)
            step(name)
    return found
