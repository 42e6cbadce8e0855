"""The score of a duel, group by group."""

import json
from dataclasses import replace

import numpy as np
import pytest

from bench.verdicts.duels import Flight, judged
from bullring.ladder.rating.sequential import Equal, Sequential, Verdict
from bullring.ladder.standings.duel import LEAST_WAITING, DuelScore
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.store import Store
from tests.ladder.stored import pair_of, played, rows


def test_a_duel_is_judged_in_the_order_in_which_its_groups_were_begun(store: Store) -> None:
    """A bot that thinks longer when it is behind ends its lost groups last."""
    wins = [pair_of(store, (1, 2), "duel", (2, 2), id=id) for id in range(1, 80, 4)]
    losses = [pair_of(store, (1, 2), "duel", (0, 0), id=id) for id in range(3, 80, 4)]
    test, ids = Sequential(0.0, 100.0), {match.id for pair in (*wins, *losses) for match in pair if match.id % 2}
    score = DuelScore(store, store.lists()[0], 1, 2, test)
    for pair in wins:
        score.add(rows(pair))
        ids.remove(pair[0].id)
        score.settle(ids)
        assert score.cells.sum() <= 1
    assert score.decided is Verdict.OPEN
    assert score.pending == len(losses)
    for pair in losses:
        score.add(rows(pair))
        ids.remove(pair[0].id)
        score.settle(ids)
    assert score.cells.tolist() == [20, 0, 0, 0, 20]
    assert score.pending == 0


def test_a_duel_ends_alike_however_long_its_groups_take(store: Store) -> None:
    """`python -m bench.verdicts duels` shows more of this."""
    pair_of(store, (1, 2), "duel")
    random, test = np.random.default_rng(25), Sequential(0.0, 120.0)
    for flight in (Flight((0.0, 120.0), 16, 3.0), Flight((0.0, 120.0), 8, 10.0)):
        duel = judged(random, test)
        began, ended = flight.times(random, duel.groups[:, 0])
        score, left = DuelScore(store, store.lists()[0], 1, 2, test), {*range(len(began))}
        for at in np.argsort(ended, kind="stable").tolist():
            points = int(duel.groups[at, 0])
            score.add(rows(pair_of(store, (1, 2), "duel", (min(points, 2), max(points - 2, 0)), id=2 * at + 1)))
            left.remove(at)
            score.settle([2 * other + 1 for other in left if began[other] <= ended[at]])
            if score.decided is not Verdict.OPEN:
                break
        assert (score.decided, score.judge().groups) == (duel.verdict, duel.needed)


def test_no_group_begins_while_many_wait_for_one(store: Store) -> None:
    pair_of(store, (1, 2), "duel")
    score = DuelScore(store, store.lists()[0], 1, 2, Sequential(0.0, 10.0))
    for id in range(3, 3 + 2 * LEAST_WAITING, 2):
        score.add(rows(pair_of(store, (1, 2), "duel", (2, 0), id=id)))
        score.settle([1])
        assert not score.full
    score.add(rows(pair_of(store, (1, 2), "duel", (2, 0), id=101)))
    score.settle([1])
    assert score.full
    score.add(rows(pair_of(store, (1, 2), "duel", (2, 0), id=1)))
    score.settle([])
    assert not score.full


def test_the_first_verdict_of_a_duel_stands(store: Store) -> None:
    """Also when groups that were being played then say something else, and when it is opened again."""
    pair_of(store, (1, 2), "duel")
    score = DuelScore(store, store.lists()[0], 1, 2, Sequential(0.0, 100.0))
    for points in ((2, 2), (0, 0)):
        for _ in range(30):
            pair = pair_of(store, (1, 2), "duel", points)
            played(store, *pair)
            score.add(rows(pair))
        score.settle(())
    assert score.enough([]) == "the new bot is better"
    facts = score.result("new", "old").facts()
    assert score.judge().groups < 30
    assert facts["played"] == 60
    assert score.judge().llr >= score.judge().upper
    again = DuelScore(store, store.lists()[0], 1, 2, Sequential(0.0, 100.0))
    assert again.result("new", "old").facts() == facts


@pytest.mark.parametrize(("spoiled", "says"), [(0, "the new bot is better"), (1, None)])
def test_groups_that_were_void_at_first_speak_for_no_verdict(store: Store, spoiled: int, says: str | None) -> None:
    """A bot that can make a match void would else get another try whenever it is about to lose."""
    pair_of(store, (1, 2), "duel")
    score = DuelScore(store, store.lists()[0], 1, 2, Sequential(0.0, 100.0))
    for id in range(1, 61, 2):
        pair = pair_of(store, (1, 2), "duel", (2, 2), id=id)
        score.add(rows([replace(match, spoiled=spoiled) for match in pair]))
    score.settle(())
    assert score.enough([]) == says
    assert score.spoiled == (score.judge().groups if spoiled else 0)
    assert score.judge().share == 1  # the estimate believes all


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ((1, 1), "the two bots are equal within ± 150 Elo"),
        ((2, 2), "the new bot is better"),
        ((0, 0), "the new bot is worse"),
    ],
)
def test_a_duel_can_show_that_bots_are_equal(store: Store, points: tuple[int, int], says: str) -> None:
    pair_of(store, (1, 2), "duel")
    score = DuelScore(store, store.lists()[0], 1, 2, Equal(elo1=150.0))
    for id in range(1, 81, 2):
        score.add(rows(pair_of(store, (1, 2), "duel", points, id=id)))
    score.settle(())
    assert score.enough([]) == says
    assert json.loads(json.dumps(score.result("new", "old").facts(), allow_nan=False))["verdict"] == score.decided.value


def test_a_group_that_the_machine_spoils_again_and_again_helps_nobody(store: Store) -> None:
    pair_of(store, (1, 2), "duel")
    for points in ((2, 2), (0, 0)):
        score = DuelScore(store, store.lists()[0], 1, 2, Sequential(0.0, 100.0))
        for number in range(60):
            pair = pair_of(store, (1, 2), "duel", points, id=2 * number + 1)
            if number % 2:
                pair = [replace(pair[0], void="the machine stood still", counted=False)]
            score.add(rows(pair))
        score.settle(())
        assert score.enough([]) is None
        assert score.judge().groups == 30


def test_a_duel_that_was_killed_judges_nothing_behind_what_it_had_begun(store: Store) -> None:
    played(store, *pair_of(store, (1, 2), "duel", (2, 2), id=1))
    played(store, *pair_of(store, (1, 2), "duel", (0, 2), id=5))
    (list_,) = store.lists()
    with store.change():
        store.begin_groups(list_.id, [(3, (1, 2)), (7, (1, 2)), (9, (2, 1))])
    assert store.next_match() == 11
    score = DuelScore(store, list_, 1, 2, Sequential())
    assert score.unfinished == [(3, (1, 2)), (7, (1, 2))]
    assert score.cells.tolist() == [0, 0, 0, 0, 1]
    played(store, *(pair := pair_of(store, (1, 2), "duel", (0, 0), id=3)))
    score.add(rows(pair))
    score.settle(())
    assert score.cells.tolist() == [1, 0, 1, 0, 1]
    assert [id for id, _ in store.begun_groups(list_.id)] == [7, 9]


def test_a_duel_counts_its_own_groups_only(store: Store) -> None:
    played(store, *pair_of(store, (1, 2), "duel", (2, 2)))
    played(store, *pair_of(store, (3, 4), "duel", (2, 2)))
    played(store, *pair_of(store, (1, 2), "ladder", (2, 2)))
    (list_,) = store.lists()
    score = DuelScore(store, list_, 1, 2, Sequential(0.0, 10.0, 0.05, 0.05))
    assert score.cells.tolist() == [0, 0, 0, 0, 1]
    score.add(rows(pair_of(store, (1, 2), "duel", (2, 0), id=101)))
    score.add(rows(pair_of(store, (1, 2), "duel", (1, 0), id=103)))
    score.settle(())
    assert score.cells.tolist() == [0, 1, 1, 0, 1]
    assert score.counts.tolist() == [[0, 0, 0], [1, 0, 0], [1, 0, 1]]
    assert Standings(store, list_).rated == 2


def test_a_duel_measures_what_swapping_gains(store: Store) -> None:
    """Near copies: who has the better hand wins, so a pair is nearly always 1 : 1."""
    pair_of(store, (1, 2), "duel")
    score = DuelScore(store, store.lists()[0], 1, 2, Sequential())
    assert score.result("new", "old").facts()["gain"] is None
    id = 99
    for _ in range(20):
        for points in ((2, 0), (0, 2), (2, 0), (2, 2), (0, 0)):
            score.add(rows(pair_of(store, (1, 2), "duel", points, id=(id := id + 2))))
    score.settle(())
    assert score.gain is not None
    # The correlation of its matches is (2 - 3) / 5.
    assert score.gain.value == pytest.approx(1.25, rel=0.01)
    assert score.gain.low < 1.25 < score.gain.high
    assert score.result("new", "old").facts()["gain"] == vars(score.gain)
