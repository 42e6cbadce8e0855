"""Build a bot, or find what was built before."""

from collections.abc import Callable
from pathlib import Path

from bullring.arena.bots.bot import Bot
from bullring.arena.building.limits import BuildLimits
from bullring.arena.sandbox.cell import Sandbox

Told = Callable[[str], None]
"""Called with one line for people when a build begins: "building NAME ..."."""


async def built(bot: Bot, sandbox: Sandbox, builds: Path, limits: BuildLimits, told: Told = lambda _: None) -> Bot:
    """Return the bot ready to be started: itself if it has no `build`, else one whose folder is the built copy in `builds`.

    Waits while another process builds the same. Raises `BuildFailure` if the build fails, `BotError` if the folder cannot be used,
    and `HostError` if the machine fails.
    """
    if not bot.build:
        return bot
    raise NotImplementedError
