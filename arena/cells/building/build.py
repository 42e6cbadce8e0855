"""Build a bot, or find what was built before."""

import hashlib
import json
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import trio

from bullring.arena.cells.bots import snapshot
from bullring.arena.cells.bots.bot import AS_IT_IS, MANIFEST, Bot
from bullring.arena.cells.bots.load import must_exist
from bullring.arena.cells.building import cell
from bullring.arena.cells.building.cache import Cache
from bullring.arena.cells.building.fetch import complete
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.building.room import unwritable
from bullring.arena.cells.building.shelf import Card, Shelf, boot
from bullring.arena.cells.building.stock import Handover, Stock
from bullring.arena.cells.building.toolchain import machine, toolchain
from bullring.arena.cells.files.measure import below
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.cells.sandbox.program import DOCKERFILE
from bullring.arena.cells.text.doing import doing
from bullring.arena.cells.text.harmless import harmless_lines
from bullring.errors import BotError, BuildFailure, CellError, HostError

FORMAT = 1
"""Increase it when the same build would make something else."""

SHARE = 4
"""The part of what a build may write that it may leave for the next one: it begins with that much less room."""

END = 4096
"""Characters of the log's end that a `BuildFailure` carries."""

Told = Callable[[str], None]
"""Called with the name of a bot before a build that may take a while."""


async def built(
    bot: Bot,
    sandbox: Sandbox,
    builds: Path,
    limits: BuildLimits,
    told: Told = lambda _: None,
    cache: Cache | None = None,
    origin: Path | None = None,
) -> Bot:
    """Return the bot ready to be started: itself if it has no `build`, else one whose folder is the built copy in `builds`.

    What is not there is copied from the `cache`, or built from nothing and copied to it. `origin` is the folder by which the author
    knows the bot, if this is a copy. A bot with an image of its own is built by that, in tiers that take images. Waits while
    somebody else builds the same. Raises `BuildFailure` if the build fails, `BotError` if the folder cannot be used, and
    `HostError` if the machine fails.
    """
    if _is_ready(bot, sandbox):
        return replace(bot, build=())
    source = await trio.to_thread.run_sync(snapshot.hash_of, bot.program.folder, limits.folder)
    shelf = Shelf(builds / key(source, bot.build, limits))
    card = await trio.to_thread.run_sync(shelf.take)
    if card is not None:
        return _ready(bot, shelf.bot, card.built)
    async with shelf.locked():
        card = await trio.to_thread.run_sync(shelf.take)  # somebody else may have built it meanwhile
        spare = await trio.to_thread.run_sync(_spare, cache, bot, origin, source, limits) if card is None else None
        for each in spare.all if spare is not None else ():
            card = card or await trio.to_thread.run_sync(shelf.take_from, each)
        if card is None:
            told(bot.name)
            card = await _build(bot, source, shelf, sandbox, limits, origin=origin)
            if spare is not None:
                with suppress(HostError):  # a home needs no cache
                    async with spare.cold.locked():
                        if spare.cold.card() is None:
                            await trio.to_thread.run_sync(spare.cold.take_from, shelf)
    return _ready(bot, shelf.bot, card.built)


async def built_in_cache(
    bot: Bot,
    origin: Path | None,
    sandbox: Sandbox,
    cache: Cache,
    limits: BuildLimits,
    told: Told = lambda _: None,
) -> Bot:
    """As `built`, in the cache itself: what this toolchain makes of it, from what earlier builds left.

    `origin` is the folder that its author works in, by which it is known, and of which this may be a copy. Without one, as of an
    unpacked archive, nothing tells whose the bot is, so it is built from nothing.
    """
    if _is_ready(bot, sandbox):
        return replace(bot, build=())
    source = await trio.to_thread.run_sync(snapshot.hash_of, bot.program.folder, limits.folder)
    try:
        with_ = await trio.to_thread.run_sync(toolchain, bot.build, bot.program.folder)
    except CellError as error:
        before = await trio.to_thread.run_sync(_built_before, cache, bot, origin, source, limits)
        if before is not None and (card := await trio.to_thread.run_sync(before.take)) is not None:
            return _ready(bot, before.bot, card.built)
        raise _cannot_start(bot, error) from None
    await trio.to_thread.run_sync(cache.open)
    places = _Places.of(cache, bot, origin, source, limits, with_)
    for shelf in places.all:
        if (card := await trio.to_thread.run_sync(shelf.take)) is not None:
            return _ready(bot, shelf.bot, card.built)
    shelf = places.next
    async with shelf.locked():
        card = await trio.to_thread.run_sync(shelf.take)
        if card is None:
            told(bot.name)
            card = await _build(
                bot, source, shelf, sandbox, limits, places.stock, origin, from_nothing=shelf is places.cold
            )
    return _ready(bot, shelf.bot, card.built)


@dataclass(frozen=True)
class _Places:
    """Where a build is kept in the cache of a user.

    What a build makes of a stock is that of one bot alone: an earlier build of other sources may have made the stock what it is. So
    only what was made from nothing is for everybody who has these sources.
    """

    cold: Shelf
    """Of builds from nothing."""
    stock: Stock | None = None
    warm: Shelf | None = None
    """Of builds from that stock."""

    @classmethod
    def of(
        cls, cache: Cache, bot: Bot, origin: Path | None, source: str, limits: BuildLimits, toolchain: str
    ) -> "_Places":
        cold = Shelf(cache.builds / key(source, bot.build, limits, toolchain))
        if origin is None:
            return cls(cold)
        stock = Stock.of(bot.name, origin, toolchain, limits, cache.stocks)
        return cls(cold, stock, Shelf(cache.builds / key(source, bot.build, limits, toolchain, stock.name)))

    @property
    def next(self) -> Shelf:
        """The one for what would be built now."""
        return self.warm if self.warm is not None and self.stock is not None and self.stock.exists() else self.cold

    @property
    def all(self) -> list[Shelf]:
        return [self.cold] if self.warm is None else [self.cold, self.warm]


def key(source: str, command: tuple[str, ...], limits: BuildLimits, toolchain: str = "", stock: str = "") -> str:
    """The key of a build: a hash of everything known that its result depends on.

    The `toolchain`, and the `stock` that it began with, only in the cache of a user: at a home, a bot that was built once stays
    until its build is removed. Not the tier and not the other limits: they decide whether a build succeeds.
    """
    facts = [FORMAT, source, command, limits.network, machine(), *filter(None, (toolchain, stock))]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]


def _is_ready(bot: Bot, sandbox: Sandbox) -> bool:
    """Whether nothing is to be built, or its image does that."""
    program = bot.program
    in_an_image = sandbox.tier.takes_images and (program.image or (program.folder / DOCKERFILE).is_file())
    return not bot.build or bool(in_an_image)


def _spare(cache: Cache | None, bot: Bot, origin: Path | None, source: str, limits: BuildLimits) -> _Places | None:
    """Where the same build is in the cache of the user, if that can be used."""
    if cache is None:
        return None
    try:
        with_ = toolchain(bot.build, bot.program.folder)
        cache.open()
    except CellError:
        with suppress(HostError):
            before = _built_before(cache, bot, origin, source, limits)
            return None if before is None else _Places(before)
        return None
    except HostError:
        return None
    return _Places.of(cache, bot, origin, source, limits, with_)


def _built_before(cache: Cache, bot: Bot, origin: Path | None, source: str, limits: BuildLimits) -> Shelf | None:
    """Where the same was built by a toolchain that is gone since; None if it was not. Raises `HostError`."""
    cache.open()
    wanted = (source, bot.build, machine(), limits.network)
    for path in sorted(cache.builds.iterdir()):
        card = Shelf(path).card()
        if card is None or (card.source, card.command, card.machine, card.network) != wanted:
            continue
        if not card.warm or card.folder == str(origin):
            return Shelf(path)
    return None


def _cannot_start(bot: Bot, error: CellError) -> BuildFailure:
    hint = "" if "/" in bot.build[0] else "; `bullring languages` says what there is and how to get the rest"
    return BuildFailure(f"the build of {bot.name} cannot be started: {error}{hint}")


async def _build(
    bot: Bot,
    source: str,
    shelf: Shelf,
    sandbox: Sandbox,
    limits: BuildLimits,
    stock: Stock | None = None,
    origin: Path | None = None,
    *,
    from_nothing: bool = True,
) -> Card:
    """Build on a shelf whose lock is held, and leave a stock if one is named.

    Whatever happens, only a finished build and a log stay on the shelf.
    """
    began = time.monotonic()
    handover: Handover | None = None
    try:
        await trio.to_thread.run_sync(shelf.begin, bot.name, origin or bot.program.folder)
        taken = await trio.to_thread.run_sync(snapshot.take, bot.program.folder, shelf.source, limits.folder)
        if taken.hash != source:
            raise BotError(f"{bot.program.folder} changed while it was read; try again while nothing writes to it")
        if bot.lacks:
            await complete(bot, shelf.source, sandbox, limits)
        if stock is not None:
            handover = Handover(stock, None if from_nothing else shelf.given, shelf.left, limits.disk // SHARE)
        try:
            with doing(f"{'copying' if bot.build == AS_IT_IS else 'building'} {bot.name}") as work:
                outcome = await cell.build(bot.build, shelf.source, shelf.work, sandbox, limits, handover, work=work)
        except CellError as error:
            raise _cannot_start(bot, error) from None
        if handover is not None:
            await trio.to_thread.run_sync(partial(handover.settle, failed=bool(outcome.why)))
        log = harmless_lines(outcome.log)
        shelf.log.write_text(log, "utf-8")
        why = outcome.why or _makes_dockerfile(bot, shelf.work) or _lacks_program(bot, shelf.work)
        if why:
            raise BuildFailure(f"the build of {bot.name} {why}", log=log[-END:], log_path=str(shelf.log))
        size = await trio.to_thread.run_sync(_size, shelf.work)
        seconds = round(time.monotonic() - began, 1)
        card = Card(
            *(outcome.hash, source, bot.build, machine(), limits.network, seconds, size, boot()),
            bot=bot.name,
            folder=str(origin or bot.program.folder),
            warm=handover is not None and handover.given is not None,
        )
        shelf.put(card)
    except OSError as error:
        raise unwritable(error, shelf.path) from None
    finally:
        shelf.end()
    return card


def _ready(bot: Bot, folder: Path, built: str) -> Bot:
    program = replace(bot.program, folder=folder)
    return replace(bot, program=program, build=(), contents=replace(bot.contents, built=built))


def _makes_dockerfile(bot: Bot, folder: Path) -> str:
    """The reason to refuse a built Dockerfile, in words that follow "the build": containers would build the bot by it again."""
    if (folder / DOCKERFILE).is_file() and not (bot.program.folder / DOCKERFILE).is_file():
        return f"made a {DOCKERFILE}, by which containers would build the bot again; put it into the bot's folder or remove it"
    return ""


def _lacks_program(bot: Bot, folder: Path) -> str:
    """The reason why the built bot cannot be started, in words that follow "the build"; empty if it can."""
    try:
        must_exist(_ready(bot, folder, ""), f"but `run` in its {MANIFEST} cannot be started")
    except BotError as error:
        return f"succeeded, {str(error).replace(f'{folder}/', '')}"
    return ""


def _size(folder: Path) -> int:
    """Bytes of all files in a folder of ours."""
    return sum(found.st_size for found in below(folder, cell.MOST_FILES) if not stat.S_ISDIR(found.st_mode))
