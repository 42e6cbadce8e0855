"""Shards: few bots at a time, everybody in the end, and nobody for longer than others."""

from collections import Counter
from itertools import combinations
from random import Random

from bullring.ladder.pairing.shards import PROCESSES, SHARE, SIZE, Shard

START = 0.05
STEP = SHARE * PROCESSES * START


def field(bots: int) -> dict[int, int]:
    return dict.fromkeys(range(bots), 10)


def test_a_few_bots_are_all_in_it() -> None:
    standings = field(SIZE)
    assert Shard(Random(1)).chosen(standings, (), START, 0.0) == standings.keys()


def test_of_many_it_holds_some_and_one_is_exchanged_at_a_time() -> None:
    shard, standings = Shard(Random(1)), field(200)
    before = set(shard.chosen(standings, (), START, 0.0))
    assert len(before) == SIZE
    assert set(shard.chosen(standings, (), START, STEP * 0.9)) == before
    after = set(shard.chosen(standings, (), START, STEP * 1.1))
    assert (len(before - after), len(after - before)) == (1, 1)


def test_an_exchange_comes_more_rarely_if_starting_takes_long() -> None:
    shard, standings = Shard(Random(1)), field(200)
    before = set(shard.chosen(standings, (), 60 * START, 0.0))
    assert set(shard.chosen(standings, (), 60 * START, STEP * 59)) == before
    assert set(shard.chosen(standings, (), 60 * START, STEP * 61)) != before


def test_everybody_stays_equally_long_and_everybody_meets_everybody() -> None:
    shard, standings = Shard(Random(1)), field(100)
    stays: Counter[int] = Counter()
    lengths: list[int] = []
    met: set[tuple[int, int]] = set()
    before: set[int] = set()
    for number in range(6000):
        now = set(shard.chosen(standings, (), START, number * STEP * 1.01))
        stays.update(now)
        lengths += [stays.pop(bot) for bot in before - now]
        met.update(combinations(sorted(now), 2))
        before = now
    assert set(lengths[SIZE:]) == {SIZE}, "but for the first ones, which enter together"
    assert len(met) == 100 * 99 / 2


def test_it_prefers_those_who_have_played_little_and_those_in_no_other() -> None:
    standings = {bot: 0 if bot >= 190 else 10_000 for bot in range(200)}
    bots = Shard(Random(1)).chosen(standings, (), START, 0.0)
    assert {*range(190, 200)} <= set(bots)
    other = Shard(Random(2)).chosen(standings, tuple(bots), START, 0.0)
    assert not set(other) & set(bots)


def test_who_may_not_play_any_more_leaves_it() -> None:
    shard, standings = Shard(Random(1)), field(200)
    gone = next(iter(shard.chosen(standings, (), START, 0.0)))
    del standings[gone]
    bots = shard.chosen(standings, (), START, 0.01)
    assert len(bots) == SIZE
    assert gone not in bots


def test_there_may_be_fewer_free_bots_than_it_has_room_for() -> None:
    standings = field(60)
    bots = Shard(Random(1)).chosen(standings, range(50), START, 0.0)
    assert len(bots) == SIZE
    assert {*range(50, 60)} <= set(bots)
