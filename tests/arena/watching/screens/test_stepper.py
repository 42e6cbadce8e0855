"""Standing and moving in the frames of a match."""

import pytest

from bullring.arena.games.rulebook.language import ENGLISH
from bullring.arena.games.rules.stages import Laid, Opened, Revealed, Took
from bullring.arena.study.analysis.result import Choice
from bullring.arena.watching.picture.picture import Frame, Picture
from bullring.arena.watching.picture.steps import Asked, Began, Step, Thinking
from bullring.arena.watching.screens.stepper import NoSuchPlace, Stepper

ASKED = Asked("card", (0, 1))
SHOWN = Revealed(((0, 5), (1, 9)))
LAID = Laid(0, 5, 1)
TOOK = Took(1, 9, 2, (1, 2, 3, 4, 6), 5)
STEPS: list[tuple[int, int, int, Step]] = [  # line, deal, turn
    (1, 0, 0, Began()),
    (2, 1, 1, Opened()),
    (2, 1, 1, ASKED),
    (3, 1, 1, SHOWN),
    (3, 1, 1, LAID),
    (3, 1, 2, ASKED),
    (4, 1, 2, SHOWN),
    (4, 1, 2, TOOK),
    (5, 2, 1, Opened()),
    (5, 2, 1, ASKED),
    (6, 2, 1, SHOWN),
    (6, 2, 1, TOOK),
    (6, 2, 2, ASKED),
]
FRAMES = [Frame(step, Picture(deal=deal, turn=turn), line=line) for line, deal, turn, step in STEPS]


def choice(line: int, seat: int, cost: float, deal: int = 1) -> Choice:
    return Choice(
        line=line,
        deal=deal,
        turn=1,
        kind="card",
        seat=seat,
        by="bot",
        options=(5, 9),
        chosen=0,
        best=1,
        heads=(2.0 + cost, 2.0),
        errors=(0.1, 0.0),
        error=0.1,
        cost=cost,
        cost_error=0.1,
        playouts=10,
    )


def test_it_stays_within_the_frames() -> None:
    stepper = Stepper(FRAMES)
    assert not stepper.step(-1)
    assert stepper.step()
    assert stepper.at == 1
    assert stepper.end()
    assert stepper.at == 12
    assert stepper.latest
    assert not stepper.step()
    assert stepper.home()
    assert stepper.at == 0


def test_nothing_moves_where_there_are_no_frames() -> None:
    stepper = Stepper()
    assert not any(
        (stepper.step(), stepper.end(), stepper.seek("turn", 1), stepper.seek("mistake", 1), stepper.seek("taken", 1))
    )
    assert stepper.place == ""
    assert stepper.judged() == []


def test_news_of_who_thinks_are_no_steps() -> None:
    stepper = Stepper([*FRAMES[:3], Frame(Thinking((1,)), FRAMES[2].picture, line=2), *FRAMES[3:]])
    assert stepper.frames == FRAMES


def test_turns_and_deals() -> None:
    stepper = Stepper(FRAMES)
    stopped = []
    while stepper.seek("turn", 1):
        stopped.append(stepper.at)
    assert stopped == [1, 5, 8, 12]
    stepper.go(11)
    assert stepper.seek("turn", -1)
    assert stepper.at == 8  # to the beginning of this one first
    assert stepper.seek("turn", -1)
    assert stepper.at == 5
    assert stepper.seek("deal", -1)
    assert stepper.at == 1
    assert stepper.seek("deal", 1)
    assert stepper.at == 8
    assert stepper.seek("deal", 1)
    assert stepper.at == 12  # no deal follows, so to the end


def test_rows_that_are_taken() -> None:
    stepper = Stepper(FRAMES)
    assert stepper.seek("taken", 1)
    assert stepper.at == 7
    assert stepper.seek("taken", 1)
    assert stepper.at == 11
    assert not stepper.seek("taken", 1)
    assert stepper.at == 11
    assert stepper.seek("taken", -1)
    assert stepper.at == 7
    assert not stepper.seek("taken", -1)


def test_mistakes_of_one_turn_come_one_after_the_other() -> None:
    stepper = Stepper(FRAMES)
    assert not stepper.seek("mistake", 1)
    stepper.judge([choice(3, 0, 5.0), choice(3, 1, 2.0), choice(4, 0, 0.1), choice(6, 1, 1.0, deal=2)])
    seen = []
    while stepper.seek("mistake", 1):
        seen.append((stepper.at, stepper.seat))
    assert seen == [(3, 0), (3, 1), (10, 1)]  # what costs next to nothing is no mistake
    assert stepper.seek("mistake", -1)
    assert (stepper.at, stepper.seat) == (3, 1)
    stepper.step()
    assert stepper.seat is None


def test_the_decisions_shown_are_the_last_ones_of_the_deal() -> None:
    stepper = Stepper(FRAMES)
    stepper.judge([choice(3, 0, 5.0), choice(4, 0, 0.1)])
    lines = []
    for at in range(len(FRAMES)):
        stepper.go(at)
        lines.append([found.line for found in stepper.judged()])
    assert lines == [[], [], [], [3], [3], [3], [4], [4], [], [], [], [], []]


def test_mistakes_in_frames_that_come_later() -> None:
    stepper = Stepper(FRAMES[:4])
    stepper.judge([choice(3, 0, 5.0), choice(6, 1, 1.0, deal=2)])
    assert stepper.mistakes == [(3, 0, "??")]
    stepper.add(FRAMES[4:], 0.0)
    assert stepper.mistakes == [(3, 0, "??"), (10, 1, "?!")]
    stepper.go(5)
    assert stepper.seek("deal", 1)
    assert stepper.at == 8


@pytest.mark.parametrize(
    ("typed", "place"),
    [("d2t1", "d2t1"), ("D2 T1", "d2t1"), ("d2", "d2t1"), ("t2", "d1t2"), ("2", "d1t2"), ("deal 2, turn 2", "d2t2")],
)
def test_jumping(typed: str, place: str) -> None:
    stepper = Stepper(FRAMES)
    stepper.step()
    stepper.jump(typed)
    assert stepper.place == place


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("x", "expected a place like d2t7, d2 or t7, not 'x'"),
        ("", "expected a place like"),
        ("d3", "there is no deal 3; the last one is 2"),
        ("d1t9", "there is no turn 9 in deal 1; the last one is 2"),
    ],
)
def test_places_that_there_are_not(typed: str, told: str) -> None:
    stepper = Stepper(FRAMES)
    with pytest.raises(NoSuchPlace) as caught:
        stepper.jump(typed)
    assert told in ENGLISH.say(f"replay.jump.{caught.value.key}", **caught.value.values)
    assert stepper.at == 0


def test_playing_and_its_speed() -> None:
    stepper = Stepper(FRAMES, 1.0)
    assert not stepper.advance(100.0)
    stepper.toggle(100.0)
    assert stepper.playing
    stepper.faster()
    assert stepper.speed == 2.0
    assert stepper.advance(100.0)
    assert stepper.at == 1  # the beginning takes no time
    assert not stepper.advance(100.4)
    assert stepper.advance(100.5)


def test_playing_at_the_end_of_the_match_begins_anew() -> None:
    stepper = Stepper([*FRAMES, Frame(Began(), Picture(deal=2, turn=2, over=True), line=7)])
    stepper.end()
    stepper.toggle(0.0)
    assert (stepper.playing, stepper.at) == (True, 0)
