"""Chances to win as lines with small curves."""

from dataclasses import replace

from bullring.arena.study.analysis.result import Account, Analysis, Chance, Method, Parts
from bullring.arena.watching.display.chances import chances
from bullring.arena.watching.picture.picture import Picture, SeatPicture

NOTHING = Parts(heads=0, par=0, deal=0, others=0, edge=0, mistakes=0, par_error=0, deal_error=0, choice_error=0)
PICTURE = Picture(deal=1, turn=2, seats=(SeatPicture("anna"), SeatPicture("bob")))


def analysis(wins: list[float]) -> Analysis:
    accounts = [
        Account(seat=at, name="x", moves=1, cost=0, cost_error=0, parts=NOTHING.model_copy(update={"heads": at}))
        for at in range(2)
    ]
    chance = [
        Chance(line=at, deal=1, turn=at, win=(win, 1 - win), errors=(0.02, 0.02)) for at, win in enumerate(wins, 1)
    ]
    return Analysis(
        record="",
        version="",
        game="standard",
        method=Method(),
        simulated=True,
        accounts=tuple(accounts),
        choices=(),
        chances=tuple(chance),
    )


def test_the_chance_before_the_turn_is_told_and_the_course_drawn() -> None:
    lines = chances(analysis([0.5, 0.25, 0.75]), PICTURE, 60).plain.splitlines()
    assert lines[1:] == ["anna  25 % ± 2  ▅▃▇█", "bob   75 % ± 2  ▅▇▃▁"]
    over = replace(PICTURE, turn=3, over=True)
    assert "anna 100 % ± 0" in chances(analysis([0.5, 0.25, 0.75]), over, 60).plain


def test_a_long_course_is_drawn_in_the_room_that_there_is() -> None:
    lines = chances(analysis([0.5] * 100), PICTURE, 40).plain.splitlines()
    assert all(len(line) == 40 for line in lines[1:])
    assert chances(analysis([]), PICTURE, 40).height == 0
