"""`bullring ladder analyse`: tell the habits of a bot."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from bullring.cli.complaints import complain
from bullring.cli.late import late
from bullring.cli.options import TableWish, home_option, json_option, table_options
from bullring.cli.study.analyse import analysis_options
from bullring.cli.values import LADDER_BOT
from bullring.errors import LadderError, RecordError

with late():
    from rich.console import Console
    from rich.text import Text

    from bullring.arena.games.rules.game import Game
    from bullring.arena.games.rules.registry import find
    from bullring.arena.study.analysis.habits import habits
    from bullring.arena.study.analysis.result import Analysis, Choice
    from bullring.arena.watching.display.analysis import choice_line, habit_lines, habit_table, match_table
    from bullring.cli.ladder.chosen import opened
    from bullring.cli.study.analyse import AnalysisWish, analysed, print_choice


WORST = 5


@click.command(name="analyse")
@click.argument("bot", type=LADDER_BOT)
@click.option("--last", type=click.IntRange(1), default=5, show_default=True, help="The number of matches.")
@analysis_options
@table_options
@home_option
@json_option
def analyse(bot: str, last: int, wish: AnalysisWish, table: TableWish, home: Path | None, as_json: bool) -> None:
    """Find out what the decisions of a bot cost in its last matches.

    Analyses its matches on one list, newest first, as `bullring analyse` does: the cost of a move by kind of decision and by turn,
    lucky matches, and the costliest decisions. Analyses are kept in the home. Give a label such as "mine v2" for one version, and a
    name for all.
    """
    place, store, list_ = opened(home, table)
    labels = [row.id for row in store.versions(bot)]
    found: list[_Played] = []
    for match in store.matches_of(labels, last, list_=list_.id):
        try:
            analysis = analysed(place.analysis(match.id), place.lines(match.id), wish)
        except RecordError as error:
            complain(f"match {match.id} is left out: {error}")
            continue
        found += [_Played(match.id, analysis, seat) for seat, row in enumerate(match.seats) if row.bot in labels]
    if not found:
        raise LadderError(
            f"{bot!r} has no finished match on this list ({list_.title}); list its matches with: bullring bots log"
        )
    _print(found, find(list_.game), as_json=as_json)


class _Played(NamedTuple):
    """The bot in one seat of one match."""

    match: int
    analysis: Analysis
    seat: int

    def marked(self) -> list[tuple[int, Choice]]:
        """Its marked decisions, each with the match."""
        return [(self.match, choice) for choice in self.analysis.worst(sys.maxsize) if choice.seat == self.seat]


def _print(found: Sequence[_Played], game: type[Game[Any]], *, as_json: bool) -> None:
    told = habits([(played.analysis, played.seat) for played in found], lambda kind: game.decision(kind).begins_move)
    worst = sorted([pair for played in found for pair in played.marked()], key=lambda pair: -pair[1].cost)[:WORST]
    if as_json:
        costliest = [{"match": match, **choice.model_dump()} for match, choice in worst]
        played = [{"match": one.match, **one.analysis.accounts[one.seat].model_dump()} for one in found]
        click.echo(json.dumps({**told.model_dump(), "played": played, "worst": costliest}, indent=2))
        return
    console = Console()
    for line in habit_lines(told):
        console.print(
            Text(line), soft_wrap=not console.is_terminal
        )  # broken between words where a terminal is too narrow
    console.print(match_table([(one.match, one.analysis.accounts[one.seat]) for one in found]))
    console.print(habit_table("kind", told.kinds))
    console.print(habit_table("turn", told.turns))
    if worst:
        click.echo("the costliest decisions:")
    for match, choice in worst:
        print_choice(console, choice, choice_line(choice, game, f"match {match}"))
