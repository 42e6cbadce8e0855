"""Courses of numbers as lines."""

from rich.text import Text

from bullring.arena.watching.display.lines import HEAVY, THIN, chart, trace


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
    assert shown[4].startswith("1500┤━")
    assert shown[2].endswith("━")
    assert "━" in shown[0]
    assert "░" not in shown[0][5:8]  # the band does not reach so high at first


def test_less_can_be_higher_up() -> None:
    lines = [line.plain for line in chart([30, 10], 20, 4, low=30, high=10, ticks=[10, 30], dots=[30, 10])]
    assert lines[0].startswith("10┤")
    assert lines[0].endswith("━")
    assert lines[3].startswith("30┤━")


def test_there_is_no_course_of_one_value_or_without_room() -> None:
    assert not chart([1], 40, 8, low=0, high=2, ticks=[1])
    assert not chart([1, 2], 8, 8, low=0, high=2, ticks=[1])


def test_lines_that_lie_on_each_other_are_both_seen() -> None:
    grid = [[Text(" ") for _ in range(8)]]
    trace(grid, [0] * 8, THIN, "red")
    trace(grid, [0] * 8, HEAVY, "cyan")
    assert "".join(cell.plain for cell in grid[0]) == "──━━──━━"
