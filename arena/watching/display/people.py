"""Opponents, results and histories of people, as lines and tables. Everything comes as facts."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say, spoken
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.watching.display import elo
from bullring.arena.watching.display.blocks import Block
from bullring.arena.watching.display.lines import chart, scale

LAST = 10
"""Matches of a history that are listed, and that have a bar."""

WORD = 14
"""Least characters of a sentence and of a name, if it has so many."""

SENTENCES = ("about",)
"""Columns of sentences."""

COLOURS = {"ahead": "green", "behind": "red", "trend": "cyan"}
"""Colours of columns."""

SMOOTHED = 5
"""Matches whose mean is a point of the curve of a person."""

CURVED, STEP, LEFT = 60, 4, 4
"""Most matches on the curve, columns for each of them and for the scale."""

RISES = "▁▂▃▄▅▆▇█"
"""Heights of a bar in one character."""

Facts = Mapping[str, Any]


def opponents_table(found: Sequence[Facts]) -> Table:
    """The bots that a person can choose, as facts of `people.opponents.Opponent`."""
    titles = (("bot", False), ("from", False), ("rating", True), ("language", False), ("about", False))
    rows = []
    for one in found:
        name = one["bot"] if one["source"] == "built-in" else f"@{one['name']}"
        own = one["source"] == "built-in"
        told = spoken().find(f"screens.bots.{one['name']}") if own else None
        about = " ".join(part for part in (told or one["about"], one["lacks"] and f"({one['lacks']})") if part)
        source = say(f"tables.opponents.sources.{one['source']}")
        rows.append((harmless(name, 40), source, rated(one), harmless(one["language"], 20), harmless(about, 200)))
    return _table("opponents", titles, rows)


def rated(one: Facts) -> str:
    """The rating of an opponent with its interval; empty if it has none."""
    if one["rating"] is None:
        return ""
    error = elo.margin(one["error"] or None)
    return elo.rated(one["rating"], one["error"]) + (f" ± {error}" if error else "")


def left_line(number: int, began: str, game: str, names: Sequence[str], record: str) -> str:
    """A match that was left, as a line of a numbered list."""
    return harmless(f"{number:>2}  {began[:16].replace('T', ' ')}  {title(game)}: {', '.join(names)}  ({record})", 400)


def result_lines(facts: Facts) -> Iterator[str]:
    """The places of a match, and where its record is, as facts of `people.messages.Over`."""
    words = spoken()
    if facts["void"]:
        yield words.say("screens.end.void")
    for seat in sorted(facts["seats"], key=lambda seat: (seat["rank"] or 0, seat["seat"])):
        yield f"{seat['rank'] or '-'}. {harmless(seat['bot'], 64)}: {words.heads(seat['score'])}"
    record = harmless(shlex.quote(facts["record"]))
    yield f"{words.say('screens.end.record')}: {record}"
    yield f"{words.say('screens.end.again')}: bullring replay {record}"


def stats_tables(found: Sequence[Facts]) -> Iterator[Table]:
    """The histories of people, as facts of `people.history.stats`: one table of all, or several of one person."""
    if len(found) != 1 or len(found[0]["games"]) > 1:  # what was played in one game is in its line
        yield _tallies("who", [(one["name"], one) for one in found])
    if len(found) != 1:
        return
    person = found[0]
    by_game = {game: [match for match in person["trend"] if match["game"] == game] for game in person["games"]}
    yield _tallies("game", [(title(game), {**one, "trend": by_game[game]}) for game, one in person["games"].items()])
    counts = ("matches", "ahead", "level", "behind")
    met = sorted(person["opponents"].items(), key=lambda item: -item[1]["matches"])
    rows = [(harmless(name, 40), *(str(one[key]) for key in counts)) for name, one in met]
    yield _table("people", (("against", False), *((key, True) for key in counts)), rows)
    yield _last(person["trend"])


def _tallies(first: str, tallies: Sequence[tuple[str, Facts]]) -> Table:
    titles = ((first, False), ("matches", True), ("won", True), ("places", False), ("mean", True), ("heads", True))
    number, rows = spoken().number, []
    for name, one in tallies:
        counts = {int(place): count for place, count in one["places"].items()}
        places = "/".join(str(counts.get(place, 0)) for place in range(1, max(counts, default=0) + 1))
        heads = "" if one["heads_per_deal"] is None else number(one["heads_per_deal"], ".1f")
        bars = trend([match["heads_per_deal"] for match in one["trend"]])
        mean = number(one["place"], ".2f")
        rows.append((harmless(name, 64), str(one["matches"]), str(one["wins"]), places, mean, heads, bars))
    return _table("people", (*titles, ("trend", False)), rows)


def _last(matches: Sequence[Facts]) -> Table:
    titles = (("ended", False), ("game", False), ("place", True), ("heads", True), ("record", False))
    rows = []
    for match in reversed(matches[-LAST:]):
        heads = "" if match["heads_per_deal"] is None else spoken().number(match["heads_per_deal"], ".1f")
        ended = match["ended"][:16].replace("T", " ")
        place = say("tables.people.placed", place=match["place"], count=match["seats"])
        end = Path(match["record"]).name.rpartition("-")[2]
        rows.append((ended, title(match["game"]), place, heads, harmless(f"*-{end}", 40)))
    return _table("people", titles, rows)


def course(matches: Sequence[Facts], width: int, height: int) -> Block:
    """The heads a deal of the last matches, as a curve of the mean of some around single matches; fewer heads are higher up."""
    heads = [match["heads_per_deal"] for match in matches if match["heads_per_deal"] is not None][-CURVED:]
    if len(heads) < SMOOTHED:
        return Block([])
    means = [fmean(heads[max(0, at - SMOOTHED + 1) : at + 1]) for at in range(len(heads))]
    best, worst, ticks = scale(min(heads), max(heads), height - 2)
    wide = min(width, LEFT + STEP * len(heads))
    drawn = chart(means, wide, height - 2, low=worst, high=best, ticks=ticks, dots=heads)
    told = say("tables.people.course", count=SMOOTHED)
    title = Text(told if len(told) <= width else say("tables.people.course_short"), "bold")
    first, last = len(matches) - len(heads) + 1, len(matches)
    axis = Text(f"{'':{LEFT}}{first}{last:>{max(1, wide - LEFT - len(str(first)))}}", "dim")
    return Block([title, *drawn, axis], width) if drawn else Block([])


def trend(heads: Sequence[float | None]) -> str:
    """The heads a deal of the last matches as bars, the latest at the right; higher is better."""
    last = [value for value in heads if value is not None][-LAST:]
    most = max(last, default=0.0)
    return "".join(RISES[round((1 - value / most) * (len(RISES) - 1))] if most else RISES[-1] for value in last)


def title(game: str) -> str:
    """The title of a game, or what is recorded of one that is no longer known."""
    return wording(GAMES[game]).title if game in GAMES else harmless(game, 64)


def _table(topic: str, titles: Sequence[tuple[str, bool]], rows: Sequence[Sequence[str]]) -> Table:
    """A table with these columns, as (key of the title in a table of `tables`, whether its cells are numbers).

    Sentences and names, in the first column, go on in further lines; everything else stays on one.
    """
    table = Table(
        box=box.SIMPLE_HEAD,
        border_style="dim",
        header_style="bold cyan",
        pad_edge=False,
        padding=(0, 1),
        collapse_padding=True,
    )
    for at, (key, number) in enumerate(titles):
        told, head = key in SENTENCES, say(f"tables.{topic}.{key}")
        widths = [max(map(len, text.split("\n"))) for text in (head, *(row[at] for row in rows))]
        table.add_column(
            head,
            style=COLOURS.get(key, ""),
            justify="right" if number else "left",
            overflow="fold",
            no_wrap=not told and at > 0,
            min_width=WORD if told else min(WORD, max(widths)) if at == 0 else max(widths),
        )
    for row in rows:
        table.add_row(*row)
    return table
