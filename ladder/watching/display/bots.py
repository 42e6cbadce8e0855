"""The bots of a ladder: the list, one with all its versions, and the log of its matches."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from bullring.arena.cells.sandbox.caps import MIB
from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.arena.games.rules.sayings import counted
from bullring.arena.watching.display.columns import name_text
from bullring.arena.watching.display.elo import margin, rated
from bullring.arena.watching.display.text import size_text
from bullring.ladder.standings.columns import program

LOG_LINES = 20
"""Most lines of stderr shown of a match that is one of several."""

_STYLES = {"active": "", "older": "dim", "benched": "yellow", "retired": "dim", "removed": "dim"}


def bots_table(bots: Sequence[Mapping[str, Any]]) -> Table:
    """The bots of a ladder, each version in a row. Fits 80 columns."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold dim")
    table.add_column("bot", overflow="ellipsis", no_wrap=True, min_width=8, max_width=24)
    table.add_column("v", justify="right")
    table.add_column("language", overflow="ellipsis", no_wrap=True, max_width=10)
    for title in ("size", "rating"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("files", no_wrap=True)
    table.add_column("state", overflow="fold")
    for bot in bots:
        rating = "" if bot["rating"] is None else rated(bot["rating"], bot["error"])
        reason = f": {harmless(bot['reason'])}" if bot["reason"] else ""
        table.add_row(
            name_text(bot["bot"]),
            str(bot["version"]),
            harmless(bot["language"]),
            size_text(bot["size"]) if bot["size"] else "",
            rating,
            Text(program(bot["hash"], whole=bot["reproducible"]), style="dim"),
            Text(f"{bot['state']}{reason}", style=_STYLES.get(bot["state"], "")),
        )
    return table


def version_lines(facts: Mapping[str, Any]) -> Iterator[str]:
    """A version of a bot, line by line."""
    yield f"{harmless(facts['bot'])}: {facts['state']}{_after(': ', facts['reason'])}"
    yield _line("version", f'{facts["version"]} of "{facts["name"]}"')
    yield _line("submitted", f"{facts['added']}, from {facts['source']}")
    if facts["reproducible"]:
        size = f"{counted(facts['files'], 'file')}, {size_text(facts['size'])}, " if facts["files"] else ""
        yield _line("files", f"{size}{facts['path']}")
        yield _line("contents", facts["hash"])
    else:
        yield _line("files", f"not fixed: a command line, {facts['path']}")
    for key in ("language", "image", "problem"):
        if facts.get(key):
            yield _line(key, facts[key])
    if facts.get("run"):
        yield _line("runs", " ".join(facts["run"]))
    if facts.get("build"):
        log = f", log: {facts['build_log']}" if facts.get("build_log") else ""
        yield _line("build", f"{' '.join(facts['build'])}{log}")
        if facts["built"]:
            yield _line("built", facts["built"])
    if facts.get("caps"):
        yield _line("may use", _caps(facts["caps"]))
    if facts["plain_time"]["counts"] and facts.get("clock_remedy"):
        shrank, grew = facts["plain_time"]["shrank"], facts["plain_time"]["grew"]
        said = {"shrank": shrank, "pairs": shrank + grew, "remedy": facts["clock_remedy"]}
        yield _line("clock", say("verdicts.plain.shown", **said))
    if facts["rating"] is not None:
        yield _line(
            "rating",
            f"{rated(facts['rating'], facts['error'])}{_interval(facts)}, {counted(facts['matches'], 'match', 'matches')}",
        )


def log_lines(facts: Mapping[str, Any], *, whole: bool = False) -> Iterator[str]:
    """A match of a bot, line by line; with the `whole` of its stderr, or the end of it."""
    rank = "void" if facts["void"] else f"rank {facts['rank']} of {len(facts['others']) + 1}"
    faults = f"; faults: {', '.join(facts['faults'])}" if facts["faults"] else ""
    closed = "; its seat was closed" if facts["closed"] else ""
    yield (
        f"match {facts['match']}  {facts['date']}  {harmless(facts['bot'])}, seat {facts['seat']}: {rank},"
        f" {counted(facts['heads'], 'head')}{faults}{closed}"
    )
    yield f"  {facts['list']}, against {', '.join(map(harmless, facts['others']))}"
    if facts["void"]:
        yield f"  void: {harmless(facts['void'])}"
    if facts["problem"]:
        yield f"  the record cannot be read: {harmless(facts['problem'])}"
    lines = facts["stderr"].splitlines()
    shown = lines if whole else lines[-LOG_LINES:]
    if len(shown) < len(lines):
        yield f"  | ... {counted(len(lines) - len(shown), 'line')} more: bullring bots log BOT --match {facts['match']}"
    for line in shown:
        yield f"  | {harmless(line, None if whole else 400)}"


def next_lines(facts: Mapping[str, Any], home: Path) -> Iterator[str]:
    """Commands to look into a match of a bot, to be pasted."""
    match, seat = facts["match"], facts["seat"]
    there = harmless(f"--home {shlex.quote(str(home))}")
    yield f"more about match {match}:"
    yield f"  bullring replay {match} {there}"
    yield f"  bullring replay {match} {there} --wire {seat}"
    yield f"  bullring ask {harmless(shlex.quote(facts['bot']))} {there} --from {match} --seat {seat} --all"


def _line(title: str, text: str) -> str:
    return f"  {title:10} {harmless(text)}"


def _interval(facts: Mapping[str, Any]) -> str:
    """The interval of a rating, as far as it is known."""
    if facts["error"] is not None:
        return f" ± {shown}" if (shown := margin(facts["error"])) else " (provisional)"
    if facts["low"] is not None:
        return f" (over {facts['low']:.0f})"
    return f" (under {facts['high']:.0f})" if facts["high"] is not None else ""


def _after(mark: str, text: str) -> str:
    return f"{mark}{harmless(text)}" if text else ""


def _caps(caps: Mapping[str, float]) -> str:
    sizes = ("memory", "file", "box", "output")
    return ", ".join(
        f"{key} {value / MIB:g} MiB" if key in sizes else f"{key} {value:g}" for key, value in caps.items()
    )
