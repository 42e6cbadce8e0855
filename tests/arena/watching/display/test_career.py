"""The page of somebody who plays."""

import pytest
from rich.text import Text

from bullring.arena.watching.display.blocks import Block
from bullring.arena.watching.display.career import Rival, page

RIVALS = [Rival(f"rival {at}", 0.5, 100) for at in range(7)]


def test_most_lines_are_for_the_course() -> None:
    for width, height, least in ((77, 17, 12), (44, 27, 9), (58, 37, 19), (140, 57, 40)):
        given: list[tuple[int, int]] = []

        def course(wide: int, high: int, given: list[tuple[int, int]] = given) -> Block:
            given.append((wide, high))
            return Block(["*" * wide] * high, wide)

        drawn = page([Text("a"), Text("b")], course, [4, 3, 2, 1], lambda wide: Block([], wide), RIVALS, width, height)
        ((_, high),) = given
        assert high >= least
        assert drawn.height <= height
        assert all(f"rival {at}" in drawn.plain for at in range(7))


@pytest.mark.parametrize("width", [40, 77])
def test_many_rivals_are_below_the_course_and_the_places(width: int) -> None:
    many = [Rival(f"rival {at}", 0.5, 100) for at in range(60)]
    drawn = page(
        [Text("a")], lambda wide, high: Block(["*" * wide] * high, wide), [4, 3], lambda _: Block([]), many, width, 17
    )
    assert all(f"rival {at}" in drawn.plain for at in range(60))
    assert max(line.cell_len for line in drawn.lines) <= width
