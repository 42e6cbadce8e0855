"""The party of a match: its own bots, who play a moment on, as real programs in their cells, with the limits of the match.

They are led to the moment as to a match that was left (`records.prefix`): new processes get the welcome, and with their first
question all that has happened. So a bot that remembers what it thought before the moment lacks that, and says so nowhere.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.building.build import built
from bullring.arena.cells.building.cache import Cache, built_here
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.files.walk import Bounds
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.game import Batch, Option
from bullring.arena.match.play import notes_of
from bullring.arena.match.records.prefix import prefix_of
from bullring.arena.match.records.reader import Entry, Lines, kind_of
from bullring.arena.match.records.replay import Answered, Replay
from bullring.arena.match.records.wire import limits_of
from bullring.arena.match.records.writer import Recorder
from bullring.arena.match.referee.spec import MatchSpec
from bullring.arena.match.referee.turns import play
from bullring.arena.match.seats.pool import Pool, open_pool
from bullring.arena.match.seeds import Seed
from bullring.arena.study.branches.branch import Moment, heads_of
from bullring.errors import HostError, StartFailure


@dataclass(frozen=True)
class Party:
    """The bots of a match by seat, and how they are confined and built."""

    bots: Sequence[Bot]
    wish: Wish
    build: BuildLimits
    builds: Path | None = None
    """The builds of their home; None: those of the user."""

    def told(self) -> str:
        """It as text, for another process."""
        builds = None if self.builds is None else str(self.builds)
        facts = {"wish": asdict(self.wish), "build": asdict(self.build), "builds": builds}
        return json.dumps({**facts, "bots": [{**bot.facts(), "build": bot.build} for bot in self.bots]})

    @classmethod
    def of(cls, text: str) -> Self:
        """The party that was told."""
        facts = json.loads(text)
        wish = Wish(**{**facts["wish"], "images": tuple(facts["wish"]["images"])})
        build = BuildLimits(**{**facts["build"], "folder": Bounds(**facts["build"]["folder"])})
        bots = [replace(Bot.from_facts(bot), build=tuple(bot["build"])) for bot in facts["bots"]]
        return cls(bots, wish, build, facts["builds"] and Path(facts["builds"]))


Played = tuple[Sequence[Entry], int]
"""The lines of a record from a choice to the end of the deal, and the heads of its seat."""


class _DealIsOver(Exception):
    """The next deal would begin."""


class _OneDeal(Recorder):
    """Records up to the end of the deal."""

    def deal(self, cards: list[int]) -> None:
        raise _DealIsOver


class Table:
    """The bots at a moment, ready to be started."""

    def __init__(self, lines: Lines, moment: Moment, pool: Pool, bots: Sequence[Bot], notes: Mapping[str, Any]) -> None:
        self._raw = list(lines.raw())[: moment.line - 1]
        self._moment = moment
        self._pool = pool
        self._bots = bots
        self._notes = notes

    async def play_on(self, seat: int, option: Option) -> Played:
        """Play on from a choice. Raises `HostError` if a bot does not start, or the machine fails."""
        answers = self._moment.answers(seat, option)
        first: Entry = json.loads(json.dumps({"answers": answers, "us": [0] * len(answers)}))
        data = b"".join(line + b"\n" for line in (*self._raw, json.dumps(first).encode()))
        prefix = prefix_of(Lines(data))
        entries = [first]
        if isinstance(prefix.state.pending, Batch):  # else the deal is over
            spec = MatchSpec(
                prefix.game,
                prefix.head["seats"],
                Seed.draw(),
                replace(limits_of(prefix.head), tick_us=0),
                notes=self._notes,
            )
            recorder = _OneDeal(kept=True)
            players = await self._pool.seat(self._bots)
            try:
                for player in players:
                    if isinstance(player, StartFailure):
                        raise HostError(str(player))
                await play(spec, players, recorder, self._pool.watch, prefix)
            except _DealIsOver:
                pass
            finally:
                await self._pool.release(players, keep=False)
            recorder.flush(now=True)
            entries += [one for one in Lines(recorder.text).each() if kind_of(one) in ("answers", "fault")]
        replay, heads = Replay(), 0
        for _, happening in replay.play(
            Lines(data + b"".join(json.dumps(one).encode() + b"\n" for one in entries[1:]))
        ):
            if isinstance(happening, Answered) and any(event["type"] == "deal_over" for event in happening.events):
                heads = heads_of(happening.events, seat)
        return entries, heads


async def seated(
    party: Party, lines: Lines, moment: Moment, stack: AsyncExitStack, told: Callable[[str], None]
) -> Table:
    """Open the sandbox, build what has to be built, and get the bots ready. Raises `BullringError`."""
    cells = await stack.enter_async_context(open_sandbox(party.wish))
    if party.builds is None:
        bots = await built_here(party.bots, cells, party.build, told)
    else:
        bots = [await built(bot, cells, party.builds, party.build, cache=Cache.of_user()) for bot in party.bots]
    limits = limits_of(next(lines.each()))
    pool = await stack.enter_async_context(open_pool(limits, cells))
    for bot in bots:
        await pool.prepare(bot)
    return Table(lines, moment, pool, bots, notes_of(cells, limits))
