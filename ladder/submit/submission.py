"""A submission: taken, built, checked, tried, entered. Whatever stops it, nothing of it stays."""

import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.bots.builtin import is_builtin
from bullring.arena.cells.building.build import built, key
from bullring.arena.cells.building.cache import Cache
from bullring.arena.cells.building.fetch import complete
from bullring.arena.cells.building.shelf import Shelf
from bullring.arena.cells.files.hash import short
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.cells.text.doing import doing
from bullring.arena.games.rules.sayings import counted
from bullring.arena.match.checking.check import check
from bullring.arena.match.checking.result import Result
from bullring.arena.settings.settings import Settings
from bullring.arena.watching.display.text import fault_lines, size_text
from bullring.errors import BotError, BuildFailure, CellError, LadderError, Refusal, first_error
from bullring.ladder.store.add import Arrival, completed, enter, same_version
from bullring.ladder.store.arrival import arriving
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import BotRow
from bullring.ladder.store.store import Store
from bullring.ladder.submit.candidate import Step, Tell, Wanted, opened, taken
from bullring.ladder.submit.trial import trial, trial_game

LOG_LINES = 30
"""Lines of the log of a build that failed."""


@dataclass(frozen=True)
class Submitted:
    """The result of a submission."""

    row: BotRow
    is_new: bool
    """False if this bot was submitted with the same files before: then nothing has changed."""


async def submit(home: Home, store: Store, wanted: Wanted, wish: Wish, tell: Tell) -> Submitted:
    """Bring a bot onto the ladder, step by step. `tell` is called after each step.

    Raises `Refusal` and `BuildFailure` for a bot that does not stand its trial, `BotError`, `LadderError`, `StoreError`,
    `SandboxError`, `HostError`.
    """
    with doing(f"submitting {wanted.text}"):
        return await _submit(home, store, wanted, wish, tell)


async def _submit(home: Home, store: Store, wanted: Wanted, wish: Wish, tell: Tell) -> Submitted:
    settings = home.settings()

    with arriving(home, store) as folder:
        submission = _Submission(home, store, wanted, settings, folder, tell)
        with doing("copying its files"):
            arrival = await taken(wanted, folder, settings, tell, home.entered)
        if (before := submission.known(arrival)) is not None:
            return Submitted(before, is_new=False)
        try:
            async with opened(wanted, wish, Owner(hidden=(home.path,)), tell) as sandbox:
                arrival = await submission.fetch(arrival, sandbox)
                if (before := submission.known(arrival)) is not None:
                    return Submitted(before, is_new=False)
                arrival = await submission.build(arrival, sandbox)
                try:
                    with doing("preparing its start"):
                        await sandbox.prepare(arrival.bot.program)
                except CellError as error:
                    raise Refusal(str(error)) from None
                if wanted.checked:
                    await submission.check(arrival.bot, sandbox)
                # The arena's own bots are tried by its tests, and a match of four copies of @strong takes half a minute.
                if wanted.checked or arrival.origin is None or not is_builtin(arrival.origin):
                    await submission.play(arrival.bot, sandbox)
        except BaseExceptionGroup as group:
            raise first_error(group) from None
        try:
            return Submitted(submission.enter(arrival), is_new=True)
        except LadderError:
            if (before := submission.known(arrival)) is not None:  # another submission was quicker
                return Submitted(before, is_new=False)
            raise


class _Submission:
    """The steps of a submission."""

    def __init__(self, home: Home, store: Store, wanted: Wanted, settings: Settings, folder: Path, tell: Tell) -> None:
        self._home = home
        self._store = store
        self._wanted = wanted
        self._settings = settings
        self._tell = tell
        self._builds = folder / "builds"
        """The folder in which it is built."""

    def known(self, arrival: Arrival) -> BotRow | None:
        """The version of this bot that has the same files; None if there is none."""
        name = arrival.bot.name if self._wanted.name is None else self._wanted.name
        return same_version(self._store.bots(), name, arrival)

    async def fetch(self, arrival: Arrival, sandbox: Sandbox) -> Arrival:
        """Add the packages that the bot declares and does not bring to the copy of its folder."""
        if not arrival.bot.lacks:
            return arrival
        began = time.monotonic()
        try:
            kinds = await complete(arrival.bot, arrival.path, sandbox, self._settings.build)
        except BotError as error:
            log = error.log.splitlines()[-LOG_LINES:] if isinstance(error, BuildFailure) else ()
            raise Refusal(str(error), tuple(log)) from None
        arrival = await trio.to_thread.run_sync(completed, arrival, self._settings)
        seconds = time.monotonic() - began
        hash = arrival.bot.contents.hash
        text = (
            f"{' and '.join(kinds)}, in {seconds:.1f} s; with them {counted(arrival.files, 'file')},"
            f" {size_text(arrival.size)}, sha256 {short(hash)}"
        )
        self._say("packages", text, {"kinds": kinds, "seconds": round(seconds, 2), "hash": hash})
        return arrival

    async def build(self, arrival: Arrival, sandbox: Sandbox) -> Arrival:
        """Build the bot, or take what was built of the same files before, here or in the cache of the user."""
        bot = arrival.bot
        if not bot.build:
            self._say("build", "nothing to build", {"build": False})
            return arrival
        began = time.monotonic()
        limits = self._settings.build
        kept = Shelf(self._home.builds / key(bot.contents.hash, bot.build, limits))
        at_home = await trio.to_thread.run_sync(kept.take) is not None
        begun: list[str] = []
        builds = self._home.builds if at_home else self._builds
        try:
            ready = await built(bot, sandbox, builds, limits, begun.append, Cache.of_user(), arrival.origin)
        except BuildFailure as failure:
            lines = failure.log.splitlines()[-LOG_LINES:]
            if not limits.network:
                lines.append("(a build has no network here; what it needs must be in the folder)")
            raise Refusal(str(failure), tuple(lines)) from None
        seconds = time.monotonic() - began
        card = Shelf(ready.program.folder.parent).card()
        warm = card is not None and card.warm
        text = f"{' '.join(bot.build)} took {seconds:.1f} s"
        if not begun:
            text = f"the same was built before{', with what earlier builds had left' if warm else ''}"
        facts = {"build": list(bot.build), "seconds": round(seconds, 2), "cached": not begun, "warm": warm}
        self._say("build", text, facts)
        return replace(arrival, bot=ready)

    async def check(self, bot: Bot, sandbox: Sandbox) -> None:
        """Check that the bot does what SPEC.md says. Raises `Refusal`."""
        began = time.monotonic()
        results = await check(bot, sandbox, self._settings.limits)
        seconds = time.monotonic() - began
        failed = [result for result in results if result.failed]
        facts = {"steps": [result.facts() for result in results], "seconds": round(seconds, 2)}
        if failed:
            lines = [*_lines(failed), f"before you submit it again: {self._again()}"]
            raise Refusal(
                f"it failed {len(failed)} of {counted(len(results), 'step')} of the check",
                tuple(lines),
                {"check": facts},
            )
        self._say("check", f"{counted(len(results), 'step')} in {seconds:.1f} s", facts)
        for result in results:
            if result.remedy:
                self._say("advice", f"{result.title}: {result.remedy}", {})

    def _again(self) -> str:
        """The command that checks it as it was checked here."""
        words = ["bullring", "check", self._wanted.text]
        if self._wanted.run:
            words += ["--run", self._wanted.run]
        return shlex.join([*words, "--home", str(self._home.path)])

    async def play(self, bot: Bot, sandbox: Sandbox) -> None:
        """Play a match of the bot against copies of itself. Raises `Refusal`."""
        game = trial_game(self._store)
        began = time.monotonic()
        fault = await trial(bot, game, self._settings, sandbox)
        if fault is not None:
            raise Refusal(
                f"in a match against copies of itself ({game.id}, {game.seats} seats) it had a fault, {fault.kind.value}:"
                f" expected {fault.expected}; got {fault.got}",
                tuple(fault_lines(bot.name, fault.facts())),
            )
        seconds = time.monotonic() - began
        text = f"{game.seats} copies played {game.id} without a fault in {seconds:.1f} s"
        self._say("match", text, {"game": game.id, "seats": game.seats, "seconds": round(seconds, 2)})

    def enter(self, arrival: Arrival) -> BotRow:
        """Enter it into the store, and keep what was built for the first run."""
        row = enter(self._home, self._store, arrival, self._wanted.name, retire=self._wanted.retire)
        if self._builds.is_dir():
            self._home.builds.mkdir(mode=0o700, exist_ok=True)
            for shelf in self._builds.iterdir():
                if not (self._home.builds / shelf.name).exists():  # otherwise a run was quicker
                    shelf.rename(self._home.builds / shelf.name)
        state = "retired" if self._wanted.retire else "older"
        replaced = [one.name for one in self._store.bots() if one.bot == row.bot and one.state == state]
        more = f"; it replaces {', '.join(replaced)}" if replaced else ""
        self._say("entered", f'"{row.name}", version {row.version} of "{row.bot}"{more}', {"bot": row.name})
        return row

    def _say(self, name: str, text: str, facts: Mapping[str, Any]) -> None:
        self._tell(Step(name, text, facts))


def _lines(failed: Sequence[Result]) -> Iterator[str]:
    """Describe what failed, with remedies, and the messages of the first."""
    for result in failed:
        yield f"{result.title}: {result.found}"
        if result.remedy:
            yield f"  remedy: {result.remedy}"
    for title, lines in (("its last messages", failed[0].traffic), ("its stderr", failed[0].stderr.splitlines()[-10:])):
        if lines:
            yield f"{title}:"
            yield from (f"| {line[:300]}" for line in lines)
