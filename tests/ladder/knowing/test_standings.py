"""The table of a list, from what the store holds and from what a run adds."""

from dataclasses import replace

from bullring.ladder.keeping.store import Store
from bullring.ladder.knowing.standings import Standings
from tests.ladder.stored import group_of, match_of, played


def test_a_bot_that_is_added_while_a_ladder_runs_is_rated_like_the_others(store: Store) -> None:
    first = group_of(store)
    (list_,) = store.lists()
    standings = Standings(store, list_, until_error=1.0)
    store.add_bot("new", "program new")
    new = store.bot("new").id
    assert standings.enough([*first.lineup, new]) is None
    group = replace(first, lineup=(new, first.lineup[1]))
    with store.change():
        store.add_group(group)
        standings.add(group, [match_of(group, 0), match_of(group, 1)])
        standings.write()
    standings.rate()
    assert [row.matches for row in standings.rows() if row.bot == "new"] == [2]
    assert standings.rating(new) is not None


def test_finished_groups_become_results_by_place_of_the_line_up(store: Store) -> None:
    group = group_of(store, (3, 1))
    played(store, group, match_of(group, 0), match_of(group, 1))
    (list_,) = store.lists()
    results = Standings(store, list_).results()
    assert results.lineups.tolist() == [[2, 0]]
    assert results.ranks.tolist() == [[2, 1], [1, 2]]
    assert results.heads.tolist() == [[0, 300_000], [300_000, 0]]
    assert results.deals.tolist() == [2, 2]
