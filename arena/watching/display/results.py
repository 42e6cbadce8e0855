"""Results of matches, and the games that there are."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import LANGUAGES
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.sayings import Heads
from bullring.arena.watching.display.blocks import Block
from bullring.arena.watching.display.columns import Column, digits, name_text, percent, table_of, tally

NAME = 24
"""Most characters of a name in a list of places."""

DEAL = 4
"""Width of the heads of a deal in a list of places."""

BOT: Column[Mapping[str, Any]] = Column("bot", "bot", lambda row: row["bot"], name_text, left=True, least=13)

RESULT: tuple[Column[Mapping[str, Any]], ...] = (
    Column("rank", "place", lambda seat: seat["place"]),
    Column("seat", "seat", lambda seat: seat["seat"]),
    BOT,
    Column("score", "heads", lambda seat: seat["score"]),
    Column("start_ms", "hello\nms", lambda seat: seat["start_ms"], digits(0)),
    Column("count", "asked", lambda seat: seat["decisions"]["count"]),
    Column("median_ms", "median\nms", lambda seat: seat["decisions"]["median_ms"], digits(2)),
    Column("p99_ms", "p99\nms", lambda seat: seat["decisions"]["p99_ms"], digits(2)),
    Column("max_ms", "max\nms", lambda seat: seat["decisions"]["max_ms"], digits(2)),
    Column("faults", "faults", lambda seat: len(seat["faults"]), tally),
)
"""Columns of the result of one match. A row is a seat of `Report.facts`, with its place or "void"."""

SUMMARY: tuple[Column[Mapping[str, Any]], ...] = (
    BOT,
    Column("matches", "matches", lambda bot: len(bot["scores"])),
    Column("heads", "heads", lambda bot: fmean(bot["scores"]), digits(2)),
    Column("error", "± 95 %", lambda bot: _error(bot["scores"]), digits(2)),
    Column("rank", "place", lambda bot: fmean(bot["ranks"]), digits(2)),
    Column("wins", "wins", lambda bot: fmean(bot["wins"]), percent),
    Column("median_ms", "median ms", lambda bot: fmean(bot["medians"]) if bot["medians"] else None, digits(2)),
    Column("faults", "faults", lambda bot: bot["faults"], tally),
)
"""Columns of the results of many matches. A row has the figures of a bot in each."""


def result_table(facts: dict[str, Any]) -> Table:
    """The result of one match, from `Report.facts`, best seat first. All times are in milliseconds.

    The caption says which seats are last because they were closed, since their heads may be fewer than those of others.
    """
    seats = sorted(facts["seats"], key=lambda seat: (seat["rank"] or 0, seat["seat"]))
    table = table_of(RESULT, [{**seat, "place": "void" if facts["void"] else seat["rank"]} for seat in seats])
    out = [harmless(seat["bot"], 24) for seat in facts["seats"] if any(fault["closed"] for fault in seat["faults"])]
    if out and not facts["void"]:
        table.caption = Text(f"closed, and so last whatever the heads: {', '.join(out)}")
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


def headline(facts: Mapping[str, Any], language: str) -> Text:
    """The end of a match in a line: the place of the one person who played, or else the winners."""
    words = LANGUAGES[language]
    if facts["void"]:
        return Text(words.say("screens.places.void"), "bold red")
    seats, names = facts["seats"], [harmless(name, 64) for name in facts["names"]]
    best = [names[seat["seat"]] for seat in seats if seat["rank"] == 1]
    heads = Heads(min(seat["score"] for seat in seats if seat["rank"] == 1))
    if len(facts["people"]) == 1:
        own = seats[facts["people"][0]]
        if own["rank"] > 1:
            values = {"place": own["rank"], "count": len(seats), "heads": Heads(own["score"])}
            return Text(words.say("screens.places.place", **values, winner=words.listed(best)), "bold")
    key = "screens.places.won" if len(best) == 1 else "screens.places.shared"
    return Text(words.say(key, names=words.listed(best), heads=heads), "bold green")


def placing(facts: Mapping[str, Any], width: int, language: str) -> Block:
    """The seats by place: name, the heads of the last deals that fit, and the total. People are marked."""
    words = LANGUAGES[language]
    seats = sorted(facts["seats"], key=lambda seat: (seat["rank"] or 0, seat["seat"]))
    names = [harmless(name, 64) for name in facts["names"]]
    wide = min(NAME, max(map(len, names)), max(8, width - 25))
    deals: Sequence[Sequence[int]] = facts["deals"]
    room = max(1, (width - wide - 21) // DEAL)
    first = max(0, len(deals) - room) if len(deals) > 1 else len(deals)
    heads = [f"{number:>{DEAL}}" for number in range(first + 1, len(deals) + 1)]
    before = f" {'…':>{DEAL - 1}}" if first and heads else ""
    deal_title = words.say("screens.places.deal") if heads else ""
    title = f"{'':5}{deal_title[:wide]:>{wide}}{before}{''.join(heads)}{words.say('screens.places.total'):>{10}}"

    def lines() -> Iterator[Text]:
        yield Text(title, "dim")
        for seat in seats:
            at = seat["seat"]
            rank = f"{seat['rank']}." if seat["rank"] else "-"
            row = "".join(f"{deal[at]:>{DEAL}}" for deal in deals[first:]) if heads else ""
            gap = " " * len(before)
            person = "▸" if at in facts["people"] else " "
            text = f"{person}{rank:>3} {names[at][:wide]:<{wide}}{gap}{row}{seat['score']:>{10}}"
            style = "bold" if at in facts["people"] else ""
            yield Text(text, "green " + style if seat["rank"] == 1 else style)

    return Block(lines(), width)
