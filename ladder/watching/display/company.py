"""The table of the effects of company, and its notes."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.watching.display.columns import name_text
from bullring.ladder.rating.company import LEAST

NOTHING = (
    "Nothing can be said yet. It takes more bots than seats, different tables, and"
    f" {LEAST} matches of two bots with each other."
)


def company_table(pairs: Sequence[Mapping[str, Any]]) -> Table:
    """One row per pair, as `Standings.company` has them: the effect with its 95 % interval, what style explains, and the rest."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold dim")
    for title in ("bot", "beside"):
        table.add_column(title, no_wrap=True, overflow="ellipsis", min_width=8, max_width=24)
    for title in ("matches", "points", "±95%", "heads", "style", "beyond", "chance", ""):
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
            _chance(pair["chance"]),
            Text("unusual" if pair["unusual"] else "", style="yellow"),
        )
    return table


def company_notes(pairs: Sequence[Mapping[str, Any]], home_flag: str) -> str:
    """The table in words, and the next steps; `home_flag` are the words that name the home in a command."""
    if not pairs:
        return NOTHING
    marked = [pair for pair in pairs if pair["unusual"]]
    least = 100 * median(pair["least"] for pair in pairs)
    notes = [
        f"{len(marked) or 'None'} of {len(pairs)} pairs {'is' if len(marked) < 2 else 'are'} unusual."
        f" From these matches, ±{least:.1f}% beyond style or more would be, in a typical pair.",
        "points: what the bot wins more of each rival (100% is every match) when the other bot is at the table, too;"
        " style: how much of it their ways of playing explain; chance: how often some pair of an honest list goes as far.",
    ]
    for pair in marked:
        names = f"{harmless(pair['bot'])} beside {harmless(pair['beside'])}"
        replays = "; ".join(f"bullring replay {match}{home_flag}" for match in pair["look_at"])
        notes.append(f"{names}: look at the most telling matches: {replays}")
    if marked:
        notes.append(
            "Unusual does not mean guilty: near copies, or ways of playing that fit by accident, look alike."
            " `bullring bots show BOT` says whose a bot is; docs/fair-play.md, what to look for."
        )
    return "\n".join(notes)


def _share(value: float) -> str:
    return f"{100 * value:+.1f}%"


def _chance(value: float) -> str:
    return "<0.1%" if value < 0.001 else f"{100 * value:.1f}%" if value < 0.1 else f"{100 * value:.0f}%"
