"""Sums of how a bot behaved, added up match by match."""

import json
from dataclasses import replace

import pytest

from bullring.ladder.store import conduct
from bullring.ladder.store.conduct import Conduct
from bullring.ladder.store.store import Store
from tests.ladder.stored import match_of


def test_sums_do_not_depend_on_the_order_in_which_matches_are_finished(store: Store) -> None:
    numbers = [0.1, 1e15, 0.7, -1e15, 1e-9, 3.3]
    rows = [replace(seat, metrics={"x": x, "y": -x}) for x in numbers for seat in match_of(store).seats[:1]]
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
    conduct.add(conducts, match_of(store, (1, 2, 3, 4), ranks=[1, 1, 1, 4]))
    assert [conducts[bot].share for bot in (1, 2, 3, 4)] == [pytest.approx(1 / 3)] * 3 + [0]
    assert Conduct().share is None
    assert json.loads(Conduct().text())[0] == 0
