"""A match when it is over, for those who played it: places, the curve of heads, costly choices, luck, and how they played lately.

Results come as facts of `people.messages.Over`. Names are strangers' text and are made harmless here.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from textwrap import wrap
from typing import Any

from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import Reader, say, spoken
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.game import Game, Option
from bullring.arena.games.rules.reasons import Reason
from bullring.arena.games.rules.sayings import Heads
from bullring.arena.study.analysis.result import Account, Choice
from bullring.arena.watching.display.analysis import STYLES, worth
from bullring.arena.watching.display.blocks import Block, above, wrapped
from bullring.arena.watching.display.board import sized
from bullring.arena.watching.display.cards import Size
from bullring.arena.watching.display.cards import card as drawn_card
from bullring.arena.watching.display.lines import HEAVY, THIN, trace
from bullring.arena.watching.display.people import RISES
from bullring.arena.watching.display.text import option_text, short
from bullring.arena.watching.picture.picture import Picture

NAME = 24
"""Most characters of a name."""

WORDS = 30
"""Least columns of words beside bars."""

COMPARED = 6
"""Matches from which on the later half is compared with the one before."""

LABEL = 12
"""Most characters of a name beside its curve."""

DEAL = 4
"""Width of the heads of a deal."""

LETTERS = 8
"""Columns that names keep beside luck and play."""

COLOURS = ("yellow", "magenta", "green", "blue", "red", "bright_black")
"""Colours of the curves of bots, by turns."""

OWN = "bold cyan"
"""The colour of people's curves."""

Facts = Mapping[str, Any]

Column = tuple[str, int, Sequence[Text]]
"""A column of a table of seats: title, width, and cells by seat."""


def colour(facts: Facts, seat: int) -> str:
    """The colour of a seat in the table and in the curve."""
    people = facts["people"]
    return OWN if seat in people else COLOURS[(seat - sum(one < seat for one in people)) % len(COLOURS)]


def headline(facts: Facts) -> Text:
    """The end of a match in a line: the place of the one person who played, or else the winners."""
    if facts["void"]:
        return Text(f" {say('screens.places.void')} ", "bold black on red")
    seats, people = facts["seats"], facts["people"]
    names = [Reader(name) if people == [at] else harmless(name, 64) for at, name in enumerate(facts["names"])]
    best = tuple(names[seat["seat"]] for seat in seats if seat["rank"] == 1)
    heads = Heads(min(seat["score"] for seat in seats if seat["rank"] == 1))
    if len(people) == 1 and seats[people[0]]["rank"] > 1:
        own = seats[people[0]]
        place = say("screens.places.place", place=own["rank"], count=len(seats))
        told = say("screens.places.first", heads=Heads(own["score"]), winner=best)
        return Text.assemble((f" {place} ", "bold black on yellow"), (f"  {told}", "bold"))
    told = say("screens.places.shared", names=best, heads=heads)
    if len(best) == 1:
        told = say("screens.places.won", name=best[0], heads=heads)
    return Text(f" {told} ", "bold black on green")


def placing(facts: Facts, width: int, accounts: Sequence[Account] = ()) -> Block:
    """The seats by place: name, the heads of the last deals that fit, and the total; with `accounts`, what it is the sum of, too.

    Names have the colours of their curves.
    """
    seats = sorted(facts["seats"], key=lambda seat: (seat["rank"] or 0, seat["seat"]))
    names = [harmless(name, 64) for name in facts["names"]]
    deal, total = say("screens.places.deal"), say("screens.places.total")
    parts = _parts(accounts, width - 7 - len(total) - 2 - min(LETTERS, max(map(len, names))))
    used = 7 + len(total) + 2 + sum(column[1] for column in parts)
    wide = max(len(deal), min(NAME, max(map(len, names)), width - used))
    deals: Sequence[Sequence[int]] = facts["deals"]
    room = max(0, (width - wide - used) // DEAL)
    shown = range(max(0, len(deals) - room + 1) if len(deals) > room else 0, len(deals) if len(deals) > 1 else 0)
    columns: list[Column] = [("…", DEAL, [Text()] * len(names))] if room and shown and shown[0] else []
    columns += [(str(number + 1), DEAL, [Text(str(heads)) for heads in deals[number]]) for number in shown]
    columns.append((total, len(total) + 2, [Text(str(seat["score"]), "bold") for seat in facts["seats"]]))
    columns += parts

    def row(begin: Text, cells: Sequence[Text]) -> Text:
        for cell, column in zip(cells, columns, strict=True):
            begin.append(" " * max(0, column[1] - cell.cell_len)).append_text(cell)
        return begin

    def lines() -> Iterator[Text]:
        title = row(Text(f"{'':7}{deal if shown else '':>{wide}}"), [Text(column[0]) for column in columns])
        title.stylize("dim")
        yield title
        for seat in seats:
            at = seat["seat"]
            rank = f"{seat['rank']}." if seat["rank"] else "-"
            line, style = "━" if at in facts["people"] else "─", colour(facts, at)
            begin = Text.assemble(
                (f"{rank:>3} ", "bold green" if seat["rank"] == 1 else ""),
                (line * 2, style),
                (f" {short(names[at], wide):<{wide}}", style),
            )
            yield row(begin, [column[2][at] for column in columns])

    return Block(lines(), width)


def _parts(accounts: Sequence[Account], room: int) -> list[Column]:
    """What the heads are the sum of: those that are usual, luck, and the own play; what fits. Nothing before the analysis."""
    told = [account.parts.told for account in accounts]
    found = [
        ("usual", [Text(spoken().number(one.usual, ".1f")) for one in told]),
        ("luck", [worth(one.luck) for one in told]),
        ("play", [worth(one.play) for one in told]),
    ]
    columns: list[Column] = []
    for key, cells in found if told else ():
        title = say(f"replay.summary.{key}")
        columns.append((title, 2 + max(len(title), *(cell.cell_len for cell in cells)), cells))
    return columns if sum(column[1] for column in columns) <= room else []


def curve(facts: Facts, width: int, height: int, *, named: bool = True) -> Block:
    """The heads of all seats, turn by turn: a line for each, which may be `named` at the right; empty where there is no room."""
    points: Sequence[Facts] = facts["curve"]
    names = [
        f"{short(harmless(name), LABEL)} {seat['score']}"
        for name, seat in zip(facts["names"], facts["seats"], strict=True)
    ]
    most = max((max(point["heads"]) for point in points), default=0)
    left, high = len(str(most)) + 1, height - 2
    if not points or not most or high < 3:
        return Block([])

    def row(heads: int) -> int:
        return high - 1 - round(heads * (high - 1) / most)

    labels = _labels(facts, names, [row(heads) for heads in points[-1]["heads"]], high, width // 3) if named else {}
    wide = width - left - min(width // 3, max((label.cell_len for label in labels.values()), default=0))
    if wide < 12:
        return Block([])
    grid = [[Text(" ") for _ in range(wide)] for _ in range(high)]
    for seat in sorted(range(len(names)), key=lambda seat: seat in facts["people"]):
        heads = [0, *(point["heads"][seat] for point in points)]
        rows = [row(heads[at * (len(heads) - 1) // (wide - 1)]) for at in range(wide)]
        trace(grid, rows, HEAVY if seat in facts["people"] else THIN, colour(facts, seat))
    scale = {0: most, high - 1: 0}
    lines = [Text(say("screens.result.curve"), "bold")]
    for number, cells in enumerate(grid):
        line = Text.assemble((f"{scale.get(number, ''):>{left - 1}}{'┤' if number in scale else '│'}", "dim"), *cells)
        line.append_text(labels.get(number, Text()))
        lines.append(line)
    lines.append(Text(" " * left + _deals(points, wide), "dim"))
    return Block(lines, width)


def _labels(facts: Facts, names: Sequence[str], ends: Sequence[int], high: int, room: int) -> dict[int, Text]:
    """The names by the rows, `high` of them, in which curves end: people first, then the best.

    Those for which there is no room behind others are in the nearest free row.
    """
    found: dict[int, Text] = {}
    for seat in sorted(
        range(len(names)), key=lambda seat: (seat not in facts["people"], facts["seats"][seat]["rank"] or 0)
    ):
        at, name = ends[seat], Text(f" {names[seat]}", colour(facts, seat))
        if at in found and found[at].cell_len + name.cell_len > room:
            at = min(
                (row for row in range(high) if row not in found), key=lambda row: abs(row - ends[seat]), default=at
            )
        found.setdefault(at, Text()).append_text(name)
    return found


def _deals(points: Sequence[Facts], wide: int) -> str:
    """The axis: where each deal begins; of one deal, nothing."""
    starts = [at for at, point in enumerate(points) if not at or point["deal"] != points[at - 1]["deal"]]
    axis = [" "] * wide
    free = 0
    for at in starts if len(starts) > 1 else ():
        label = f"{say('screens.places.deal')} 1" if not at else str(points[at]["deal"])
        place = at * (wide - 1) // len(points)
        if place >= free and place + len(label) <= wide:
            axis[place : place + len(label)] = label
            free = place + len(label) + 1
    return "".join(axis)


def costly(
    choices: Sequence[Choice],
    game: type[Game[Any]],
    width: int,
    *,
    at: int,
    names: Sequence[str] = (),
    reasons: Sequence[Mapping[int, Sequence[Reason]]] = (),
    open: bool = True,
) -> list[Text]:
    """Choices with what they cost, and why: if they are `open`, of all of them and of what was better, else of the one with the
    cursor, which is `at`.

    `names` are those of the seats, where it is not clear who has chosen. A click finds `meta["choice"]`, a number.
    """
    words = wording(game)
    lines: list[Text] = []

    def shown(choice: Choice, option: Option) -> str:
        decision = game.decision(choice.kind)
        return option_text(option) if decision.shows is not None else words.told(choice.kind, option)

    costs = [say("screens.result.cost", heads=choice.lost) for choice in choices]
    indent = 6 + max(map(len, costs), default=0) + 1
    for number, choice in enumerate(choices):
        own, best = (shown(choice, choice.options[option]) for option in (choice.chosen, choice.best))
        here = "bold" if number == at else ""
        values = {"deal": choice.deal, "turn": choice.turn, "own": own, "best": best}
        who = f"{harmless(names[choice.seat], NAME)}, " if names else ""
        begin = Text.assemble(
            ("▸ " if here else "  ", "bold cyan"), (f"{choice.mark:<3}", f"bold {STYLES[choice.mark]}")
        )
        begin.append(f"{costs[number]:>{indent - 7}}  ", STYLES[choice.mark])
        card = wrap(who + say("screens.result.card", **values), max(20, width - indent))
        told = [Text.assemble(begin if not line else " " * indent, (part, here)) for line, part in enumerate(card)]
        if (open or number == at) and number < len(reasons):
            for option in dict.fromkeys((choice.chosen, choice.best) if open else (choice.chosen,)):
                why = words.reasons(reasons[number].get(option, ()))
                label = f"{shown(choice, choice.options[option])}: "
                told += [Text(f"     {part}") for part in wrap(label + why, max(20, width - 5)) if why]
        for line in told:
            line.apply_meta({"choice": number})
        lines += told
    return lines


def fortune(account: Account, name: str) -> str:
    """Luck, good choices and mistakes of a seat in a sentence that adds up; `name` may be a `Reader`."""
    told = account.parts.told
    by_luck, by_play = "lucky" if told.luck < 0 else "unlucky", "saved" if told.play < 0 else "cost"
    luck = say(f"screens.result.{by_luck}", name=name, par=told.usual, luck=abs(told.luck))
    values = {"play": abs(told.play), "edge": abs(told.edge), "mistakes": told.mistakes}
    return f"{luck} {say(f'screens.result.play_{by_play}', **values)}"


def lately(matches: Sequence[Facts], width: int, *, open: bool = True) -> list[Text]:
    """The last matches of a person, as `people.history.lately` gives them: a bar for each, the higher the better its place.

    If it is `open`, the later half is compared with the one before.
    """
    if len(matches) < 2:
        return []
    bars = Text()
    for match in matches:
        good = (match["seats"] - match["place"]) / max(1, match["seats"] - 1)
        bars.append(RISES[round(good * (len(RISES) - 1))], "green" if match["place"] == 1 else "")
    places = [match["place"] for match in matches]
    half = len(places) // 2
    told = say("screens.result.won", count=len(places), won=places.count(1), place=fmean(places))
    change = fmean(places[:half]) - fmean(places[half:])
    if open and len(places) >= COMPARED and abs(change) >= 0.05:
        told += say(f"screens.result.{'better' if change > 0 else 'worse'}", by=abs(change))
    if width < len(places) + 2 + WORDS:
        return [bars, *map(Text, wrap(told, max(20, width)))]
    lines = wrap(told, width - len(places) - 2)
    return [Text.assemble(bars if not at else " " * len(places), "  ", line) for at, line in enumerate(lines)]


def moment(picture: Picture, seat: int, width: int, height: int) -> Block:
    """The table when a seat decided, and its hand; empty where there is no room for them."""
    hand = [drawn_card(number, picture.bears[number], Size.CHIP) for number in sorted(picture.seats[seat].hand or ())]
    cards = wrapped(hand, width)
    title = Text(say("screens.result.moment", deal=picture.deal, turn=picture.turn), "bold")
    rows, room = list[Text](), height - cards.height - 3
    for size in reversed(Size):
        table = sized(picture, width, room, size)
        rows = list(table.lines)
        while rows and not rows[-1].plain.strip():
            rows.pop()  # the place of cards that wait
        if len(rows) <= room and table.width <= width:
            break
    drawn = above([Block([title], width), Block([*rows, Text()], width), cards], width)
    return drawn if drawn.height <= height and rows else Block([])
