"""Sums of how a bot behaved, added up match by match."""

from dataclasses import replace

import pytest

from bullring.ladder.standings.conduct import Conduct, Conducts
from bullring.ladder.store.store import Store
from tests.ladder.stored import match_of


def test_sums_do_not_depend_on_the_order_in_which_matches_are_finished(store: Store) -> None:
    numbers = [0.1, 1e15, 0.7, -1e15, 1e-9, 3.3]
    match = match_of(store)
    matches = [
        replace(match, seats=[replace(seat, metrics={"x": x, "y": -x}) for seat in match.seats]) for x in numbers
    ]
    one, two = Conducts(), Conducts()
    for row in matches:
        one.add(row)
    for row in reversed(matches):
        two.add(row)
    assert one.of == two.of
    assert [own.metrics for own in one.of.values()] == [own.metrics for own in two.of.values()]
    assert all(Conduct.parse(own.text()) == own for own in one.of.values())


def test_a_shared_win_counts_in_part(store: Store) -> None:
    conducts = Conducts()
    conducts.add(match_of(store, (1, 2, 3, 4), ranks=[1, 1, 1, 4]))
    assert [conducts.of[bot].share for bot in (1, 2, 3, 4)] == [pytest.approx(1 / 3)] * 3 + [0]
    assert Conduct().share is None


def test_a_part_that_was_not_stored_yet_is_in_the_next_one(store: Store) -> None:
    conducts = Conducts()
    parts = []
    for number, bots in enumerate(((1, 2), (2, 3)), start=1):
        conducts.add(match_of(store, bots))
        parts.append(conducts.unwritten(number, 0))
    first, second = parts
    assert first is not None
    assert second is not None
    both = second.after(first)
    assert (both.upto, both.texts) == (2, {bot: conducts.of[bot].text() for bot in (1, 2, 3)})
