"""The score of a duel, group by group."""

import pytest

from bullring.ladder.rating.sequential import Sequential
from bullring.ladder.standings.duel import DuelScore
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.store import Store
from tests.ladder.stored import pair_of, played, rows


def test_the_first_verdict_of_a_duel_stands(store: Store) -> None:
    """Also when matches that were being played then say something else."""
    wins, losses = (rows(pair_of(store, (1, 2), "duel", points)) for points in ((2, 2), (0, 0)))
    score = DuelScore(store, store.lists()[0], 1, 2, Sequential(0.0, 100.0, 0.05, 0.05))
    while score.enough([]) is None:
        score.add(wins)
    assert score.enough([]) == "the new bot is better"
    for _ in range(100):
        score.add(losses)
    assert score.judge().llr < score.judge().upper
    assert score.enough([]) == "the new bot is better"


def test_a_duel_counts_its_own_groups_only(store: Store) -> None:
    played(store, *pair_of(store, (1, 2), "duel", (2, 2)))
    played(store, *pair_of(store, (3, 4), "duel", (2, 2)))
    played(store, *pair_of(store, (1, 2), "ladder", (2, 2)))
    (list_,) = store.lists()
    score = DuelScore(store, list_, 1, 2, Sequential(0.0, 10.0, 0.05, 0.05))
    assert score.cells.tolist() == [0, 0, 0, 0, 1]
    score.add(rows(pair_of(store, (1, 2), "duel", (2, 0))))
    score.add(rows(pair_of(store, (1, 2), "duel", (1, 0))))
    assert score.cells.tolist() == [0, 1, 1, 0, 1]
    assert score.counts.tolist() == [[0, 0, 0], [1, 0, 0], [1, 0, 1]]
    assert Standings(store, list_).rated == 2


def test_a_duel_measures_what_swapping_gains(store: Store) -> None:
    """Near copies: who has the better hand wins, so a pair is nearly always 1 : 1."""
    pair_of(store, (1, 2), "duel")
    score = DuelScore(store, store.lists()[0], 1, 2, Sequential())
    assert score.facts()["gain"] is None
    for _ in range(20):
        for points in ((2, 0), (0, 2), (2, 0), (2, 2), (0, 0)):
            score.add(rows(pair_of(store, (1, 2), "duel", points)))
    assert score.gain is not None
    # The correlation of its matches is (2 - 3) / 5.
    assert score.gain.value == pytest.approx(1.25, rel=0.01)
    assert score.gain.low < 1.25 < score.gain.high
    assert score.facts()["gain"] == vars(score.gain)


def test_a_duel_that_is_opened_again_has_the_verdict_it_had(store: Store) -> None:
    """Groups end in another order than they begin, and the test stops at the first bound: by number it would be the other one."""
    losses, wins = (
        [pair_of(store, (1, 2), "duel", points, id=from_ + 2 * number) for number in range(40)]
        for points, from_ in (((0, 0), 1), ((2, 2), 1001))
    )
    test = Sequential(0.0, 100.0, 0.05, 0.05)
    first = DuelScore(store, store.lists()[0], 1, 2, test)
    for matches in [*wins, *losses]:
        played(store, *matches)
        first.add(rows(matches))
    assert first.enough([]) == "the new bot is better"
    again = DuelScore(store, store.lists()[0], 1, 2, test)
    assert again.facts() == first.facts()
    assert again.judge().llr < again.judge().upper
