"""The list of matches that are over."""

import pytest
from textual.geometry import Size

from bullring.arena.watching.display.career import Result
from bullring.arena.watching.screens.results import Results

RESULTS = [
    Result(1822, [("beginner", 2), ("greedy-js", 5), ("casual", 10), ("greedy", 30)], ranks=[1, 2, 3, 4]),
    Result(1821, [("greedy", 3), ("casual", 3), ("beginner", 11), ("greedy-js", 27)], ranks=[1, 1, 3, 4]),
]


@pytest.mark.parametrize("width", [48, 60, 120])
def test_the_page_of_a_bot_begins_each_match_with_its_own_result_and_cuts_none(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Results, "size", Size(width, 5))
    shown = Results("greedy")
    shown.show(RESULTS)
    lines = shown.render().plain.split("\n")
    assert [line.split()[:3] for line in lines] == [["1822", "4.", "30"], ["1821", "1.", "3"]]
    assert [[int(word) for word in line.split()[4::2]] for line in lines] == [[2, 5, 10], [3, 11, 27]]


def test_of_ten_seats_those_that_have_no_room_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Results, "size", Size(60, 5))
    shown = Results()
    shown.show([Result(7, [(f"player {number}", number) for number in range(10)], ranks=[*range(1, 11)])])
    line = shown.render().plain
    assert line.rstrip().endswith("+5")
    assert len(line) <= 60
