"""The worth of decisions: bars of expected heads by option, and results with luck and mistakes told apart.

The replay, the screen after a match and hints use the same bars. Names are strangers' text and are made harmless here.
"""

from collections import Counter
from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.sayings import counted
from bullring.arena.study.analysis.result import MARKS, Account, Analysis, Choice
from bullring.arena.watching.display.analysis import STYLES, cost_text
from bullring.arena.watching.display.text import option_text

_EIGHTHS = " ▏▎▍▌▋▊▉"
NAME = 12
"""Columns of a name."""


def bar(value: float, most: float, width: int) -> str:
    """A bar of at most `width` columns, to the eighth of a column. What is above 0 is never drawn as nothing."""
    if value <= 0 or most <= 0 or width <= 0:
        return ""
    eighths = max(1, min(round(8 * width * value / most), 8 * width))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def option_bars(
    titles: Sequence[str],
    heads: Sequence[float],
    *,
    best: int,
    chosen: int | None = None,
    errors: Sequence[float] = (),
    mark: str = "",
    width: int = 40,
    height: int | None = None,
) -> Text:
    """Expected heads by option, one line each, fewest first, in at most `width` columns and `height` lines.

    `best` and `chosen` are indices. The best option and the chosen one are always shown; of the others, the better ones. `errors`
    are those of the differences to the best option; `mark` is that of the choice.
    """
    order = sorted(range(len(titles)), key=lambda option: (option != best, heads[option], option))
    room = len(order) if height is None else max(1, height)
    hidden = len(order) - room + 1 if len(order) > room else 0
    if hidden and room > 2:
        kept = set(order[: room - 1])
        if chosen is not None and chosen not in kept:
            kept = {*order[: room - 2], chosen}
    else:
        kept, hidden = set([*dict.fromkeys([best, *([chosen] if chosen is not None else []), *order])][:room]), 0
    label = min(max((len(title) for title in titles), default=0), max(4, width // 3))
    behind = [f"+{max(0.0, value - heads[best]):.1f}" for value in heads]
    if errors and width >= 38:
        behind = [f"{text} ± {error:.1f}" for text, error in zip(behind, errors, strict=True)]
    behind[best] = "best"
    right = max(map(len, behind), default=0)
    room_for_bar = max(3, width - label - right - 10)
    most = max(heads, default=0.0)
    lines = []
    for option in order:
        if option not in kept:
            continue
        is_best, is_chosen = option == best, option == chosen
        colour = "green" if is_best else STYLES.get(mark, "") if is_chosen else "bright_black"
        line = Text(no_wrap=True, overflow="ellipsis")
        line.append("▸ " if is_chosen else "  ", style="bold")
        line.append(f"{titles[option][:label]:>{label}} ", style="bold" if is_best or is_chosen else "")
        line.append(f"{bar(heads[option], most, room_for_bar):<{room_for_bar}}", style=colour)
        line.append(f" {heads[option]:4.1f} ")
        line.append(f"{behind[option]:>{right}}", style=colour if is_best or is_chosen else "dim")
        lines.append(line)
    if hidden:
        lines.append(Text(f"  and {hidden} more", style="dim"))
    return Text("\n").join(lines)


def choice_bars(choice: Choice, *, width: int = 40, height: int | None = None) -> Text:
    """The options of a judged decision."""
    titles = [option_text(option) for option in choice.options]
    return option_bars(
        titles,
        choice.heads,
        best=choice.best,
        chosen=choice.chosen,
        errors=choice.errors,
        mark=choice.mark,
        width=width,
        height=height,
    )


def verdict(choice: Choice, game: Game | type[Game], name: str, *, width: int = 200) -> Text:  # type: ignore[type-arg]
    """The decision of a seat and its cost: "? anna plays 74: costs 2.9 ± 0.3 heads; better: plays 12".

    If that is wider than `width` columns, words are dropped: "? anna 74: +2.9, better 12".
    """
    own, best = choice.options[choice.chosen], choice.options[choice.best]
    told = wording(game if isinstance(game, type) else type(game)).told
    if choice.chosen == choice.best:
        long, style = "the best" if len(choice.options) > 1 else "the only one", "green"
        short = long
    elif choice.mark:
        long, style = f"{cost_text(choice)}; better: {told(choice.kind, best)}", STYLES[choice.mark]
        short = f"{choice.cost:+.1f}, better {option_text(best)}"
    else:
        long, style = f"as good as {told(choice.kind, best)}", "dim"
        short = f"as good as {option_text(best)}"
    by = " (the referee)" if choice.by == "fallback" else ""
    text = Text(no_wrap=True, overflow="ellipsis")
    text.append(f"{choice.mark:>2} ", style=f"bold {STYLES.get(choice.mark, '')}")
    if 3 + len(name) + len(by) + len(told(choice.kind, own)) + len(long) + 3 <= width:
        text.append(harmless(name, 24), style="bold")
        text.append(f"{by} {told(choice.kind, own)}")
        text.append(f": {long}", style=style)
    else:
        text.append(_short(harmless(name), NAME), style="bold")
        text.append(f" {option_text(own)}")
        text.append(f": {short}", style=style)
    return text


def overview(choices: Sequence[Choice], names: Sequence[str], *, seat: int | None = None, width: int = 60) -> Text:
    """A line for each seat that decided: its choice, the cost, and the better option. Lines carry `meta` "seat"."""
    most = max((choice.cost for choice in choices), default=0.0)
    named = min(max((len(names[choice.seat]) for choice in choices), default=0), NAME)
    own = max((len(option_text(choice.options[choice.chosen])) for choice in choices), default=0)
    better = max((len(option_text(choice.options[choice.best])) for choice in choices), default=0)
    room = width - named - own - better - 24
    lines = []
    for choice in choices:
        style = STYLES.get(choice.mark, "")
        line = Text(no_wrap=True, overflow="ellipsis")
        line.append("▸" if choice.seat == seat else " ", style="bold")
        line.append(f"{choice.mark:>2} ", style=f"bold {style}")
        line.append(f"{_short(names[choice.seat], named):<{named}} ", style="bold" if choice.seat == seat else "")
        line.append(f"{option_text(choice.options[choice.chosen]):>{own}} ", style="bold")
        if choice.chosen == choice.best:
            line.append(f"{'best':<{better + 7}} ", style="green")
        else:
            line.append(
                f"better {option_text(choice.options[choice.best]):>{better}} ", style="" if choice.mark else "dim"
            )
        line.append(f"{max(0.0, choice.cost):+5.1f} ", style=style or "dim")
        if room >= 4:
            line.append(bar(choice.cost, max(most, MARKS["?"]), room), style=style or "bright_black")
        line.apply_meta({"seat": choice.seat})
        lines.append(line)
    return Text("\n").join(lines)


def marks_of(choices: Sequence[Choice], seat: int) -> Text:
    """The marks of a seat, counted by kind: "2 ??  1 ?  4 ?!"."""
    count = Counter(choice.mark for choice in choices if choice.seat == seat)
    parts = [Text(f"{count[mark]} {mark}", style=STYLES[mark]) for mark in MARKS if count[mark]]
    return Text("  ").join(parts) if parts else Text("none", style="green")


def summary(analysis: Analysis, *, width: int = 80) -> Group:
    """Each result with luck and mistakes told apart: heads = expected + luck + edge + mistakes. From 40 columns on."""
    accounts = sorted(analysis.accounts, key=lambda account: account.parts.heads)
    bars = (width - 62) // 2 if width >= 76 else 0
    most = max([abs(value) for account in accounts for value in (_luck(account), account.parts.mistakes)], default=0.0)
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim", expand=False)
    table.add_column("", no_wrap=True, overflow="ellipsis", min_width=6, max_width=20)
    table.add_column("heads", justify="right", no_wrap=True)
    table.add_column("par", justify="right", no_wrap=True)
    table.add_column("luck", justify="right", no_wrap=True)
    if bars > 2:
        table.add_column("", no_wrap=True, min_width=bars)
    table.add_column("mistakes", justify="right", no_wrap=True)
    if bars > 2:
        table.add_column("", no_wrap=True, min_width=bars)
    if width >= 46:
        table.add_column("edge", justify="right", no_wrap=True)
    if width >= 62:
        table.add_column("marks", no_wrap=True)
    for account in accounts:
        parts, luck = account.parts, _luck(account)
        lucky = "green" if luck < 0 else "yellow"
        cells = [
            Text(f"{account.seat} {harmless(account.name)}", no_wrap=True, overflow="ellipsis"),
            Text(str(parts.heads), style="bold"),
            Text(f"{parts.par:.1f}"),
            Text(f"{luck + 0.0:+.1f}", style=lucky),
        ]
        if bars > 2:
            cells.append(Text(bar(abs(luck), most, bars), style=lucky))
        cells.append(Text(f"{max(0.0, parts.mistakes):+.1f}", style="red"))
        if bars > 2:
            cells.append(Text(bar(parts.mistakes, most, bars), style="red"))
        if width >= 46:
            cells.append(Text(f"{parts.edge + 0.0:+.1f}", style="dim"))
        if width >= 62:
            cells.append(marks_of(analysis.choices, account.seat))
        table.add_row(*cells)
    return Group(table, Text(), *(Text(line, style="dim") for line in _words(analysis)))


def _words(analysis: Analysis) -> Sequence[str]:
    engine = "" if analysis.simulated else ", by the rules engine"
    return (
        "heads = par + luck + edge + mistakes; fewer are better",
        "par: what a seat takes on average before the cards are dealt",
        "luck: the cards dealt, and what the others held and played",
        "edge: what the best options save; mistakes: what others were taken for",
        f"{counted(len(analysis.choices), 'decision')} by playouts, policy {harmless(analysis.method.policy, 20)}{engine}",
    )


def _luck(account: Account) -> float:
    return account.parts.deal + account.parts.others


def _short(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: max(0, most - 1)]}…"
