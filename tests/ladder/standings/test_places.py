"""Places that are decided and places that are open, and the sentence that says so."""

import numpy as np
import pytest

from bullring.arena.games.rulebook.language import in_all
from bullring.ladder.standings.places import Deciding, Places, Span, lasting, places
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.store import Store
from tests.ladder.stored import match_of, played

SIX = Places([Span(1, 2), Span(6, 6)], [Span(3, 5)])


def test_a_place_is_decided_if_all_before_it_are_better_and_all_behind_it_are_not() -> None:
    better = np.triu(np.ones((6, 6), dtype=bool), 1)
    assert places(better) == Places([Span(1, 6)], [])
    better[2, 3] = better[3, 4] = False
    assert places(better) == SIX
    better[0, 5] = False
    assert places(better) == Places([], [Span(1, 6)])
    assert places(np.zeros((0, 0), dtype=bool)).said() == ""


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            Places([Span(1, 2)], [Span(3, 5)], Deciding(1914, 840.0, endless=False)),
            "Places 1 and 2 are decided, 3 to 5 are open; deciding them at 95 % takes about 1,900 more matches, 14 minutes.",
        ),
        (
            Places([Span(3, 3)], [Span(1, 2), Span(4, 8)], Deciding(1_000_400, None, endless=True)),
            "Place 3 is decided, 1, 2 and 4 to 8 are open; deciding them at 95 % takes at least 1,000,000 more matches.",
        ),
        (Places([], [Span(1, 4)]), "None of the 4 places is decided yet."),
        (Places([Span(1, 4)], []), "All 4 places are decided."),
        (
            Places([Span(3 * at, 3 * at) for at in range(1, 5)], [Span(3 * at + 1, 3 * at + 2) for at in range(4)]),
            "4 of 12 places are decided, 8 are open.",
        ),
        (
            Places([], [Span(1, 2)], Deciding(1, 0.2, endless=False)),
            "None of the 2 places is decided yet; deciding them at 95 % takes about 1 more match, 1 second.",
        ),
    ],
)
def test_places_are_said_in_a_sentence(found: Places, sentence: str) -> None:
    assert str(found) == found.facts()["text"] == sentence
    assert all(in_all(found.said).values())


def test_a_time_is_said_in_the_unit_that_suits_it() -> None:
    assert [lasting(seconds) for seconds in (0.2, 60, 600, 9000, 1e6)] == [
        "1 second",
        "60 seconds",
        "10 minutes",
        "2 hours",
        "12 days",
    ]


def test_standings_have_the_places_that_each_bot_may_have(store: Store) -> None:
    """Bots 1 and 2 beat 3 and 4 nine times of ten, and each other every second time."""
    tables = [(1, 3), (1, 4), (2, 3), (2, 4)] * 60
    strong = [
        match_of(store, pair, id=id, ranks=(2, 1) if id // 4 % 10 == 0 else (1, 2)) for id, pair in enumerate(tables, 1)
    ]
    close = [
        match_of(store, pair, id=1000 + id, ranks=(1 + id // 2 % 2, 2 - id // 2 % 2))
        for id, pair in enumerate([(1, 2), (3, 4)] * 30)
    ]
    played(store, *strong, *close)
    standings = Standings(store, store.lists()[0])
    rows = [row for row in standings.rows() if row.place]
    assert sorted((row.rank_low, row.rank_high) for row in rows) == [(1, 2), (1, 2), (3, 4), (3, 4)]
    assert rows[0].facts()["ranks"] == "1 to 2"
    found = standings.places()
    assert (found.decided, found.open) == ([], [Span(1, 2), Span(3, 4)])
    assert found.deciding is not None
    assert found.deciding.endless
    assert found.deciding.matches >= 300


def test_deciding_two_bots_takes_what_their_difference_says(store: Store) -> None:
    """After 20 wins of 30 it is 1.6 errors, and 1.96 take half as many matches again."""
    for row in store.bots():
        if row.id not in (1, 3):
            store.set_state(row.id, "removed")
    played(store, *(match_of(store, (1, 3), id=id, ranks=(2, 1) if id % 3 else (1, 2)) for id in range(1, 31)))
    deciding = Standings(store, store.lists()[0]).places().deciding
    assert deciding is not None
    assert not deciding.endless
    assert 10 <= deciding.matches <= 20
