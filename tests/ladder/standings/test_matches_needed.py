"""The cost of narrower intervals, in the time of a list."""

from collections import Counter
from collections.abc import Iterator

import pytest

from bullring.ladder.pairing.forecast import Forecast
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


def test_as_many_matches_as_the_last_ones_pass_in_a_second() -> None:
    tempo = Tempo(2.0)
    assert more(Forecast(20.0, 100), None, tempo) == More(20.0, 5.0, 100, 50.0)
    assert more(Forecast(20.0, 100), 20.0, tempo) == More(20.0, None, 100, 50.0)
    assert more(Forecast(20.0, 100), None, Tempo(None)) == More(20.0, 5.0, 100, None)
    assert more(None, None, tempo) is None


def test_what_part_of_the_matches_is_played_with_slow_bots_is_seen_in_the_later_half_of_the_time() -> None:
    """Bot 1 plays a match each 10 s, the others 5 a second meanwhile; before the first match of bot 1 ends, only others do."""
    quick = Conduct(matches=500, sums=Counter(wall_us=500 * 10_000))
    conducts = {1: Conduct(matches=10, sums=Counter(wall_us=10 * 2_000_000)), 2: quick, 3: quick, 4: quick}
    slow = [(at(10 * number), at(10 * number + 9), (1, 2)) for number in range(5, 10)]
    last = [*slow, *((at(number // 5), at(number // 5), (2, 3)) for number in range(500))]
    tempo = Tempo.of(conducts, last)
    assert tempo.speed == pytest.approx(5.1)
    assert tempo.mix.slow == {1}
    assert tempo.mix.share == pytest.approx(5 / 255, rel=0.05)
    assert Tempo.of(conducts, last[:5]).mix.share == 1.0, "few matches are taken as they are"


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
