"""The table of a list, from what the store holds and from what a run adds."""

from bullring.ladder.keeping.store import Store
from bullring.ladder.knowing.standings import Standings
from tests.ladder.stored import match_of, pair_of, played


def test_a_bot_that_is_added_while_a_ladder_runs_is_rated_like_the_others(store: Store) -> None:
    first = match_of(store)
    (list_,) = store.lists()
    standings = Standings(store, list_, until_error=1.0)
    store.add_bot("new", "program new")
    new = store.bot("new").id
    assert standings.enough([*first.bots, new]) is None
    matches = [match_of(store, (new, first.bots[1]), id=id) for id in (1, 2)]
    with store.change():
        for match in matches:
            store.add([match])
            standings.add([match])
        standings.write()
    standings.rate()
    assert [row.matches for row in standings.rows() if row.bot == "new"] == [2]
    assert standings.rating(new) is not None


def test_a_match_is_a_result_by_itself_in_the_order_of_its_seats(store: Store) -> None:
    played(store, match_of(store, (3, 1)), match_of(store, (1, 3), id=2))
    (list_,) = store.lists()
    results = Standings(store, list_).results()
    assert results.sizes.tolist() == [1, 1]
    assert results.lineups.tolist() == [[2, 0], [0, 2]]
    assert results.ranks.tolist() == [[2, 1], [2, 1]]
    assert results.heads.tolist() == [[0, 300_000], [0, 300_000]]
    assert results.deals.tolist() == [2, 2]


def test_the_matches_of_a_group_are_one_result_in_the_order_of_its_first_match(store: Store) -> None:
    played(store, *pair_of(store, (3, 1), points=(0, 2)))
    (list_,) = store.lists()
    results = Standings(store, list_).results()
    assert results.sizes.tolist() == [2]
    assert results.lineups.tolist() == [[2, 0]]
    assert results.ranks.tolist() == [[2, 1], [1, 2]]
    assert results.heads.tolist() == [[0, 300_000], [300_000, 0]]


def test_results_are_in_the_order_of_ids_though_matches_end_in_another(store: Store) -> None:
    (later, earlier) = (match_of(store, (3, 1), id=8), match_of(store, (2, 4), id=7))
    (list_,) = store.lists()
    standings = Standings(store, list_)
    standings.add([later])
    standings.add([earlier])
    assert standings.results().lineups.tolist() == [[1, 3], [2, 0]]
