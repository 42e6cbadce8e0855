"""Results of matches, and the games that there are."""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.game import Game
from bullring.arena.watching.display.columns import Column, digits, name_text, percent, table_of, tally

BOT: Column[Mapping[str, Any]] = Column(
    "bot", "tables.result.bot", lambda row: row["bot"], name_text, left=True, least=13
)

RESULT: tuple[Column[Mapping[str, Any]], ...] = (
    Column("rank", "tables.result.place", lambda seat: seat["place"]),
    Column("seat", "tables.result.seat", lambda seat: seat["seat"]),
    BOT,
    Column("score", "tables.result.heads", lambda seat: seat["score"]),
    Column("start_ms", "tables.result.hello", lambda seat: seat["start_ms"], digits(0)),
    Column("count", "tables.result.asked", lambda seat: seat["decisions"]["count"]),
    Column("median_ms", "tables.result.median", lambda seat: seat["decisions"]["median_ms"], digits(2)),
    Column("p99_ms", "tables.result.p99", lambda seat: seat["decisions"]["p99_ms"], digits(2)),
    Column("max_ms", "tables.result.max", lambda seat: seat["decisions"]["max_ms"], digits(2)),
    Column("faults", "tables.result.faults", lambda seat: len(seat["faults"]), tally),
)
"""Columns of the result of one match. A row is a seat of `Report.facts`, with its place or "void"."""

SUMMARY: tuple[Column[Mapping[str, Any]], ...] = (
    BOT,
    Column("matches", "tables.summary.matches", lambda bot: len(bot["scores"])),
    Column("heads", "tables.result.heads", lambda bot: fmean(bot["scores"]), digits(2)),
    Column("error", "tables.summary.error", lambda bot: _error(bot["scores"]), digits(2)),
    Column("rank", "tables.result.place", lambda bot: fmean(bot["ranks"]), digits(2)),
    Column("wins", "tables.summary.wins", lambda bot: fmean(bot["wins"]), percent),
    Column(
        "median_ms", "tables.summary.median", lambda bot: fmean(bot["medians"]) if bot["medians"] else None, digits(2)
    ),
    Column("faults", "tables.result.faults", lambda bot: bot["faults"], tally),
)
"""Columns of the results of many matches. A row has the figures of a bot in each."""


def result_table(facts: dict[str, Any]) -> Table:
    """The result of one match, from `Report.facts`, best seat first. All times are in milliseconds.

    The caption says which seats are last because they were closed, since their heads may be fewer than those of others.
    """
    seats = sorted(facts["seats"], key=lambda seat: (seat["rank"] or 0, seat["seat"]))
    table = table_of(
        RESULT, [{**seat, "place": say("tables.result.void") if facts["void"] else seat["rank"]} for seat in seats]
    )
    out = [harmless(seat["bot"], 24) for seat in facts["seats"] if any(fault["closed"] for fault in seat["faults"])]
    if out and not facts["void"]:
        table.caption = Text(say("tables.result.closed", names=", ".join(out)))
        table.caption_justify = "left"
    return table


def summary_table(bots: Sequence[str], matches: Sequence[dict[str, Any]]) -> Table:
    """The results of many matches between the same bots: mean heads with a 95 % interval, mean place, share of wins."""
    counted = [match for match in matches if not match["void"]]
    played = {bot: [seat for match in counted for seat in match["seats"] if seat["bot"] == bot] for bot in bots}
    rows = [
        {
            "bot": bot,
            "scores": [float(seat["score"]) for seat in seats],
            "ranks": [seat["rank"] for seat in seats],
            "wins": [sum(_won(match, seat) for seat in match["seats"] if seat["bot"] == bot) for match in counted],
            "medians": [seat["decisions"]["median_ms"] for seat in seats if seat["decisions"]["count"]],
            "faults": sum(len(seat["faults"]) for seat in seats),
        }
        for bot, seats in played.items()
        if seats
    ]
    return table_of(SUMMARY, sorted(rows, key=lambda row: fmean(row["scores"])))


def _won(match: dict[str, Any], seat: dict[str, Any]) -> float:
    """The share of a win: a win shared by n counts 1/n."""
    return 1 / sum(other["rank"] == 1 for other in match["seats"]) if seat["rank"] == 1 else 0


def _error(values: Sequence[float]) -> float | None:
    """Half of the 95 % interval of a mean."""
    return 1.96 * stdev(values) / sqrt(len(values)) if len(values) > 1 else None


def games_table(games: Iterable[type[Game[Any]]]) -> Table:
    """A table of games and their options."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for title in ("game", "seats", "summary", "options"):
        table.add_column(say(f"tables.games.{title}"), overflow="fold")
    for game in games:
        low, high = game.seat_range
        options = "\n".join(
            f"{spec.name}={say('tables.games.none') if spec.default is None else spec.default}"
            for spec in game.option_specs
        )
        names = "\n".join([game.id, *game.aliases])
        table.add_row(
            names, str(low) if low == high else f"{low}-{high}", wording(game).say("summary"), options.lower()
        )
    return table
