"""Frames one step after the other, by a clock of the test's own."""

from bullring.arena.games.rules.stages import Took
from bullring.arena.watching.picture.steps import Asked, Began, Thinking
from bullring.arena.watching.screens.pace import FASTEST, SLOWEST, Pacing
from tests.arena.watching.display.pictures import match


def quiet(pacing: Pacing) -> bool:
    assert pacing.frame is not None
    return isinstance(pacing.frame.step, Began | Asked | Thinking)


def test_each_step_takes_its_time_however_fast_frames_come() -> None:
    pacing, now, seen = Pacing(1.0), 0.0, []
    pacing.add(match(), now)
    while not pacing.latest:
        pacing.advance(now)
        assert pacing.latest or not quiet(pacing), "a question whose answers are known is no step"
        seen.append(pacing.at)
        now += 0.5
    assert seen == sorted(seen)
    steps = [frame for frame in match() if not isinstance(frame.step, Began | Asked | Thinking)]
    assert len(set(seen)) == len(steps)
    assert all(seen.count(at) >= 2 for at in set(seen[:-1]))
    took = next(at for at in seen if isinstance(match()[at].step, Took))
    assert seen.count(took) == 4, "what is taken is looked at for longer"


def test_without_a_pace_the_latest_frame_is_shown() -> None:
    pacing = Pacing(0.0)
    pacing.add(match(), 0.0)
    assert pacing.advance(0.0)
    assert pacing.latest
    assert pacing.phase(0.0) == 1.0


def test_a_pause_holds_the_frame_and_a_skip_shows_the_latest() -> None:
    pacing = Pacing(1.0)
    pacing.add(match(), 0.0)
    pacing.advance(0.0)
    pacing.playing = False
    assert not pacing.advance(100.0)
    pacing.skip(100.0)
    assert pacing.latest
    assert pacing.behind == 0


def test_nobody_who_looks_away_misses_steps() -> None:
    pacing = Pacing(1.0)
    pacing.add(match(), 0.0)
    pacing.advance(0.0)
    first = pacing.at
    pacing.advance(1000.0)
    shown = [frame for frame in match()[first + 1 : pacing.at + 1] if not isinstance(frame.step, Asked)]
    assert len(shown) == 1


def test_the_clock_of_who_thinks_runs_on_while_others_answer() -> None:
    asked = next(at for at, frame in enumerate(match()) if isinstance(frame.step, Asked))
    pacing = Pacing(0.1)
    pacing.add(match()[: asked + 1], 10.0)
    pacing.advance(10.0)
    pacing.skip(10.0)
    news = type(match()[asked])(Thinking((0,)), match()[asked].picture)
    pacing.add([news], 12.0)
    pacing.advance(12.0)
    assert pacing.frame is news
    assert pacing.waited(13.5) == 3.5


def test_the_pace_stays_within_bounds() -> None:
    pacing = Pacing(1.0)
    for _ in range(20):
        pacing.faster()
    assert pacing.pace == FASTEST
    for _ in range(20):
        pacing.slower()
    assert pacing.pace == SLOWEST
