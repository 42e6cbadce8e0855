"""An analysis as tables and lines. Names are strangers' text; everything else is numbers."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say, spoken
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.reasons import Reason
from bullring.arena.games.rules.sayings import counted
from bullring.arena.study.analysis.habits import PARTS, Habit, Habits
from bullring.arena.study.analysis.result import Account, Analysis, Choice
from bullring.arena.watching.display.columns import name_text
from bullring.arena.watching.display.text import option_text

STYLES = {"??": "red", "?": "yellow", "?!": "cyan"}
"""The colour of each mark."""


def ranked(heads: Sequence[float], best: int) -> list[int]:
    """The options in the order in which they are listed: the best one first, then by their heads as they are read."""
    return sorted(range(len(heads)), key=lambda option: (option != best, round(heads[option], 1), option))


def worth(heads: float) -> Text:
    """What luck or play did to a result: "cost 10.1" in red, or in green, below 0, "saved 9.5"."""
    key, style = ("saved", "green") if heads < 0 else ("cost", "red" if heads else "")
    return Text(say(f"replay.summary.{key}", heads=abs(heads)), style)


def _title(part: str) -> str:
    return say(f"story.cost.parts.{part}")


def account_table(accounts: Sequence[Account]) -> Table:
    """The parts of each result, and the cost of a move. Fits 80 columns."""
    table = _parts_table(_title("bot"))
    for account in accounts:
        table.add_row(name_text(f"{account.seat} {harmless(account.name)}"), *_parts(account))
    return table


def match_table(accounts: Sequence[tuple[int, Account]]) -> Table:
    """The same for one bot in several matches."""
    table = _parts_table(_title("match"))
    for match, account in accounts:
        table.add_row(str(match), *_parts(account))
    return table


def _parts_table(first: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), collapse_padding=True, pad_edge=False)
    table.add_column(first, overflow="ellipsis", no_wrap=True, min_width=8, max_width=24)
    for title in map(_title, (*PARTS, "move")):
        table.add_column(title, justify="right", no_wrap=True)
    return table


def _parts(account: Account) -> Iterator[str]:
    """The result, its parts with one digit, rounded so that they still add up, and the cost of a move."""
    number = spoken().number
    yield str(account.parts.heads)
    so_far = told = 0.0
    for part in PARTS[1:]:
        so_far += getattr(account.parts, part)
        value = round(so_far, 1) - told
        told = round(so_far, 1)
        yield number(value + 0.0, ".1f" if part == "par" else "+.1f")
    yield f"{number(max(0.0, account.cost), '.2f')} ± {number(account.cost_error, '.2f')}"


def method_lines(analysis: Analysis) -> Iterator[str]:
    """The method and the standard errors of an analysis, in lines of at most 80 columns."""
    method, policy = analysis.method, harmless(analysis.method.policy, 20)
    fewest = min((choice.playouts for choice in analysis.choices), default=0)
    most = max((choice.playouts for choice in analysis.choices), default=0)
    values = {"fewest": fewest, "most": most, "policy": policy, "seed": method.seed}
    yield say("story.cost.method", count=len(analysis.choices), **values)
    if not analysis.simulated:
        yield say(f"story.cost.{'engine_same' if policy in ('trained', 'sharp') else 'engine'}")
    if errors := [choice.cost_error for choice in analysis.choices if len(choice.options) > 1]:
        yield say("story.cost.errors", median=median(errors), most=max(errors))


def choice_line(choice: Choice, game: Game | type[Game], name: str) -> str:  # type: ignore[type-arg]
    """One decision that was marked, in one line."""
    own, best = choice.options[choice.chosen], choice.options[choice.best]
    told = wording(game if isinstance(game, type) else type(game)).told
    by = "" if choice.by != "fallback" else say("story.cost.referee")
    values = {"mark": choice.mark, "deal": choice.deal, "turn": choice.turn, "name": harmless(name, 24), "by": by}
    what, better = told(choice.kind, own), told(choice.kind, best)
    return say("story.cost.line", **values, what=what, cost=cost_text(choice), better=better)


def cost_text(choice: Choice) -> str:
    """The cost with its error: "costs 2.9 ± 0.3 heads"."""
    return say("story.cost.costs", cost=choice.lost, error=choice.cost_error)


def remark(choice: Choice, better: str) -> str:
    """The remark beside a marked decision in a replay; `better` is the best option in words."""
    return say("story.cost.remark", mark=choice.mark, cost=cost_text(choice), better=better)


def reason_lines(choice: Choice, game: type[Game[Any]], facts: Mapping[int, Sequence[Reason]]) -> Iterator[str]:
    """What tells the choice and the best option apart; `facts` are by option."""
    for option, found in facts.items():
        if found:
            yield f"     {option_text(choice.options[option])}: {wording(game).reasons(found)}"


def option_table(choice: Choice, game: type[Game[Any]], facts: Sequence[Sequence[Reason]]) -> Table:
    """The heads expected from each option, best first, and what speaks for or against it; `facts` are by option."""
    table = Table(box=None, padding=(0, 2, 0, 4))
    for title in ("option", "heads", "behind"):
        table.add_column(_title(title), justify="right", header_style="dim")
    table.add_column(_title("why"), header_style="dim", style="dim")
    heads, number = choice.expected, spoken().number
    for option in ranked(heads, choice.best):
        error = (
            ""
            if option == choice.best
            else f"{number(heads[option] - heads[choice.best], '+.1f')} ± {number(choice.errors[option], '.1f')}"
        )
        style = "bold" if option == choice.chosen else ""
        why = Text(wording(game).reasons(facts[option]))
        table.add_row(Text(option_text(choice.options[option])), number(heads[option], ".1f"), error, why, style=style)
    return table


def habit_lines(found: Habits) -> Iterator[str]:
    """The habits of a bot, line by line."""
    yield (
        f"{counted(found.matches, 'match', 'matches')}, {counted(found.moves, 'move')}:"
        f" a move costs {found.cost:.2f} ± {found.cost_error:.2f} heads more than the best one"
    )
    means = "  ".join(f"{_title(part)} {found.parts[part]:.1f}" for part in PARTS)
    yield f"a match:  {means}"
    if found.higher + found.lower:
        yield f"mistakes: {found.higher} times a lower number was best, {found.lower} times a higher one"


def habit_table(title: str, found: Sequence[Habit]) -> Table:
    """Costs by kind or by turn."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in (title, "decisions", "mean cost", "marked"):
        table.add_column(column, justify="left" if column == title else "right")
    for habit in found:
        cost = f"{max(0.0, habit.cost):.2f}"
        table.add_row(harmless(habit.title, 20), str(habit.count), cost, f"{100 * habit.share:.0f} %")
    return table
