"""The cost of narrower intervals, in the time of a list."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bullring.ladder.pairing.forecast import Forecast, Plan
from bullring.ladder.pairing.informed import BASE
from bullring.ladder.standings.conduct import Conduct
from bullring.ladder.standings.matches_needed import LEAST, More, Tempo, more, speed
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.store import Store
from bullring.ladder.watching.display.tables import more_line
from tests.ladder.stored import match_of, played


def at(second: int) -> str:
    return f"2026-01-02T{3 + second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"


def spans(*seconds: tuple[int, int]) -> Iterator[tuple[str, str]]:
    return ((at(began), at(ended)) for began, ended in seconds)


def test_a_speed_leaves_out_the_time_in_which_nothing_was_played() -> None:
    busy = [(second, second) for second in range(10) for _ in range(5)]
    later = [(5000 + second, 5000 + second) for second in range(10) for _ in range(5)]
    assert speed(spans(*busy)) == pytest.approx(5.0)
    assert speed(spans(*later, *busy)) == pytest.approx(5.0)
    assert speed(spans(*[(0, 39)] * 40, (20, 49))) == pytest.approx(41 / 50)
    assert speed(spans(*busy[: LEAST - 1])) is None


def test_matches_that_cost_more_than_usual_take_longer() -> None:
    """Two of three bots are slow: their matches take 2 s each, at 2 a second."""
    slow = Conduct(matches=30, sums=Counter(wall_us=30 * 1_000_000))
    conducts = {1: slow, 2: slow}
    tempo = replace(Tempo.of(conducts, 2, ()), speed=2.0)
    usual = Forecast(20.0, Plan(100, 100 * (2 + BASE), {}))
    found = more(usual, None, tempo)
    assert found is not None
    assert found.seconds == pytest.approx(50.0)
    dear = more(Forecast(20.0, Plan(100, 2 * usual.plan.seconds, {})), 20.0, tempo)
    assert dear is not None
    assert dear.seconds == pytest.approx(100.0)
    assert (found.by, dear.by) == (5.0, None)
    assert more(usual, None, Tempo.of(conducts, 2, ())) == More(20.0, 5.0, 100, None)
    assert more(None, None, tempo) is None


def test_a_slow_bot_takes_the_time_that_its_matches_took_one_by_one() -> None:
    """Bot 1 plays a match each 10 s, the others 5 a second meanwhile; the next 8 matches are all with it."""
    quick = Conduct(matches=500, sums=Counter(wall_us=500 * 10_000))
    conducts = {1: Conduct(matches=10, sums=Counter(wall_us=10 * 2_000_000)), 2: quick, 3: quick, 4: quick}
    slow = [(at(10 * number), at(10 * number + 9), (1, 2)) for number in range(10)]
    last = [*slow, *((at(number // 5), at(number // 5), (2, 3)) for number in range(500))]
    tempo = Tempo.of(conducts, 2, last)
    assert tempo.speed == pytest.approx(5.1)
    assert dict(tempo.slow) == {1: pytest.approx(0.1)}
    found = more(Forecast(20.0, Plan(8, 8 * 2.01, {1: 8.0, 2: 8.0})), None, tempo)
    assert found is not None
    assert found.seconds == found.least == pytest.approx(80.0)
    without = more(Forecast(20.0, Plan(510, 5.1, {2: 510.0, 3: 510.0})), None, tempo)
    assert without is not None
    assert without.least == 0.0


@pytest.mark.parametrize(
    ("found", "line"),
    [
        (More(26.0, 5.0, 812, 371.0), "the next 5 Elo: about 810 matches, 6 min"),
        (More(15.0, None, 1, 0.1), "± 15 Elo for all: about 1 match, 1 s"),
        (More(15.0, None, 123_456, 90_000.0), "± 15 Elo for all: about 120,000 matches, 25 h"),
        (More(15.0, None, 99, 9_000_000.0), "± 15 Elo for all: about 99 matches, 104 days"),
        (More(15.0, None, 99, None), "± 15 Elo for all: about 99 matches"),
    ],
)
def test_it_is_said_in_round_figures(found: More, line: str) -> None:
    said = more_line(found)
    assert said is not None
    assert said.plain == line


def test_a_list_tells_what_the_next_elo_would_cost(store: Store) -> None:
    match_of(store, (1, 2))
    (list_,) = store.lists()
    assert Standings(store, list_).more() is None
    tables = [(1, 2), (2, 3), (3, 4), (4, 1), (1, 3), (2, 4)] * 20
    played(store, *(match_of(store, bots, id=id, ranks=(1 + id % 2, 2 - id % 2)) for id, bots in enumerate(tables, 1)))
    near, far = (Standings(store, list_, until_error=target).more(10.0) for target in (40.0, 20.0))
    assert near is not None
    assert far is not None
    assert (near.width, near.by) == (40.0, None)
    assert 0 < near.matches < far.matches
    again = Standings(store, list_).more(10.0)
    assert again is not None
    assert again.by == 5.0
