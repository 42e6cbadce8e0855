"""The end of a run on a terminal."""

import pytest
from rich.console import Console

from bullring.arena.watching.display.career import Result
from bullring.cli.ladder.runs import continuing
from bullring.ladder.standings.outlook import NOTHING
from bullring.ladder.watching.display.ended import Ended
from tests.ladder.standings.test_lines import ROWS

COMMAND = "bullring ladder run --jobs 1 --for 3s --sandbox none --allow-unsandboxed --home /a/folder/that/is/far"
LAST = [Result(90 - at, [("quick", 3), ("slow", 12)], void=at == 1) for at in range(60)]


def console(width: int, height: int = 24, *, terminal: bool = True) -> Console:
    return Console(width=width, height=height, force_terminal=terminal, color_system=None)


@pytest.mark.parametrize(("width", "height"), [(80, 21), (100, 27), (120, 37), (200, 57)])
def test_it_fits_the_terminal_and_has_results_that_count(width: int, height: int) -> None:
    ended = Ended("a list with a long title, four at a table", "60 matches in this run", ROWS, ROWS, NOTHING, LAST)
    screen = console(width)
    with screen.capture() as seen:
        screen.print(*ended.drawn(width, height), sep="\n")
    lines = seen.get().splitlines()
    assert len(lines) <= height
    assert sum("60 matches in this run" in line for line in lines) == 1
    results = [line for line in lines if line.lstrip().startswith(("9", "8", "7", "6"))]
    assert len(results) >= min(24, height - 10)
    assert not any(line.lstrip().startswith("89") for line in results)


def test_a_command_is_never_broken_by_us_and_has_a_line_of_its_own_where_there_is_no_room_beside_the_words() -> None:
    assert continuing(COMMAND, console(80)).splitlines() == ["continue with:", COMMAND]
    assert continuing(COMMAND, console(200)) == f"continue with: {COMMAND}"
    assert continuing(COMMAND, console(80, terminal=False)) == f"continue with: {COMMAND}"
