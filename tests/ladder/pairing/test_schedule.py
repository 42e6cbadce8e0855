"""Pairing of bots: round robin, gauntlet, duel."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from bullring.ladder.pairing.schedule import Duel, Gauntlet, Lineup, RoundRobin, Schedule


def all_of(schedule: Schedule, bots: Sequence[int]) -> list[Lineup]:
    """All line-ups to the end of a schedule."""
    found = []
    while (lineup := schedule.next(bots)) is not None:
        found.append(lineup)
    return found


@given(bots=st.integers(2, 6), seats=st.integers(2, 4), rounds=st.integers(1, 3), done=st.integers(0, 40))
def test_a_round_robin_or_gauntlet_that_was_interrupted_plays_what_is_left(
    bots: int, seats: int, rounds: int, done: int
) -> None:
    ids = range(1, bots + 1)
    others = [bot for bot in ids if bot != 2]
    for schedule, tables in (
        (partial(RoundRobin, ids, seats, rounds), combinations(ids, seats)),
        (partial(Gauntlet, 2, ids, seats, rounds), ((2, *table) for table in combinations(others, seats - 1))),
    ):
        whole = all_of(schedule({}), ids)
        assert Counter(whole) == Counter(dict.fromkeys(tables, rounds))
        before = Counter(tuple(sorted(table)) for table in whole[:done])
        assert all_of(schedule(before), ids) == whole[done:]


def test_tables_of_a_bot_that_was_benched_are_left_out() -> None:
    schedule = RoundRobin([1, 2, 3], 2, 2, {})
    assert schedule.next((1, 2, 3)) == (1, 2)
    assert all_of(schedule, [1, 3]) == [(1, 3), (1, 3)]


def test_a_duel_takes_its_other_seats_from_the_pool_in_turn() -> None:
    everybody = range(1, 6)
    schedule = Duel(4, 1, 2, [3, 4, 5])
    found = [schedule.next(everybody) for _ in range(3)]
    assert found == [(1, 2, 3, 4), (1, 2, 5, 3), (1, 2, 4, 5)]
    assert Duel(4, 1, 2, [3, 4, 5], started=1).next(everybody) == found[1]
    assert Duel(2, 1, 2, []).next(everybody) == (1, 2)
    assert schedule.next((1, 3, 4, 5)) is None
    assert schedule.next((1, 2, 3)) is None
