"""A submission: fetched, copied, built, checked, tried, entered. Whatever stops it, nothing of it stays."""

import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.bots.load import folder_of, load
from bullring.arena.cells.bots.snapshot import IGNORE
from bullring.arena.cells.building.build import built, key
from bullring.arena.cells.building.cache import Cache
from bullring.arena.cells.building.shelf import Shelf
from bullring.arena.cells.files.hash import short
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.cells.sandbox.choice import open_sandbox, told_of
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.sayings import counted
from bullring.arena.match.checking.check import check
from bullring.arena.match.checking.result import Result
from bullring.arena.settings.settings import Settings
from bullring.arena.watching.display.text import size_text
from bullring.errors import BotError, BuildFailure, CellError, LadderError, Refusal, first_error
from bullring.ladder.store.add import Arrival, copied, enter, same_version, written
from bullring.ladder.store.arrival import arriving
from bullring.ladder.store.home import Home
from bullring.ladder.store.names import check_name
from bullring.ladder.store.rows import BotRow
from bullring.ladder.store.store import Store
from bullring.ladder.submit.sources import IMAGE, command_of, fetch
from bullring.ladder.submit.trial import trial, trial_game

SHOWN = 4
"""Most paths named of what was left out."""

LOG_LINES = 30
"""Lines of the log of a build that failed."""


@dataclass(frozen=True)
class Step:
    """A step that is done. Its texts hold what strangers wrote, so they are not safe for a terminal."""

    name: str
    """"manifest", "files", "contents", "build", "check", "match" or "entered"."""
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    """The same for programs."""


Tell = Callable[[Step], None]
"""Called when a step is done."""


@dataclass(frozen=True)
class Wanted:
    """The request of a submission."""

    text: str
    """The bot, as in `sources`."""
    name: str | None = None
    """Its name on the ladder, instead of its own."""
    run: str = ""
    """The command of an image."""
    retire: bool = False
    """Whether its earlier versions are retired."""
    checked: bool = True
    """Whether it is checked (`arena.match.checking`) before its trial match."""


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
    settings = home.settings()
    image = wanted.text.removeprefix(IMAGE) if wanted.text.startswith(IMAGE) else ""
    if image and not wanted.run:
        wanted = replace(wanted, run=await command_of(image))
    with arriving(home, store) as folder:
        submission = _Submission(home, store, wanted, settings, folder, tell)
        arrival = await trio.to_thread.run_sync(submission.take)
        if (before := submission.known(arrival)) is not None:
            return Submitted(before, is_new=False)
        try:
            async with open_sandbox(wish, Owner(hidden=(home.path,))) as sandbox:
                tell(Step("sandbox", told_of(sandbox), {"tier": sandbox.tier.name}))
                if image and not sandbox.tier.takes_images:
                    fit = " or ".join(name for name, tier in TIERS.items() if tier.takes_images)
                    raise BotError(f"{wanted.text} plays in containers only; add --sandbox {fit}, also to ladder run")
                arrival = await submission.build(arrival, sandbox)
                try:
                    await sandbox.prepare(arrival.bot.program)
                except CellError as error:
                    raise Refusal(str(error)) from None
                if wanted.checked:
                    await submission.check(arrival.bot, sandbox)
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
        self._folder = folder
        self._tell = tell
        self._builds = folder / "builds"
        """The folder in which it is built."""

    def take(self) -> Arrival:
        """Copy the bot's files. Runs in a thread, because it may take a while."""
        wanted, settings = self._wanted, self._settings
        rows = self._rows
        fetched = fetch(wanted.text, wanted.run, self._folder, settings)
        bot = load(wanted.text if fetched is None else str(fetched.folder))
        check_name(self._name(bot), rows)
        settings.admit(bot)
        if fetched is None:
            self._say("manifest", "none: a command line", {"manifest": False})
            arrival = written(self._folder, wanted.text, settings)
            self._say(
                "files", "not copied, so the table says that they are not fixed; a folder with a bot.toml is copied", {}
            )
            return arrival
        runs = " ".join(bot.program.command)
        self._say("manifest", f"{bot.name!r}, runs {runs}", {"name": bot.name, "run": list(bot.program.command)})
        arrival = copied(self._home, self._folder, fetched.folder, settings, fetched.told)
        self._say_files(arrival, fetched.commit)
        hash = arrival.bot.contents.hash
        self._say("contents", f"sha256 {short(hash)}", {"hash": hash})
        return arrival

    def known(self, arrival: Arrival) -> BotRow | None:
        """The version of this bot that has the same files; None if there is none."""
        return same_version(self._store.bots(), self._name(arrival.bot), arrival)

    def _name(self, bot: Bot) -> str:
        return bot.name if self._wanted.name is None else self._wanted.name

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
            ready = await built(bot, sandbox, builds, limits, begun.append, Cache.of_user())
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
            lines = [*_lines(failed)]
            if folder_of(self._wanted.text) is not None:
                lines.append(f"before you submit it again: bullring check {shlex.quote(self._wanted.text)}")
            raise Refusal(
                f"it failed {len(failed)} of {counted(len(results), 'step')} of the check",
                tuple(lines),
                {"check": facts},
            )
        self._say("check", f"{counted(len(results), 'step')} in {seconds:.1f} s", facts)

    async def play(self, bot: Bot, sandbox: Sandbox) -> None:
        """Play a match of the bot against copies of itself. Raises `Refusal`."""
        game = trial_game(self._store)
        began = time.monotonic()
        await trial(bot, game, self._settings, sandbox)
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

    @property
    def _rows(self) -> list[BotRow]:
        """The bots of the ladder. Asked for in a thread, so the store is opened there."""
        with closing(self._home.store(read_only=True)) as store:
            return store.bots()

    def _say_files(self, arrival: Arrival, commit: str) -> None:
        left = arrival.snapshot.left_out if arrival.snapshot else ()
        text = f"{counted(arrival.files, 'file')}, {size_text(arrival.size)}"
        if commit:
            text += f" of commit {commit[:12]}, without uncommitted changes"
        if left:
            named = ", ".join(f"{one.path} ({size_text(one.size)})" for one in left[:SHOWN])
            more = f" and {len(left) - SHOWN} more" if len(left) > SHOWN else ""
            text += f"; left out: {named}{more}"
            if arrival.snapshot and arrival.snapshot.by_default:
                text += f" (by default: a {IGNORE} in the folder decides otherwise)"
        facts = [{"path": one.path, "size": one.size, "files": one.files} for one in left]
        self._say("files", text, {"files": arrival.files, "size": arrival.size, "commit": commit, "left_out": facts})

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
