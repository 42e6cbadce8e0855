"""The worth of decisions: bars of what options cost, and results with luck and mistakes told apart.

The replay, the screen after a match and hints use the same bars. Names are strangers' text and are made harmless here.
"""

from collections import Counter
from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say, spoken
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.game import Game
from bullring.arena.study.analysis.result import MARKS, Analysis, Choice
from bullring.arena.watching.display.analysis import STYLES, ranked, worth
from bullring.arena.watching.display.text import option_text, short

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
    cursor: int | None = None,
    errors: Sequence[float] = (),
    mark: str = "",
    width: int = 40,
    height: int | None = None,
    names: Sequence[int] = (),
) -> Text:
    """What each option costs against the best one, one line each, least first, in at most `width` columns and `height` lines.

    A line has the expected `heads`, the loss with its error, and a bar of the loss. `best`, `chosen` and `cursor` are
    indices. "▸" is the choice, or where there is a cursor, that, and the choice has the word "played".

    These options are always shown; of the others, the better ones. `errors` are those of the losses; `mark` is that of the
    choice. As long as no `heads` are known, there are only the titles, and marks where bars will be. Lines carry `meta` "option":
    the index, or what `names` has for it.
    """
    order = ranked(heads, best) if heads else range(len(titles))
    room = len(order) if height is None else max(1, height)
    first = [option for option in (best, chosen, cursor) if option is not None]
    counted = len(order) > room > 2
    kept = [*dict.fromkeys([*first, *order])][: room - counted]
    label = min(max((len(title) for title in titles), default=0), max(4, width // 3))
    heads = [round(value, 1) for value in heads]  # as they are read, so that what a line says adds up
    losses = [max(0.0, value - heads[best]) for value in heads] or [0.0] * len(titles)
    number = spoken().number
    behind = [number(loss, "+.1f") for loss in losses]
    if errors and width >= 38:
        behind = [f"{text} ± {number(error, '.1f')}" for text, error in zip(behind, errors, strict=True)]
    behind[best] = say("replay.cost.first")
    right = max(map(len, behind), default=0)
    played = f" {say('replay.cost.played')}" if cursor is not None else ""
    room_for_bar = max(3, width - label - right - 10 - len(played))
    most = max(*losses, MARKS["?"])  # so that what hardly matters is short
    lines = []
    for option in order:
        if option not in kept:
            continue
        is_best, is_chosen = option == best, option == chosen
        colour = "green" if is_best else STYLES.get(mark, "") if is_chosen else "bright_black"
        line = Text(no_wrap=True, overflow="ellipsis")
        line.append("▸ " if option == (chosen if cursor is None else cursor) else "  ", style="bold")
        line.append(f"{titles[option][:label]:>{label}} ", style="bold" if is_best or is_chosen else "")
        if heads:
            line.append(f"{number(heads[option], '4.1f')} ")
            line.append(f"{behind[option]:<{right}} ", style=colour if is_best or is_chosen else "dim")
            line.append(bar(losses[option], most, room_for_bar), style=colour)
        else:
            line.append("░" * max(0, min(12, width - label - 4)), style="bright_black")
        if option == cursor:
            line.stylize("reverse", 2, 2 + label)
        if is_chosen:
            line.append(played, style="bold")
        line.apply_meta({"option": names[option] if names else option})
        lines.append(line)
    if counted:
        lines.append(Text(f"  {say('replay.cost.more', count=len(order) - len(kept))}", style="dim"))
    return Text("\n").join(lines)


def choice_bars(choice: Choice, *, width: int = 40, height: int | None = None) -> Text:
    """The options of a judged decision."""
    titles = [option_text(option) for option in choice.options]
    return option_bars(
        titles,
        choice.expected,
        best=choice.best,
        chosen=choice.chosen,
        errors=choice.errors,
        mark=choice.mark,
        width=width,
        height=height,
    )


def verdict(
    choice: Choice,
    game: type[Game],  # type: ignore[type-arg]
    name: str,
    *,
    width: int = 200,
) -> Text:
    """The decision of a seat and its cost: "? anna plays 74: costs 2.9 ± 0.3 heads; better: plays 12".

    If that is wider than `width` columns, words are dropped: "? anna 74: +2.9, better 12".
    """
    own, best = choice.options[choice.chosen], choice.options[choice.best]
    told = wording(game).told

    def said(key: str, **values: object) -> str:
        return say(f"replay.cost.{key}", **values)

    if choice.chosen == choice.best:
        long, style = said("best" if len(choice.options) > 1 else "only"), "green"
        brief = long
    elif choice.lost:
        cost = said("cost", cost=choice.lost, error=choice.cost_error)
        long, style = f"{cost}; {said('better', best=told(choice.kind, best))}", STYLES.get(choice.mark, "dim")
        brief = f"{spoken().number(choice.lost, '+.1f')}, {said('worse', best=option_text(best))}"
    else:
        long, style = said("equal", best=told(choice.kind, best)), "dim"
        brief = said("equal", best=option_text(best))
    by = said("referee") if choice.by == "fallback" else ""
    text = Text(no_wrap=True, overflow="ellipsis")
    text.append(f"{choice.mark:>2} ", style=f"bold {STYLES.get(choice.mark, '')}")
    if 3 + len(name) + len(by) + len(told(choice.kind, own)) + len(long) + 3 <= width:
        text.append(harmless(name, 24), style="bold")
        text.append(f"{by} {told(choice.kind, own)}")
        text.append(f": {long}", style=style)
    else:
        text.append(short(harmless(name), NAME), style="bold")
        text.append(f" {option_text(own)}")
        text.append(f": {brief}", style=style)
    return text


def overview(
    choices: Sequence[Choice],
    names: Sequence[str],
    *,
    seat: int | None = None,
    width: int = 60,
) -> Text:
    """A line for each seat that decided: its choice, the cost, and the better option. Lines carry `meta` "seat"."""
    most = max((choice.lost for choice in choices), default=0.0)
    named = min(max((len(names[choice.seat]) for choice in choices), default=0), NAME)
    own = max((len(option_text(choice.options[choice.chosen])) for choice in choices), default=0)
    better = max((len(option_text(choice.options[choice.best])) for choice in choices), default=0)
    instead = [say("replay.cost.worse", best=f"{option_text(one.options[one.best]):>{better}}") for one in choices]
    said = [
        say("replay.cost.first") if one.chosen == one.best else text for one, text in zip(choices, instead, strict=True)
    ]
    wide = max(map(len, said), default=0)
    room = width - named - own - wide - 14
    lines = []
    for choice, told in zip(choices, said, strict=True):
        style = STYLES.get(choice.mark, "")
        line = Text(no_wrap=True, overflow="ellipsis")
        line.append("▸" if choice.seat == seat else " ", style="bold")
        line.append(f"{choice.mark:>2} ", style=f"bold {style}")
        line.append(f"{short(names[choice.seat], named):<{named}} ", style="bold" if choice.seat == seat else "")
        line.append(f"{option_text(choice.options[choice.chosen]):>{own}} ", style="bold")
        line.append(f"{told:<{wide}} ", style="green" if choice.chosen == choice.best else "" if choice.mark else "dim")
        line.append(f"{spoken().number(choice.lost, '+5.1f')} ", style=style or "dim")
        if room >= 4:
            line.append(bar(choice.lost, max(most, MARKS["?"]), room), style=style or "bright_black")
        line.apply_meta({"seat": choice.seat})
        lines.append(line)
    return Text("\n").join(lines)


def strip(choices: Sequence[Choice], names: Sequence[str], *, seat: int | None = None, width: int = 60) -> Text:
    """The seats that decided, each with its mark, in one line: "▸?! anna   bob". Names carry `meta` "seat"."""
    line = Text(no_wrap=True, overflow="ellipsis")
    room = max(4, min(NAME, width // max(1, len(choices)) - 4))
    for choice in choices:
        own = choice.seat == seat
        name = Text.assemble(
            ("▸" if own else " ", "bold"),
            (choice.mark, f"bold {STYLES.get(choice.mark, '')}"),
            " " * bool(choice.mark),
            (short(names[choice.seat], room), "bold" if own else "dim"),
            " ",
        )
        name.apply_meta({"seat": choice.seat})
        line.append_text(name)
    return line


def marks_of(choices: Sequence[Choice], seat: int) -> Text:
    """The marks of a seat, counted by kind: "2 ??  1 ?  4 ?!"."""
    count = Counter(choice.mark for choice in choices if choice.seat == seat)
    parts = [Text(f"{count[mark]} {mark}", style=STYLES[mark]) for mark in MARKS if count[mark]]
    return Text("  ").join(parts) if parts else Text(say("replay.summary.none"), style="green")


def summary(analysis: Analysis, *, width: int = 80) -> Group:
    """Each result as a sum, usual + luck + own play = heads, with what mistakes cost of it. From 40 columns on."""
    accounts = sorted(analysis.accounts, key=lambda account: account.parts.heads)
    titles = {key: say(f"replay.summary.{key}") for key in ("heads", "usual", "luck", "play", "mistakes", "marks")}
    number = spoken().number
    told = [account.parts.told for account in accounts]
    most = max([abs(value) for one in told for value in (one.luck, one.play)], default=0.0)
    worths = max(len(worth(value).plain) for one in told for value in (one.luck, one.play))
    left = width - 18 - sum(1 + max(5, len(titles[key])) for key in ("heads", "usual")) - 2 * (1 + worths)
    """Columns that are left for bars, mistakes and marks."""
    marks = left >= 34 + len(titles["mistakes"])
    bars = (left - marks * 20 - len(titles["mistakes"]) - 3) // 2
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim", expand=False)
    table.add_column("", no_wrap=True, overflow="ellipsis", min_width=6, max_width=20)
    table.add_column(titles["heads"], justify="right", no_wrap=True)
    table.add_column(titles["usual"], justify="right", no_wrap=True)
    for key in ("luck", "play"):
        table.add_column(titles[key], justify="right", no_wrap=True)
        if bars > 2:
            table.add_column("", no_wrap=True, min_width=bars)
    if left > len(titles["mistakes"]):
        table.add_column(titles["mistakes"], justify="right", no_wrap=True)
    if marks:
        table.add_column(titles["marks"], no_wrap=True)
    for account, one in zip(accounts, told, strict=True):
        cells = [
            Text(f"{account.seat} {harmless(account.name)}", no_wrap=True, overflow="ellipsis"),
            Text(str(account.parts.heads), style="bold"),
            Text(number(one.usual, ".1f")),
        ]
        for value in (one.luck, one.play):
            cells.append(worth(value))
            if bars > 2:
                cells.append(Text(bar(abs(value), most, bars), style=cells[-1].style))
        if left > len(titles["mistakes"]):
            cells.append(Text(number(one.mistakes, ".1f")))
        if marks:
            cells.append(marks_of(analysis.choices, account.seat))
        table.add_row(*cells)
    return Group(table, Text(), *(Text(line, style="dim") for line in _words(analysis)))


def _words(analysis: Analysis) -> Sequence[str]:
    def said(key: str, **values: object) -> str:
        return say(f"replay.summary.{key}", **values)

    policy = harmless(analysis.method.policy, 20)
    method = said("method", count=len(analysis.choices), policy=policy) + ("" if analysis.simulated else said("engine"))
    return (*map(said, ("sum", "what_usual", "what_luck", "what_play")), method)
