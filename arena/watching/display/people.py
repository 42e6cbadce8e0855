"""Opponents, results and histories of people, as lines and tables. Everything comes as facts."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.table import Table

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import LANGUAGES
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.registry import GAMES

LAST = 10
"""Matches of a history that are listed."""

RISES = "▁▂▃▄▅▆▇█"
"""Heights of a bar in one character."""

Facts = Mapping[str, Any]


def opponents_table(found: Sequence[Facts]) -> Table:
    """The bots that a person can choose, as facts of `people.opponents.Opponent`."""
    table = _table(("bot", False), ("from", False), ("rating", True), ("language", False), ("about", False))
    for one in found:
        name = one["bot"] if one["source"] == "built-in" else f"@{one['name']}"
        about = f"{one['about']} ({one['lacks']})" if one["lacks"] else one["about"]
        table.add_row(
            harmless(name, 40), one["source"], rated(one), harmless(one["language"], 20), harmless(about, 200)
        )
    return table


def rated(one: Facts) -> str:
    """The rating of an opponent with its interval; empty if it has none."""
    if one["rating"] is None:
        return ""
    return f"{one['rating']} ± {one['error']}" if one["error"] else f"{one['rating']}"


def left_line(number: int, began: str, game: str, names: Sequence[str], record: str) -> str:
    """A match that was left, as a line of a numbered list."""
    title = wording(GAMES[game]).title if game in GAMES else game
    return harmless(f"{number:>2}  {began[:16].replace('T', ' ')}  {title}: {', '.join(names)}  ({record})", 400)


def result_lines(facts: Facts, language: str) -> Iterator[str]:
    """The places of a match, and where its record is, as facts of `people.messages.Over`."""
    words = LANGUAGES[language]
    if facts["void"]:
        yield words.say("screens.end.void")
    for seat in sorted(facts["seats"], key=lambda seat: (seat["rank"] or 0, seat["seat"])):
        yield f"{seat['rank'] or '-'}. {harmless(seat['bot'], 64)}: {words.heads(seat['score'])}"
    record = harmless(shlex.quote(facts["record"]))
    yield f"{words.say('screens.end.record')}: {record}"
    yield f"{words.say('screens.end.again')}: bullring replay {record}"


def stats_tables(found: Sequence[Facts]) -> Iterator[Table]:
    """The histories of people, as facts of `people.history.stats`: one table of all, or three of one person."""
    yield _tallies("who", [(one["name"], one) for one in found])
    if len(found) != 1:
        return
    person = found[0]
    by_game = {game: [match for match in person["trend"] if match["game"] == game] for game in person["games"]}
    yield _tallies("game", [(game, {**one, "trend": by_game[game]}) for game, one in person["games"].items()])
    table = _table(("against", False), ("matches", True), ("ahead", True), ("level", True), ("behind", True))
    for name, one in sorted(person["opponents"].items(), key=lambda item: -item[1]["matches"]):
        counts = (str(one[key]) for key in ("matches", "ahead", "level", "behind"))
        table.add_row(harmless(name, 40), *counts)
    yield table
    yield _last(person["trend"])


def _tallies(title: str, tallies: Sequence[tuple[str, Facts]]) -> Table:
    titles = ((title, False), ("matches", True), ("won", True), ("places", False), ("mean place", True))
    table = _table(*titles, ("heads a deal", True), ("trend", False))
    for name, one in tallies:
        places = " ".join(f"{place}.×{count}" for place, count in one["places"].items())
        table.add_row(
            harmless(name, 64),
            str(one["matches"]),
            str(one["wins"]),
            places,
            f"{one['place']:.2f}",
            "" if one["heads_per_deal"] is None else f"{one['heads_per_deal']:.1f}",
            trend([match["heads_per_deal"] for match in one["trend"]]),
        )
    return table


def _last(matches: Sequence[Facts]) -> Table:
    titles = (("ended", False), ("game", False), ("place", True), ("heads a deal", True), ("record", False))
    table = _table(*titles)
    for match in matches[-LAST:]:
        heads = "" if match["heads_per_deal"] is None else f"{match['heads_per_deal']:.1f}"
        ended = match["ended"][:16].replace("T", " ")
        place = f"{match['place']} of {match['seats']}"
        table.add_row(ended, match["game"], place, heads, harmless(Path(match["record"]).name, 200))
    return table


def trend(heads: Sequence[float | None]) -> str:
    """The heads a deal of the last matches as bars, the latest at the right; higher is worse."""
    last = [value for value in heads if value is not None][-20:]
    most = max(last, default=0.0)
    return "".join(RISES[round(value / most * (len(RISES) - 1))] if most else RISES[0] for value in last)


def _table(*titles: tuple[str, bool]) -> Table:
    """A table with these columns, as (title, whether its cells are numbers)."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), collapse_padding=True)
    for title, number in titles:
        table.add_column(title, justify="right" if number else "left", overflow="fold", no_wrap=number)
    return table
