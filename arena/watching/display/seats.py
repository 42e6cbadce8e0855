"""The seats of a picture: as panels with a card before each, as lines of a table, or as cells side by side."""

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from statistics import median

from rich.style import Style
from rich.text import Text

from bullring.arena.games.rulebook.language import say, spoken
from bullring.arena.watching.display.blocks import Block, above, beside, wrapped
from bullring.arena.watching.display.cards import HEAD, Size, back, overlapped, worth_style
from bullring.arena.watching.display.columns import Column, fitting, tally
from bullring.arena.watching.display.text import short
from bullring.arena.watching.picture.picture import Picture, SeatPicture

PANEL = 24
"""Least columns of a seat's panel."""

CELL = 19
"""Least columns of a cell."""

BAR = 6
"""Least columns of a bar of a score."""

NAME = 30
"""Most columns of a name in a table."""


LETTERS = 8
"""Letters of a name that are shown at least."""

SHORT, APART = LETTERS + 11, 1
"""Least columns of a seat in a strip, and those between two."""


class Seating(IntEnum):
    """Ways to draw seats, the smallest first."""

    CELLS = 0
    STRIP = 1
    LINES = 2
    PANELS = 3


def seats(picture: Picture, width: int, seating: Seating = Seating.LINES, *, waited: float = 0.0) -> Block:
    """All seats. `waited` is the number of seconds that the table has waited for answers.

    A click finds `meta["seat"]`, its number from 0.
    """
    match seating:
        case Seating.PANELS:
            across = max(1, min(len(picture.seats), width // PANEL))
            lines = -(-len(picture.seats) // across)
            across = -(-len(picture.seats) // lines)  # 10 seats: 5 and 5
            size = (width - (across - 1)) // across
            return wrapped((_panel(picture, at, size, waited) for at in range(len(picture.seats))), width)
        case Seating.LINES:
            return _table(picture, width, waited)
        case Seating.STRIP:
            return strip(picture, width)
        case _:
            across = max(1, min(len(picture.seats), width // CELL))
            lines = -(-len(picture.seats) // across)
            across = -(-len(picture.seats) // lines)
            size = (width - (across - 1)) // across
            return wrapped((_cell(picture, at, size, waited) for at in range(len(picture.seats))), width)


def strip_lines(seats: int, width: int) -> int:
    """The lines of a strip of so many seats."""
    return -(-seats // max(1, (width + APART) // (SHORT + APART)))


def strip(picture: Picture, width: int, *, tall: bool = False) -> Block:
    """The seats as players see them, in as few lines as hold eight letters of each name: signs instead of words, and no times.

    A sign says who thinks (…), is ready (✓), moves (▶), is out (✗) or has won (★), and names of people have a colour. The total
    follows right after the name, so that it is read with no other one, then the card of this turn when it is turned up, or
    the heads taken in it. Where they are `tall`, a second line has the figures of the game, or else draws the total.
    """
    many = len(picture.seats)
    across = -(-many // max(1, strip_lines(many, width)))
    size = min(2 * SHORT, (width + APART) // max(1, across) - APART)
    return wrapped((_short(picture, at, size, tall) for at in range(many)), across * (size + APART) - APART, APART)


def _short(picture: Picture, at: int, width: int, tall: bool) -> Block:
    seat = picture.seats[at]
    thinks = seat.asked and not picture.over
    signs = (("✗", seat.closed), ("▶", picture.mover == at), ("✓", seat.down), ("…", thinks), ("★", seat.rank == 1))
    sign = next((sign for sign, holds in signs if holds), " ")
    shown = Text() if seat.down else _shown(picture, seat, Size.TINY, 4).lines[0]
    if not seat.down and len(seat.cards) > 1:  # a pair is seen, as small as it can be
        shown = Text(" ").join(_tight(picture, number) for number in seat.cards[-2:])
    if seat.took:
        shown = Text(f"+{seat.took}", style="bold red")
    total = f" {seat.score}"
    room = max(LETTERS, width - 2 - len(total) - max(4, shown.cell_len))
    style = "bold reverse" if picture.mover == at else "bold cyan" if seat.person else ""
    name = Text(short(seat.name, room), style)
    colour = "red" if seat.closed else "bold green" if seat.down or seat.rank == 1 else "bold"
    lines = [Text.assemble((sign, colour), name, (total, "bold"), " ", shown)]
    if tall:
        figures = "  ".join(f"{_title(title)} {value}" for title, value in seat.figures.items())
        lines.append(Text(" ") + (Text(figures) if figures else bar(seat.score, most_heads(picture), width - 1)))
    return Block(lines, width).styled(Style(meta={"seat": at}))


def _tight(picture: Picture, number: int) -> Text:
    """A card as small as it can be; its colour says what it is worth."""
    return Text(str(number), worth_style(picture.bears[number]))


def bar(value: int, most: int, width: int) -> Text:
    """A bar of `width` columns."""
    full = min(width, round(width * value / most)) if most > 0 else 0
    return Text.assemble(("█" * full, "cyan"), ("─" * (width - full), "dim"))


def most_heads(picture: Picture) -> int:
    """The score at which a bar is full: the target, or else the highest one."""
    return max(picture.target or 1, *(seat.score for seat in picture.seats), 1)


def doing(picture: Picture, at: int, waited: float) -> Text:
    """The state of a seat in a few words."""
    seat = picture.seats[at]
    if picture.over:
        text = "" if not seat.rank else say("table.first") if seat.rank == 1 else say("table.place", rank=seat.rank)
        if seat.closed:
            text = say("table.out_too", what=text) if text else say("table.out")
        return Text(text, style="bold green" if seat.rank == 1 else "")
    if seat.asked and not seat.closed:
        words = picture.words.waits(picture.kind)
        return Text(say("table.waits", what=words, seconds=waited) if waited >= 1 else words, style="bold")
    if seat.closed:
        return Text(say("table.out"), style="red")
    if seat.down:
        return Text(say("table.ready"), style="green")
    return Text("")


def took(seat: SeatPicture) -> Text:
    """The heads that a seat took in this turn: "+12 Ψ"."""
    return Text(f"+{seat.took} {HEAD}" if seat.took else "", style="bold red")


def _name(picture: Picture, at: int) -> Text:
    seat = picture.seats[at]
    style = "bold reverse" if picture.mover == at else "bold" if seat.asked or (picture.over and seat.rank == 1) else ""
    return Text(f"{at} {seat.name}", style=style)


def _shown(picture: Picture, seat: SeatPicture, size: Size, width: int) -> Block:
    """The cards before a seat: those that it has played, as many as there is room for, or one face down."""
    if seat.down:
        return back(size)
    if not seat.cards:
        return Block([""] * size.height, size.width)
    step = size.width + (size is Size.TINY) - (1 if size is Size.BOX else 0)
    fit = max(1, 1 + (width - size.width) // step)
    moving = picture.moving
    return overlapped(seat.cards[-fit:], picture.bears, size, lambda number: number == moving)


def _panel(picture: Picture, at: int, width: int, waited: float) -> Block:
    seat = picture.seats[at]
    inner = width - 4
    cards = _shown(picture, seat, Size.BOX, max(6, inner - 12))
    beside_it = inner - cards.width - 1
    count = "" if seat.heads is None else say("table.heads", heads=seat.heads, sign=HEAD)
    if seat.heads is not None and len(count) > beside_it:
        count = f"{seat.heads} {HEAD}"
    others = [Text(f"{_title(title)} {value}") for title, value in seat.figures.items()]
    does = doing(picture, at, waited)
    if not does.plain and seat.us is not None:
        does = Text(f"{seat.us / 1000:.1f} ms", style="dim")
    news = [took(seat), *others] if seat.took else others
    if not count and others:
        count = str(news.pop())
    words = Block([Text("  ").join(news), Text(count), does], beside_it)
    total = Text(f" {seat.score:>3}", style="bold")
    line = Block([bar(seat.score, most_heads(picture), inner - total.cell_len) + total], inner)
    body = above([beside([cards, words], 1), line], inner)
    edge = _edge(picture, at)
    name = _name(picture, at)
    name.truncate(width - 6, overflow="ellipsis")
    faults = f" {seat.faults} ✗ " if seat.faults else ""
    filler = width - 4 - name.cell_len - len(faults)
    top = Text.assemble(("╭ ", edge), name, (" " + "─" * max(0, filler), edge), (faults, "red"), ("╮", edge))
    lines = [Text.assemble(("│ ", edge), text, (" │", edge)) for text in body.lines]
    below = Text("╰" + "─" * (width - 2) + "╯", style=edge)
    return Block([top, *lines, below], width).styled(Style(meta={"seat": at}))


def _edge(picture: Picture, at: int) -> str:
    seat = picture.seats[at]
    if picture.mover == at:
        return "bold red" if picture.falling is not None or picture.taken else "bold"
    if picture.over and seat.rank == 1:
        return "bold green"
    return "bold" if seat.asked and not seat.closed else "dim"


def _table(picture: Picture, width: int, waited: float) -> Block:
    """A line for each seat. The least important columns go first: times, then faults."""
    rows = range(len(picture.seats))
    columns = list(_columns(picture, waited))
    sizes = {column.key: column.width(rows) for column in columns}
    names = min(NAME, max(8, *(_name(picture, at).cell_len for at in rows)))
    short = min(names, 12)

    def needed(kept: Sequence[Column[int]]) -> int:
        return short + BAR + 2 + sum(sizes[column.key] + 2 for column in kept)

    columns = fitting(columns, width, needed)
    room = width - needed(columns)
    names = min(names, short + max(0, room))
    scale = min(40, max(0, BAR + room - (names - short)))

    def line(name: Text, cells: Mapping[str, Text], score: Text) -> Text:
        """A name and its cells, with a score drawn before the total."""
        name.truncate(names, overflow="ellipsis", pad=True)
        text = Text.assemble(name)
        for column in columns:
            cell, size = cells[column.key], sizes[column.key]
            if column.key == "total" and scale:
                text = text + Text("  ") + score
            space = Text(" " * (size - cell.cell_len))
            text = text + Text("  ") + (cell + space if column.left else space + cell)
        return text

    titles = {column.key: Text(column.head, "dim") for column in columns}
    lines = [Block([line(Text(f"  {_title('name')}", "dim"), titles, Text(" " * scale))], width)]
    for at in rows:
        cells = {column.key: column.cell(at) for column in columns}
        drawn = line(_name(picture, at), cells, bar(picture.seats[at].score, most_heads(picture), scale))
        lines.append(Block([drawn], width).styled(Style(meta={"seat": at})))
    return above(lines, width)


def _columns(picture: Picture, waited: float) -> Iterator[Column[int]]:
    """The columns of the table, each with the cell of a seat."""
    seats = picture.seats
    cards = Size.CHIP.width * (2 if any(len(seat.cards) > 1 for seat in seats) else 1)
    yield Column(
        "card",
        _title("card"),
        lambda at: seats[at],
        lambda seat: _shown(picture, seat, Size.CHIP, cards).lines[0],
        left=True,
        least=cards,
    )
    if any(seat.heads is not None for seat in seats):
        yield Column("took", _title("took"), lambda at: took(seats[at]), least=5)
        yield Column("deal", _title("deal"), lambda at: seats[at].heads or 0, weight=2)
    for number, title in enumerate(dict.fromkeys(title for seat in seats for title in seat.figures)):
        yield Column(title, _title(title), lambda at, title=title: seats[at].figures.get(title), weight=3 + number)  # type: ignore[misc]
    yield Column(
        "total", _title("total"), lambda at: seats[at].score, lambda score: Text(str(score), style="bold"), least=3
    )
    yield Column("doing", "", lambda at: doing(picture, at, waited), left=True, least=13)
    if picture.limit_us is not None or any(seat.times for seat in seats):
        yield Column("last_ms", _title("last_ms"), lambda at: seats[at].times[-1:], _ms, weight=11)
        yield Column("median_ms", _title("median_ms"), lambda at: seats[at].times, _ms, weight=12)
    if any(seat.faults for seat in seats):
        yield Column(
            "faults", _title("faults"), lambda at: seats[at].faults, lambda count: Text(tally(count), "red"), weight=10
        )


def _title(key: str) -> str:
    """The title of a column; that of a figure of a game from elsewhere is its own."""
    return spoken().find(f"table.columns.{key}") or key


def _cell(picture: Picture, at: int, width: int, waited: float) -> Block:
    """A seat in one line: name, total, last card, heads of this turn."""
    seat = picture.seats[at]
    state = doing(picture, at, waited)
    shown = _shown(picture, seat, Size.TINY, 4).lines[0]
    if not seat.cards and not seat.down:
        shown = Text("…" if state.plain and not picture.over else "")
    new = Text(f" +{seat.took}" if seat.took else "", style="bold red")
    total = Text(f" {seat.score}", style="bold")
    name = _name(picture, at)
    if seat.closed:
        name.stylize("red")
    name.truncate(max(3, width - 13), overflow="ellipsis")
    return Block([Text.assemble(name, total, " ", shown, new)], width).styled(Style(meta={"seat": at}))


def _ms(times: tuple[int, ...]) -> Text:
    return Text(f"{median(times) / 1000:.1f}" if times else "", style="dim")
