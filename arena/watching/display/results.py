"""Tables of match results and of games."""

from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.game import Game
from bullring.arena.watching.display.parts import columns, name_text


def result_table(facts: dict[str, Any]) -> Table:
    """The result of one match, from `Report.facts`, best seat first. All times are in milliseconds.

    The caption says which seats are last because they were closed, since their heads may be fewer than those of others.
    """
    table = columns("place", "seat", "bot", "heads", "hello\nms", "asked", "median\nms", "p99\nms", "max\nms", "faults")
    for seat in sorted(facts["seats"], key=lambda seat: (seat["rank"] or 0, seat["seat"])):
        timing = seat["decisions"]
        table.add_row(
            "void" if facts["void"] else str(seat["rank"]),
            str(seat["seat"]),
            name_text(harmless(seat["bot"])),
            str(seat["score"]),
            _number(seat["start_ms"], 0),
            str(timing["count"]),
            *(_number(timing[key], 2) for key in ("median_ms", "p99_ms", "max_ms")),
            str(len(seat["faults"])) if seat["faults"] else "",
        )
    out = [harmless(seat["bot"], 24) for seat in facts["seats"] if any(fault["closed"] for fault in seat["faults"])]
    if out and not facts["void"]:
        table.caption = Text(f"closed, and so last whatever the heads: {', '.join(out)}")
        table.caption_justify = "left"
    return table


def summary_table(bots: Sequence[str], matches: Sequence[dict[str, Any]]) -> Table:
    """The results of many matches between the same bots: mean heads with a 95 % interval, mean place, share of wins."""
    table = columns("bot", "matches", "heads", "± 95 %", "place", "wins", "median ms", "faults")
    counted = [match for match in matches if not match["void"]]
    rows: list[tuple[float, list[str | Text]]] = []
    for bot in bots:
        seats = [seat for match in counted for seat in match["seats"] if seat["bot"] == bot]
        if not seats:
            continue
        scores = [float(seat["score"]) for seat in seats]
        wins = sum(
            1 / sum(other["rank"] == 1 for other in match["seats"])
            for match in counted
            for seat in match["seats"]
            if seat["bot"] == bot and seat["rank"] == 1
        )
        medians = [seat["decisions"]["median_ms"] for seat in seats if seat["decisions"]["count"]]
        rows.append(
            (
                fmean(scores),
                [
                    name_text(harmless(bot)),
                    str(len(seats)),
                    _number(fmean(scores), 2),
                    _number(1.96 * stdev(scores) / sqrt(len(scores)) if len(scores) > 1 else None, 2),
                    _number(fmean(seat["rank"] for seat in seats), 2),
                    f"{100 * wins / len(counted):.1f} %",
                    _number(fmean(medians) if medians else None, 2),
                    str(sum(len(seat["faults"]) for seat in seats) or ""),
                ],
            )
        )
    for _, row in sorted(rows, key=lambda pair: pair[0]):
        table.add_row(*row)
    return table


def games_table(games: Iterable[type[Game[Any]]]) -> Table:
    """A table of games and their options."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for title in ("game", "seats", "what is different", "options"):
        table.add_column(title, overflow="fold")
    for game in games:
        low, high = game.seat_range
        options = "\n".join(
            f"{spec.name}={'none' if spec.default is None else spec.default}" for spec in game.option_specs
        )
        names = "\n".join([game.id, *game.aliases])
        table.add_row(
            names, str(low) if low == high else f"{low}-{high}", wording(game).say("summary"), options.lower()
        )
    return table


def _number(value: float | None, digits: int) -> str:
    if value is None:
        return ""
    return f"{value:.{digits if abs(value) < 1000 else 0}f}"
