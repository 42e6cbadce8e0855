"""Parts of a board that no game shows today are drawn all the same."""

import io

import pytest
from rich.console import Console

from bullring.arena.display.parts import STACKS, drawn
from bullring.arena.rules.board import Part, Rows, Stacks

HEADS = [1] * 105


def lines(part: Part) -> list[str]:
    console = Console(width=80, file=io.StringIO(), force_terminal=False)
    console.print(drawn(part, HEADS, ()))
    assert isinstance(console.file, io.StringIO)
    return [" ".join(line.split()) for line in console.file.getvalue().splitlines()]


@pytest.mark.parametrize("both_ends", [False, True])
def test_a_row_may_be_empty(both_ends: bool) -> None:
    empty, other = lines(Rows([[], [7]], [0, 1], 5, both_ends))
    assert empty == "row 1 · · · · · 0 heads"
    assert other.startswith("row 2 ‹7›" if both_ends else "row 2 7")


def test_a_stack_may_be_empty() -> None:
    assert lines(Stacks([[], [3, 8]], 2)) == ["stack 1 0 cards", "stack 2 2 cards 3 8", "deck 2 cards"]
    *_, tops, _ = lines(Stacks([[5]] * STACKS + [[], [9]], 0))
    assert tops == f"{STACKS + 1}-{STACKS + 2} tops – 9"
