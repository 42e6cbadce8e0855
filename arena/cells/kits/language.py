"""The language of a bot, guessed from its files: for advice only."""

import os
import re
from collections import Counter
from contextlib import suppress

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.kits.kit import Kit, kits

_SUFFIX = re.compile(r"\.\w+$")

_ENOUGH = 200
"""Names that are looked at."""


def kit_of(bot: Bot) -> Kit | None:
    """The kit whose strategy ends as most of the files do that the bot is built of or runs, or else that are in its folder."""
    by_ending = {_ending(declared.kit.strategy): declared.kit for declared in kits().values()}
    for names in (() if bot.build else bot.program.command, _names(bot), bot.program.command):
        found = Counter(ending for name in names if (ending := _ending(name)) in by_ending)
        if found:
            return by_ending[found.most_common(1)[0][0]]
    return None


def clock_remedy(bot: Bot) -> str:
    """What the author of a bot that counts plain time should call, in its language."""
    kit = kit_of(bot)
    call = (kit and kit.clock) or "clock_gettime(CLOCK_PROCESS_CPUTIME_ID)"
    return f"measure your thinking by {call}, not by plain time, where the welcome says clock: core (SPEC.md#clocks)"


def _names(bot: Bot) -> list[str]:
    names: list[str] = []
    with suppress(OSError):
        for _, _, files in os.walk(bot.program.folder):
            names += files
            if len(names) > _ENOUGH:
                break
    return names[:_ENOUGH]


def _ending(name: str) -> str:
    found = _SUFFIX.search(name)
    return found.group() if found else ""
