"""The roster: loads and benches bots, which may be added, removed and reinstated while the ladder runs."""

import shlex
import time
from collections.abc import Container
from dataclasses import replace
from math import inf

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.bots.contents import check_contents, check_image
from bullring.arena.cells.building.build import built
from bullring.arena.cells.building.cache import Cache
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.games.rulebook.language import say
from bullring.arena.settings.limits import Limits
from bullring.errors import BotError, CellError
from bullring.ladder.run.progress import Happening, Listener
from bullring.ladder.run.workers.messages import Seat
from bullring.ladder.standings.penalties import Budget, faults_verdict
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import BotRow
from bullring.ladder.store.store import Store

LOOK_EVERY = 1.0
"""Seconds between two readings of the bots' states."""


class Roster:
    """The bots of a home and which of them may play now."""

    def __init__(self, home: Home, store: Store, listener: Listener, asked: Container[int] = ()) -> None:
        """`asked` are older versions that play as well."""
        self.bots: dict[int, Bot] = {}
        """The bots that may play now, by id."""
        self.budget = Budget(Limits())
        """The budget of a match."""
        self.loading: set[int] = set()
        """The bots that are being made ready."""
        self._asked = asked
        self._home = home
        self._store = store
        self._listener = listener
        self._rows: dict[int, BotRow] = {}
        self._looked = time.monotonic()

    def name(self, bot: int) -> str:
        """The name of a bot, whether or not it plays."""
        return self._rows[bot].name

    async def load_all(self, sandbox: Sandbox) -> None:
        """Load all bots that play. Where one cannot be loaded, an older version of it may play instead."""
        while new := [row for row in self._read() if row.plays(self._asked) and row.id not in self.bots]:
            for row in new:
                await self.load(row, sandbox)

    async def load(self, row: BotRow, sandbox: Sandbox) -> None:
        """Make a bot ready to play, or bench it if that fails or it is no longer what was added."""
        self.loading.add(row.id)
        try:
            bot = self._home.bot(row)
            await trio.to_thread.run_sync(check_contents, bot, replace(row.contents, built=""))
            limits = self._home.settings().build
            bot = await built(bot, sandbox, self._home.builds, limits, self._tell_of_build, Cache.of_user())
            image = await sandbox.prepare(bot.program)
            check_image(row.contents, image)
        except (BotError, CellError) as error:  # it could be loaded when it was added
            self.bench(row.id, str(error))
        else:
            if image and not row.contents.image:
                self._store.set_image(row.id, image)
            contents = replace(row.contents, image=image, built=bot.contents.built)
            self.bots[row.id] = replace(bot, contents=contents)
        finally:
            self.loading.discard(row.id)

    def _tell_of_build(self, name: str) -> None:
        self._listener.happened(Happening("build", say("run.building", bot=name)))

    def changes(self) -> tuple[list[int], list[BotRow]]:
        """Bots that may no longer play, and bots to load. Reads the states every `LOOK_EVERY` seconds; empty in between.

        A version that is replaced plays until the newer ones are loaded.
        """
        gone: list[int] = []
        new: list[BotRow] = []
        if time.monotonic() - self._looked >= LOOK_EVERY:
            self._looked = time.monotonic()
            before = dict(self._rows)
            rows = self._read()
            missing = {row.bot for row in rows if row.state == "active" and row.id not in self.bots}
            for row in rows:
                if row.plays(self._asked):
                    if row.id not in self.bots and before.get(row.id) != row:
                        new.append(row)
                elif row.id in self.bots and not (row.state == "older" and row.bot in missing):
                    gone.append(row.id)
            self.loading.update(row.id for row in new)
        return gone, new

    def _read(self) -> list[BotRow]:
        """All bots, as they are now."""
        rows = self._store.bots()
        self._rows = {row.id: row for row in rows}
        return rows

    def is_at_fault(self, seat: Seat) -> bool:
        """Bench the bot of a seat if it is at fault too often or costs too much. Returns whether it was benched."""
        if seat.bot not in self.bots or (reason := self._verdict(seat)) is None:
            return False
        self.bench(seat.bot, reason)
        return True

    def _verdict(self, seat: Seat) -> str | None:
        since = self._rows[seat.bot].judged_from
        reason = faults_verdict(self._store, seat.bot, since) if seat.fault is not None else None
        if reason is None and self.budget.exceeded_by(seat.decisions, seat):
            reason = self.budget.verdict(self._store, seat.bot, since)
        return reason

    def bench(self, bot: int, reason: str) -> None:
        """Bench a bot: it does not play until it is reinstated. One that was taken off meanwhile stays as it is."""
        if not self._store.bench(bot, reason):
            return
        self._looked = -inf  # an older version may play instead
        name = self.name(bot)
        text = say("run.benched", bot=name, reason=reason, quoted=shlex.quote(name))
        self._listener.happened(Happening("bench", text, {"bot": name}))
