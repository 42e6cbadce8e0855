"""Who meets whom: ladder, round robin, gauntlet, duel."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bullring.ladder.pairing.schedule import (
    RANDOM_SHARE,
    Duel,
    Gauntlet,
    Ladder,
    Lineup,
    RoundRobin,
    Schedule,
    Standing,
)


def evenly(bots: int, matches: int = 100) -> dict[int, Standing]:
    return {bot: Standing(1500.0 + 20 * bot, matches) for bot in range(bots)}


def drawn(schedule: Schedule, standings: dict[int, Standing], count: int) -> list[Lineup]:
    """The next line-ups; each counts as played, as it does in a run."""
    found = []
    for _ in range(count):
        lineup = schedule.next(standings)
        assert lineup is not None
        for bot in lineup:
            standings[bot] = replace(standings[bot], matches=standings[bot].matches + 1)
        found.append(lineup)
    return found


def test_a_table_of_the_ladder_has_every_bot_once_and_every_place_by_chance() -> None:
    lineups = drawn(Ladder(4, Random(1)), evenly(10), 2000)
    assert all(len(set(lineup)) == 4 for lineup in lineups)
    first = Counter(lineup[0] for lineup in lineups)
    assert all(120 < first[bot] < 300 for bot in range(10))


def test_a_new_bot_is_placed_quickly() -> None:
    standings = evenly(20)
    standings[20] = Standing(None, 0)
    lineups = drawn(Ladder(4, Random(2)), standings, 40)
    assert sum(20 in lineup for lineup in lineups) >= 15
    # And then it is one of many.
    assert sum(20 in lineup for lineup in drawn(Ladder(4, Random(3)), evenly(21), 400)) < 150


def test_an_empty_ladder_gets_everybody_to_the_tables() -> None:
    standings = {bot: Standing(None, 0) for bot in range(12)}
    played = Counter(bot for lineup in drawn(Ladder(3, Random(4)), standings, 40) for bot in lineup)
    assert min(played[bot] for bot in range(12)) >= 5


def test_most_tables_are_close_and_a_share_of_them_is_by_chance() -> None:
    def width(lineup: Lineup) -> int:
        return max(lineup) - min(lineup)

    standings = {bot: Standing(1500.0 + 200 * bot, 10_000) for bot in range(30)}
    lineups = drawn(Ladder(3, Random(5)), standings, 1000)
    wide = sum(width(lineup) > 4 for lineup in lineups) / len(lineups)
    assert 0.6 * RANDOM_SHARE < wide < 1.2 * RANDOM_SHARE


def all_of(schedule: Schedule, bots: Sequence[int]) -> list[Lineup]:
    """All line-ups to the end of a schedule."""
    standings = {bot: Standing(None, 0) for bot in bots}
    found = []
    while (lineup := schedule.next(standings)) is not None:
        found.append(lineup)
    return found


@given(bots=st.integers(2, 6), seats=st.integers(2, 4), rounds=st.integers(1, 3), done=st.integers(0, 40))
def test_a_round_robin_that_was_interrupted_plays_what_is_left(bots: int, seats: int, rounds: int, done: int) -> None:
    ids = range(1, bots + 1)
    whole = all_of(RoundRobin(ids, seats, rounds, {}), ids)
    assert Counter(whole) == Counter(dict.fromkeys(combinations(ids, seats), rounds))
    before = Counter(whole[:done])
    assert all_of(RoundRobin(ids, seats, rounds, before), ids) == whole[done:]


@given(bots=st.integers(2, 6), seats=st.integers(2, 4), rounds=st.integers(1, 3), done=st.integers(0, 40))
def test_a_gauntlet_that_was_interrupted_plays_what_is_left(bots: int, seats: int, rounds: int, done: int) -> None:
    ids = range(1, bots + 1)
    whole = all_of(Gauntlet(2, ids, seats, rounds, {}), ids)
    others = [bot for bot in ids if bot != 2]
    assert Counter(whole) == Counter({(2, *table): rounds for table in combinations(others, seats - 1)})
    before = Counter(tuple(sorted(table)) for table in whole[:done])
    assert all_of(Gauntlet(2, ids, seats, rounds, before), ids) == whole[done:]


def test_tables_of_a_bot_that_was_benched_are_left_out() -> None:
    schedule = RoundRobin([1, 2, 3], 2, 2, {})
    assert schedule.next({bot: Standing(None, 0) for bot in (1, 2, 3)}) == (1, 2)
    assert all_of(schedule, [1, 3]) == [(1, 3), (1, 3)]


def test_a_duel_takes_its_other_seats_from_the_pool_in_turn() -> None:
    everybody = {bot: Standing(None, 0) for bot in range(1, 6)}
    schedule = Duel(4, 1, 2, [3, 4, 5])
    found = [schedule.next(everybody) for _ in range(3)]
    assert found == [(1, 2, 3, 4), (1, 2, 5, 3), (1, 2, 4, 5)]
    assert Duel(4, 1, 2, [3, 4, 5], started=1).next(everybody) == found[1]
    assert Duel(2, 1, 2, []).next(everybody) == (1, 2)
    assert schedule.next({bot: Standing(None, 0) for bot in (1, 3, 4, 5)}) is None
    assert schedule.next({bot: Standing(None, 0) for bot in (1, 2, 3)}) is None
