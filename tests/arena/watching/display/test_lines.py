"""Courses of numbers as lines."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from bullring.arena.watching.display.lines import HEAVY, THIN, chart, scale, trace


def dotted(sign: str) -> bool:
    """Whether a course goes through a cell."""
    return "\u2801" <= sign <= "\u28ff"


def test_a_course_goes_from_its_first_value_to_its_last_one_within_its_band() -> None:
    lines = chart(
        [1500, 1600, 1550],
        24,
        5,
        low=1500,
        high=1600,
        ticks=[1500, 1600],
        bands=[(1500, 1575), (1550, 1600), (1525, 1575)],
    )
    shown = [line.plain for line in lines]
    assert all(len(line) == 24 for line in shown)
    assert shown[0].startswith("1600┤")
    assert dotted(shown[4][5])
    assert shown[4].startswith("1500┤")
    assert dotted(shown[2][-1])
    assert any(map(dotted, shown[0]))
    assert all(any(dotted(line[column]) for line in shown) for column in range(5, 24))  # without a gap
    assert "░" not in shown[0][5:8]  # the band does not reach so high at first


def test_less_can_be_higher_up() -> None:
    lines = [line.plain for line in chart([30, 10], 20, 4, low=30, high=10, ticks=[10, 30], dots=[30, 10])]
    assert lines[0].startswith("10┤")
    assert dotted(lines[0][-1])
    assert lines[3].startswith("30┤")
    assert dotted(lines[3][3])


@given(st.floats(0, 2000), st.floats(0.1, 900), st.integers(3, 50))
def test_a_scale_holds_its_values_and_has_ticks_equally_far_apart(low: float, more: float, height: int) -> None:
    begin, end, ticks = scale(low, low + more, height)
    assert begin <= low < low + more <= end
    rows = [(tick - begin) / (end - begin) * (height - 1) for tick in ticks]
    assert len(rows) >= 2 or height == 3
    assert all(abs(row - round(row)) < 1e-6 for row in rows)
    assert len({round(after - before) for before, after in pairwise(rows)}) <= 1


def test_there_is_no_course_of_one_value_or_without_room() -> None:
    assert not chart([1], 40, 8, low=0, high=2, ticks=[1])
    assert not chart([1, 2], 8, 8, low=0, high=2, ticks=[1])


def test_lines_that_lie_on_each_other_are_both_seen() -> None:
    grid = [[Text(" ") for _ in range(8)]]
    trace(grid, [0] * 8, THIN, "red")
    trace(grid, [0] * 8, HEAVY, "cyan")
    assert "".join(cell.plain for cell in grid[0]) == "──━━──━━"
