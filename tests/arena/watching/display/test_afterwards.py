"""What is shown of a match that is over, at any size."""

from typing import Any

import pytest

from bullring.arena.games.rulebook.language import LANGUAGES, speaking
from bullring.arena.watching.display.afterwards import curve, headline, lately, placing


def facts(seats: int, deals: int, people: tuple[int, ...] = (0,)) -> dict[str, Any]:
    """A match in which a seat takes its number of heads in each turn, of which a deal has ten."""
    turns = range(1, 10 * deals + 1)
    return {
        "void": False,
        "names": ["Ann", *(f"player {seat}" for seat in range(1, seats))],
        "people": list(people),
        "seats": [{"seat": seat, "score": 10 * deals * seat, "rank": seat + 1} for seat in range(seats)],
        "deals": [[10 * seat for seat in range(seats)] for _ in range(deals)],
        "curve": [
            {"deal": 1 + (turn - 1) // 10, "turn": turn, "heads": [turn * seat for seat in range(seats)]}
            for turn in turns
        ],
    }


@pytest.mark.parametrize("seats", [2, 4, 10])
@pytest.mark.parametrize("size", [(76, 7), (40, 14), (150, 24)], ids=str)
def test_every_curve_that_has_room_for_its_name_has_it_once(seats: int, size: tuple[int, int]) -> None:
    match = facts(seats, 3)
    drawn = curve(match, *size)
    assert (drawn.width, drawn.height) == size
    named = [[name for name in match["names"] if f" {name} " in line.plain] for line in drawn.lines]
    names = [name for line in named for name in line]
    assert "Ann" in names
    assert len(names) == len({*names})
    if seats <= size[1] - 2:
        assert {*names} == {*match["names"]}


def test_curves_that_end_together_have_their_names_together() -> None:
    match = facts(3, 1)
    for point in match["curve"]:
        point["heads"] = [0, 8, 8]
    for seat in (1, 2):
        match["seats"][seat] |= {"score": 8, "rank": 2}
    (line,) = [line.plain for line in curve(match, 76, 6).lines if "player 1 8" in line.plain]
    assert "player 1 8 player 2 8" in line


def test_a_match_without_heads_or_room_has_no_curve() -> None:
    assert curve(facts(1, 1), 80, 20).height == 0
    assert curve(facts(4, 1), 20, 20).height == 0


@pytest.mark.parametrize("width", [40, 60, 77, 150])
def test_places_show_the_last_deals_that_fit_and_always_the_total(width: int) -> None:
    match = facts(4, 30)
    drawn = placing(match, width)
    lines = [line.plain.rstrip() for line in drawn.lines]
    assert drawn.width == width
    assert lines[0].endswith("in all")
    assert " 30 " in lines[0]
    assert ("…" in lines[0]) == (width < 150)
    assert all(line.endswith(str(300 * (at - 1))) for at, line in enumerate(lines[1:], 1))


def test_the_end_is_told_to_the_one_who_reads() -> None:
    won, lost = facts(2, 1), facts(2, 1, people=(1,))
    assert headline(won).plain.strip() == "You win with 0 heads"
    assert "Place 2 of 2" in headline(lost).plain
    assert "Ann wins" in headline(facts(3, 1, people=(1, 2))).plain
    with speaking("de"):
        assert headline(won).plain.strip().startswith("Du gewinnst")


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_trend_is_told_from_the_second_match_on(code: str) -> None:
    better = [{"place": 4 if at < 3 else 1, "seats": 4} for at in range(6)]
    with speaking(code):
        language = LANGUAGES[code]
        assert lately(better[:1], 200) == []
        assert language.say("screens.result.better", by=3.0) in lately(better, 200)[0].plain
        assert language.say("screens.result.worse", by=3.0) in lately(better[::-1], 200)[0].plain
        assert "3" in lately(better, 200, open=False)[0].plain
