"""The page about the built-in bots and their ratings."""

from collections.abc import Mapping
from typing import Any

from bullring.arena.cells.bots import builtin
from docgen.tables import table

_INTRO = """\
Wherever a command takes a bot, `@NAME` is one that comes with Bullring: `bullring match @casual @greedy my-bot --watch`.

Ratings are Elo by the places of one deal, with `@greedy` fixed at 1500; intervals are those of the difference to `@greedy`. A bot
that is 100 Elo stronger finishes ahead in 64 % of the deals, with ties counted as halves. Heads are per deal, as a linear model
expects them against average rivals of that table. A ranking holds only for the table where it was measured. Bots that search until
their time is used, as their median times show, are rated at the limit in the title, and are weaker with less time or on a slower
machine; the others play alike everywhere."""


def page() -> str:
    """The page: a line about each bot, and one table for each kind of table at which they were rated."""
    about = table(("bot", "language", "what it does"), [_about(name) for name in _by_rating()])
    return "\n\n".join([_INTRO, about, *map(_rated, builtin.rated_tables())])


def _by_rating() -> list[str]:
    rated = {name: builtin.rating(name) for name in builtin.names()}
    return sorted(rated, key=lambda name: -(found.elo if (found := rated[name]) else 0))


def _about(name: str) -> tuple[str, str, str]:
    manifest = builtin.manifest(name)
    return f"`@{name}`", manifest.language, manifest.about


def _rated(one: Mapping[str, Any]) -> str:
    head = f"## `{one['game']}`, {one['seats']} seats, {one['limit']}"
    titles = ("bot", "rating", "± 95 %", "heads", "± 95 %", "median ms", "matches")
    rows = [
        (
            f"`@{name}`",
            f"{bot['rating']}",
            f"{bot['error']}" if bot["error"] else "fixed",
            f"{bot['heads']:.1f}",
            f"{bot['heads_error']:.1f}",
            f"{bot['median_ms']:.1f}",
            f"{bot['matches']}",
        )
        for name, bot in sorted(one["bots"].items(), key=lambda item: -item[1]["rating"])
    ]
    return f"{head}\n\n{table(titles, rows)}\n\nMade by `{one['command']}` ({one['date']})."
