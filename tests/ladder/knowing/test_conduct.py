"""Sums of how a bot behaved, added up group by group."""

import json
from dataclasses import replace

import pytest

from bullring.ladder.keeping.store import Store
from bullring.ladder.knowing import conduct
from bullring.ladder.knowing.conduct import Conduct
from tests.ladder.stored import group_of, match_of


def test_sums_do_not_depend_on_the_order_in_which_groups_are_finished(store: Store) -> None:
    group = group_of(store)
    numbers = [0.1, 1e15, 0.7, -1e15, 1e-9, 3.3]
    rows = [replace(seat, metrics={"x": x, "y": -x}) for x in numbers for seat in match_of(group, 0).seats[:1]]
    one, two = Conduct(), Conduct()
    for row in rows:
        one.take(row, 1)
    for row in reversed(rows):
        two.take(row, 1)
    assert one == two
    assert one.metrics == two.metrics
    assert Conduct.parse(one.text()) == one


def test_a_shared_win_counts_in_part(store: Store) -> None:
    conducts: dict[int, Conduct] = {}
    group = group_of(store, (1, 2, 3, 4))
    match = match_of(group, 0)
    ranks = [1, 1, 1, 4]
    seats = [replace(seat, rank=rank) for seat, rank in zip(match.seats, ranks, strict=True)]
    conduct.add(conducts, replace(match, seats=seats))
    assert [conducts[bot].share for bot in (1, 2, 3, 4)] == [pytest.approx(1 / 3)] * 3 + [0]
    assert Conduct().share is None
    assert json.loads(Conduct().text())[0] == 0
