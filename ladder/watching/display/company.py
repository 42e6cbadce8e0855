"""The table of the effects of company, and its notes; ratings without some company."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rules.sayings import counted
from bullring.arena.watching.display.columns import name_text
from bullring.ladder.rating.company import LEAST
from bullring.ladder.standings.apart import Apart

NOTHING = (
    "Nothing can be said yet. It takes more bots than seats, different tables, and"
    f" {LEAST} matches of two bots with each other."
)


def company_table(pairs: Sequence[Mapping[str, Any]]) -> Table:
    """One row per pair, as `Standings.company` has them: the effect with its 95 % interval, what style explains, and the rest."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold dim")
    for title in ("bot", "beside"):
        table.add_column(title, no_wrap=True, overflow="ellipsis", min_width=8, max_width=24)
    for title in ("matches", "points", "±95%", "heads", "style", "beyond", ""):
        table.add_column(title, justify="right", no_wrap=True)
    for pair in pairs:
        table.add_row(
            *(name_text(pair[key]) for key in ("bot", "beside")),
            str(pair["matches"]),
            _share(pair["points"]),
            Text(f"{196 * pair['points_error']:.1f}%", style="dim"),
            f"{pair['heads']:+.2f}",
            _share(pair["style"]),
            _share(pair["beyond"]),
            Text("unusual" if pair["unusual"] else "", style="yellow"),
        )
    return table


def company_notes(found: Mapping[str, Any], home_flag: str) -> str:
    """The table in words, and the next steps; `home_flag` are the words that name the home in a command."""
    pairs, rings = found["pairs"], found["rings"]
    if not pairs:
        return NOTHING
    confirmed = sum(ring["confirmed"] for ring in rings)
    if found["least"] is None:
        notes = [f"No rings can be looked for yet: that takes {LEAST} matches of two bots in each of the two parts."]
    else:
        said = f"No bots seem to help each other ({counted(len(pairs), 'pair')})."
        if confirmed:
            said = f"{counted(confirmed, 'ring')} of bots {'is' if confirmed == 1 else 'are'} unusual."
        notes = [
            f"{said} From these matches, ±{100 * found['least']:.1f}% beyond style or more would be suspicious, in a typical pair;"
            f" axes of style: {found['axes']}."
        ]
    notes.append(
        "points: what the bot wins more of each rival (100% is every match) when the other bot is at the table, too;"
        " style: how much of it their ways of playing explain; beyond: the rest."
    )
    notes += [_ring(ring, found["last"], home_flag) for ring in rings]
    if confirmed:
        notes.append(
            "Unusual does not mean guilty: near copies, or ways of playing that fit by accident, look alike."
            " `bullring bots show BOT` says whose a bot is; docs/fair-play.md, what to look for."
        )
    return "\n".join(notes)


def _ring(ring: Mapping[str, Any], last: int, home_flag: str) -> str:
    """A ring in words."""
    helpers = _named(ring["helpers"])
    if ring["helpers"] == ring["helped"]:
        who = f"{helpers} do better beside each other"
    else:
        who = f"{harmless(ring['helped'][0])} does {'worse' if ring['harm'] else 'better'} beside {helpers}"
    size = f"{100 * abs(ring['found_points']):.1f}% beyond style"
    if not ring["confirmed"]:
        return (
            f"{who}, by {size} in the matches of the search, but the others do not confirm it (chance {_chance(ring['chance'])})."
            f" Play on, and judge by new matches alone: bullring ladder company --confirm {last}{home_flag}"
        )
    replays = "; ".join(f"bullring replay {match}{home_flag}" for match in ring["look_at"])
    return (
        f"{who}, by {size}; in the matches held back by {_share(ring['points'])} ± {196 * ring['points_error']:.1f}%"
        f" (chance in an honest list {_chance(ring['chance'])}). Look at the most telling matches: {replays}"
    )


def apart_table(found: Apart) -> Table:
    """The ratings with and without the company."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold dim")
    table.add_column("bot", no_wrap=True, overflow="ellipsis", min_width=8, max_width=24)
    for title in ("all matches", "±95%", "apart", "±95%", "change"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in found.ratings:
        change = None if row.rating is None or row.apart is None else row.apart - row.rating
        figures = [_elo(x) for x in (row.rating, row.error, row.apart, row.apart_error)]
        style = "bold" if row.bot in found.bots else ""
        table.add_row(name_text(row.bot), *figures, "" if change is None else f"{change:+.0f}", style=style)
    return table


def apart_notes(found: Apart) -> str:
    """The table in words."""
    return (
        f"apart: without the {counted(found.left_out, 'match', 'matches')} of {found.matches} in which two of"
        f" {_named(found.bots)} sat together."
    )


def _named(names: Sequence[str]) -> str:
    *first, last = map(harmless, names)
    return f"{', '.join(first)} and {last}" if first else last


def _elo(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}"


def _share(value: float) -> str:
    return f"{100 * value:+.1f}%"


def _chance(value: float) -> str:
    return "<0.1%" if value < 0.001 else f"{100 * value:.1f}%" if value < 0.1 else f"{100 * value:.0f}%"
