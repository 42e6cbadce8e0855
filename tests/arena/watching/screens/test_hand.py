"""The hand of a person, as it is drawn."""

import pytest
from rich.style import Style
from rich.text import Text

from bullring.arena.games.rules.decision import Decision
from bullring.arena.watching.display.blocks import Block
from bullring.arena.watching.display.cards import Size
from bullring.arena.watching.display.playing import planned
from bullring.arena.watching.screens.table.choice import Choice, Item, Sight
from bullring.arena.watching.screens.table.hand import drawn, pointed

BEARS = [1] * 105
NIFTY = [3, 10, 18, 25, 46, 48, 58, 62, 71, 74, 80, 87, 99, 104]


def choice(options: list[int], hand: list[int]) -> Choice:
    sight = Sight(hand=frozenset(hand), pool=(), cards=104, rows=4, stacks=0, seats=4)
    return Choice(options, Decision("kind", "", "", ""), sight, str)


def picked(block: Block, number: int) -> list[tuple[int, int]]:
    """The cells, by line and column, in which a click finds a card."""
    found = []
    for at, line in enumerate(block.lines):
        for span in line.spans:
            if isinstance(span.style, Style) and span.style.meta.get("pick") == number:
                found += [(at, column) for column in range(span.start, span.end)]
    return sorted(set(found))


@pytest.mark.parametrize(("width", "height"), [(80, 24), (100, 30), (120, 40), (200, 60)])
def test_the_largest_hand_is_in_one_line_of_cards_and_can_be_read(width: int, height: int) -> None:
    plan = planned(width, height, 4, len(NIFTY))
    assert plan.hand >= Size.BOX
    assert plan.hand_lines == plan.hand.height + 1
    cursor = Item("card", 46)
    block = drawn(NIFTY, choice(NIFTY, NIFTY), cursor, BEARS, width, plan.hand_lines, plan.hand)
    assert all(f"{number}" in block.plain for number in NIFTY)
    for number in NIFTY:
        columns = {column for _, column in picked(block, number)}
        assert len(columns) >= (plan.hand.width if number == 46 else 4)


def test_cards_that_lie_nowhere_else_are_larger_than_a_hand_from_which_nothing_can_be_chosen() -> None:
    hand = NIFTY[2:]
    block = drawn(hand, choice([3, 10], hand), None, BEARS, 80, 4, Size.BOX, extra="from")
    assert block.height <= 4
    assert {line for line, _ in picked(block, 46)} == {0}
    assert {line for line, _ in picked(block, 3)} == {1, 2, 3}
    assert all(f"{number}" in block.plain for number in NIFTY)


def test_cards_in_several_lines_are_spread_over_them() -> None:
    block = drawn(NIFTY, choice(NIFTY, NIFTY), None, BEARS, 66, 8, Size.BOX)
    lines = [sum(picked(block, number)[0][0] == first for number in NIFTY) for first in (1, 5)]
    assert lines == [7, 7]


def test_a_stack_at_the_cursor_is_marked_at_its_number_alone() -> None:
    stack = Block([Text.assemble("1  ", (" 45 ", Style(meta={"pick": 45}))), "   ", "+2"], 7).styled(
        Style(meta={"stack": 1})
    )
    marked = pointed(stack, lambda kind, number: Style(reverse=True) if (kind, number) == ("stack", 1) else "")
    cells = [
        (at, line.plain[span.start : span.end])
        for at, line in enumerate(marked.lines)
        for span in line.spans
        if isinstance(span.style, Style) and span.style.reverse
    ]
    assert cells == [(0, "1"), (2, "+2")]
