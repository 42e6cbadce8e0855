"""The table of a list, from what the store holds and from what a run adds."""

import pytest

from bullring.ladder.rating.results import Results
from bullring.ladder.standings import blocks as knowing_blocks
from bullring.ladder.standings.blocks import blocks, remembered
from bullring.ladder.standings.columns import bound
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.packed_row import packed
from bullring.ladder.store.rows import ListRow
from bullring.ladder.store.store import Store
from bullring.ladder.watching.display.tables import standings_notes
from tests.ladder.stored import match_of, pair_of, played


def results_of(store: Store, list_: ListRow, *, by_id: bool = True) -> Results:
    matches = store.counted(list_.id, 0, store.last_number(), by_id=by_id)
    (found,) = blocks(matches, [row.id for row in store.bots()], list_.seats)
    return found


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
            store.add([packed(match)])
    standings.rate()
    assert [row.matches for row in standings.rows() if row.bot == "new"] == [2]
    assert standings.rating(new) is not None


def test_a_match_is_a_result_by_itself_in_the_order_of_its_seats(store: Store) -> None:
    played(store, match_of(store, (3, 1)), match_of(store, (1, 3), id=2))
    (list_,) = store.lists()
    results = results_of(store, list_)
    assert results.sizes.tolist() == [1, 1]
    assert results.lineups.tolist() == [[2, 0], [0, 2]]
    assert results.ranks.tolist() == [[2, 1], [2, 1]]
    assert results.heads.tolist() == [[0, 300_000], [0, 300_000]]
    assert results.deals.tolist() == [2, 2]


def test_the_matches_of_a_group_are_one_result_in_the_order_of_its_first_match(store: Store) -> None:
    played(store, *pair_of(store, (3, 1), points=(0, 2)))
    (list_,) = store.lists()
    results = results_of(store, list_)
    assert results.sizes.tolist() == [2]
    assert results.lineups.tolist() == [[2, 0]]
    assert results.ranks.tolist() == [[2, 1], [1, 2]]
    assert results.heads.tolist() == [[0, 300_000], [300_000, 0]]


def test_results_are_in_the_order_of_ids_though_matches_end_in_another(store: Store) -> None:
    (later, earlier) = (match_of(store, (3, 1), id=8), match_of(store, (2, 4), id=7))
    (list_,) = store.lists()
    played(store, later)
    played(store, earlier)
    assert results_of(store, list_).lineups.tolist() == [[1, 3], [2, 0]]
    assert results_of(store, list_, by_id=False).lineups.tolist() == [[2, 0], [1, 3]]


def test_ratings_that_go_on_from_the_last_ones_are_those_of_the_whole_list(store: Store) -> None:
    (first, *others) = [match_of(store, (3, 1), id=1), match_of(store, (2, 4), id=2), match_of(store, (3, 2), id=3)]
    (list_,) = store.lists()
    played(store, first)
    live = Standings(store, list_, live=True)
    for match in others:
        played(store, match)
        live.rate()
    assert live.rated == 3
    whole = {row.bot: row for row in Standings(store, list_).rows()}
    for row in live.rows():
        assert row.rating == pytest.approx(whole[row.bot].rating, abs=0.01)
        assert row.error == pytest.approx(whole[row.bot].error, rel=0.01)
        assert (row.matches, row.heads) == (whole[row.bot].matches, whole[row.bot].heads)


def test_an_interval_that_is_open_to_one_side_has_the_end_that_is_known(store: Store) -> None:
    """Bots 1 and 2 beat each other at times, bot 3 wins all, bot 4 none."""
    results = [
        ((1, 2), (1, 2)),
        ((1, 2), (2, 1)),
        ((3, 1), (1, 2)),
        ((3, 2), (1, 2)),
        ((4, 1), (2, 1)),
        ((4, 2), (2, 1)),
    ]
    for number, (bots, ranks) in enumerate(results * 3, 1):
        played(store, match_of(store, bots, id=number, ranks=ranks))
    standings = Standings(store, store.lists()[0])
    rows = {row.bot: row for row in standings.rows()}
    one, two, best, worst = (rows[store.bots()[number].name] for number in range(4))
    assert not one.anchor
    assert one.error == pytest.approx(two.error)
    assert two.low is not None
    assert two.high is not None
    assert two.error == pytest.approx((two.high - two.low) / 2)
    assert best.error is None
    assert best.high is None
    assert best.low is not None
    assert best.rating is not None
    assert best.low < best.rating
    assert (worst.error, worst.low) == (None, None)
    assert worst.high is not None
    assert worst.rating is not None
    assert worst.rating < worst.high
    assert [bound(row)[:1] for row in (best, worst)] == [">", "<"]
    assert bound(best) == f">{best.low:.0f}"
    assert bound(worst) == f"<{worst.high:.0f}"
    assert len(list(standings_notes([one, two]))) == 0
    assert len(list(standings_notes([one, two, best]))) == 2  # that it is open, and provisional


def test_bots_that_no_chain_connects_with_most_others_are_marked_and_have_no_place(store: Store) -> None:
    played(
        store, *(match_of(store, bots, id=id) for id, bots in enumerate([(1, 2), (2, 1), (1, 2), (3, 4), (4, 3)], 1))
    )
    list_ = store.lists()[0]
    names = [row.name for row in store.bots()]
    rows = Standings(store, list_, until_error=10_000.0).rows()
    assert [row.connected for row in rows] == [True, True, False, False]
    assert {row.bot for row in rows[2:]} == {names[2], names[3]}
    assert [row.place for row in rows] == [1, 2, None, None]
    assert [row.los for row in rows[1:]] == [None, None, None]
    assert [(row.low, row.high, row.error, bound(row)) for row in rows[2:]] == [(None, None, None, "apart")] * 2
    assert "no matches connect this bot" in " ".join(note.plain for note in standings_notes(rows))
    assert Standings(store, list_, until_error=10_000.0).enough([1, 2, 3, 4]) is None
    other = Standings(store, list_, names[2]).rows()
    assert {row.bot for row in other if row.place} == {names[2], names[3]}


def test_heads_are_those_that_were_taken_and_beside_them_how_they_compare(store: Store) -> None:
    """Over two deals, the first seat takes no heads and the second one 300,000."""
    played(store, *(match_of(store, (1, 2), id=id) for id in range(1, 5)), match_of(store, (2, 3), id=9))
    rows = {row.bot: row for row in Standings(store, store.lists()[0]).rows()}
    one, two, three = (rows[row.name] for row in store.bots()[:3])
    assert (one.heads, two.heads, three.heads) == (0.0, 120_000.0, 150_000.0)
    assert one.heads_v_average is not None
    assert two.heads_v_average is not None
    assert two.heads_v_average - one.heads_v_average == pytest.approx(150_000.0)
    assert one.heads_v_average < 0
    assert three.heads_v_average is None  # a single match


@pytest.mark.parametrize("anchor", [None, 2])
def test_what_is_printed_what_ends_a_run_and_what_the_schedule_narrows_are_the_same(
    store: Store, anchor: int | None
) -> None:
    tables = [(1, 2), (2, 3), (3, 4), (4, 1), (1, 3), (2, 4)] * 12
    ranks = ((1, 2), (2, 1), (1, 2))
    played(store, *(match_of(store, bots, id=id, ranks=ranks[id * id % 7 % 3]) for id, bots in enumerate(tables, 1)))
    list_ = store.lists()[0]
    names = [row.name for row in store.bots()]
    named = None if anchor is None else names[anchor]
    standings = Standings(store, list_, named)
    rows = {row.bot: row for row in standings.rows()}
    printed = [rows[name].error for name in names[:4]]
    known = standings.known()
    assert standings.zero.anchor == named
    assert [row.bot for row in rows.values() if row.anchor] == ([] if named is None else [named])
    assert all(rows[name].rating == 1500.0 for name in names[:4] if name == named)
    assert known.weights[:4] @ known.ratings[:4] == pytest.approx(standings.zero.mean)
    assert {row.bot: row.error for row in Standings(store, list_).rows()} == pytest.approx(
        {name: row.error for name, row in rows.items()}
    )
    assert known.widths[:4].tolist() == pytest.approx(printed)
    widest = max(error for error in printed if error is not None)
    for until_error, enough in ((widest + 0.1, True), (widest - 0.1, False)):
        stopping = Standings(store, list_, named, until_error)
        assert (stopping.enough([1, 2, 3, 4]) is not None) == enough
        assert stopping.known().target == until_error


def test_an_anchor_says_that_it_places_only_those_that_matches_connect_with_it(store: Store) -> None:
    played(store, *(match_of(store, bots, id=id) for id, bots in enumerate([(1, 2)] * 4 + [(3, 4)] * 2, 1)))
    (list_,) = store.lists()
    assert [Standings(store, list_, name).zero.apart for name in (None, "c")] == [True, True]
    said = Standings(store, list_, "c").zero.said()
    assert said == "c is the anchor: it has 1500, and only bots that matches connect with it have places."
    played(store, match_of(store, (1, 3), id=9))
    assert "moves all ratings alike" in Standings(store, list_, "c").zero.said()


def test_the_first_version_has_two_names(store: Store) -> None:
    played(store, *(match_of(store, bots, id=id) for id, bots in enumerate([(1, 2), (2, 1), (2, 3), (3, 2)], 1)))
    (list_,) = store.lists()
    standings = Standings(store, list_, "a v1")
    assert standings.zero.anchor == "a"
    assert standings.compare(["a v1", "b"]) == standings.compare(["a", "b"])


def test_a_list_is_read_once_for_all_passes_unless_it_is_too_large(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(store, *[match_of(store, id=id) for id in range(1, 6)])
    (list_,) = store.lists()
    reads = 0

    def source() -> list[Results]:
        nonlocal reads
        reads += 1
        return [results_of(store, list_)] * 3

    again = remembered(source)
    assert [[block.groups for block in again()] for _ in range(3)] == [[5, 5, 5]] * 3
    assert reads == 1
    monkeypatch.setattr(knowing_blocks, "KEPT", 2 * results_of(store, list_).nbytes)
    again = remembered(source)
    assert [[block.groups for block in again()] for _ in range(3)] == [[5, 5, 5]] * 3
    assert reads == 4
