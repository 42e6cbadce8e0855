"""The roster: loads and benches bots, which may be added, removed and reinstated while the ladder runs."""

import shlex
import time
from dataclasses import replace

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.bots.contents import check_contents, check_image
from bullring.arena.cells.building.build import built
from bullring.arena.cells.sandbox.cell import Sandbox
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

    def __init__(self, home: Home, store: Store, listener: Listener) -> None:
        self.bots: dict[int, Bot] = {}
        """The bots that may play now, by id."""
        self.budget = Budget(Limits())
        """The budget of a match."""
        self._home = home
        self._store = store
        self._listener = listener
        self._rows: dict[int, BotRow] = {}
        self._looked = time.monotonic()

    def name(self, bot: int) -> str:
        """The name of a bot, whether or not it plays."""
        return self._rows[bot].name

    async def load_all(self, sandbox: Sandbox) -> None:
        """Load all active bots."""
        for row in self._store.bots():
            self._rows[row.id] = row
            if row.state == "active":
                await self.load(row, sandbox)

    async def load(self, row: BotRow, sandbox: Sandbox) -> None:
        """Make a bot ready to play, or bench it if that fails or it is no longer what was added."""
        try:
            bot = self._home.bot(row)
            await trio.to_thread.run_sync(check_contents, bot, replace(row.contents, built=""))
            bot = await built(bot, sandbox, self._home.builds, self._home.settings().build, self._tell_of_build)
            image = await sandbox.prepare(bot.program)
            check_image(row.contents, image)
        except (BotError, CellError) as error:  # it could be loaded when it was added
            self.bench(row.id, str(error))
        else:
            if image and not row.contents.image:
                self._store.set_image(row.id, image)
            contents = replace(row.contents, image=image, built=bot.contents.built)
            self.bots[row.id] = replace(bot, contents=contents)

    def _tell_of_build(self, text: str) -> None:
        self._listener.happened(Happening("build", text))

    def changes(self) -> tuple[list[int], list[BotRow]]:
        """Bots that may no longer play, and bots to load. Reads the states every `LOOK_EVERY` seconds; empty in between."""
        gone: list[int] = []
        new: list[BotRow] = []
        if time.monotonic() - self._looked >= LOOK_EVERY:
            self._looked = time.monotonic()
            for row in self._store.bots():
                if row.state != "active" and row.id in self.bots:
                    gone.append(row.id)
                elif row.state == "active" and row.id not in self.bots and self._rows.get(row.id) != row:
                    new.append(row)
                self._rows[row.id] = row
        return gone, new

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
        name = self.name(bot)
        text = f"{name} is benched: {reason} (undo: bullring bots reinstate {shlex.quote(name)})"
        self._listener.happened(Happening("bench", text, {"bot": name}))
