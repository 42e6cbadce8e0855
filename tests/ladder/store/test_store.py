"""The store: what goes in comes out, whole or not at all."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bullring.arena.games.rules.registry import find
from bullring.errors import LadderError, StoreError
from bullring.ladder.store.store import CountedMatch, Store
from tests.ladder.stored import match_of, pair_of, played, rows


def test_what_goes_into_the_store_comes_out_of_it(store: Store, tmp_path: Path) -> None:
    first = match_of(store, (4, 2, 3))
    second = match_of(store, (2, 3, 1), id=2, faults=["timeout", "timeout", "crash"], closed=True)
    played(store, first)
    played(store, second)
    with closing(Store.open(tmp_path / "ladder.db", read_only=True)) as reader:
        assert reader.matches() == [first, second]
        assert list(reader.matches_in(first.list)) == [first, second]
        assert list(reader.last_matches(first.list, None, 1)) == [second]
        assert list(reader.last_matches(first.list, 4, 5)) == [first]
        assert list(reader.ids(9)) == [1, 2]
        assert reader.match(2) == second
        assert reader.packed_of(3) is None
        assert reader.next_match() == 3
        assert reader.home == "0123456789abcdef"
        assert [row.name for row in reader.bots()] == list("abcd")
        with pytest.raises(StoreError, match="readonly"):
            reader.add_bot("e", "program e")


def test_matches_are_noted_from_their_beginning_to_their_end(store: Store) -> None:
    with store.change():
        store.begin([1, 2, 3])
    assert store.playing() == [1, 2, 3]
    assert store.next_match() == 4
    played(store, match_of(store, id=2))
    assert store.playing() == [1, 3]
    with store.change():
        store.give_up([1])
    assert store.playing() == [3]
    assert [match.id for match in store.matches()] == [2]


def test_a_match_is_in_the_store_once(store: Store) -> None:
    match = match_of(store)
    played(store, match)
    with pytest.raises(StoreError, match="UNIQUE"):
        played(store, match)
    assert len(store.matches()) == 1


def test_a_change_is_made_whole_or_not_at_all(store: Store) -> None:
    pair = pair_of(store)

    def change() -> None:
        with store.change():
            store.add(rows(pair[:1]))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        change()
    assert store.matches() == []


def test_a_name_is_taken_for_good(store: Store) -> None:
    store.set_state(2, "removed")
    with pytest.raises(LadderError, match="there is already a bot 'b'"):
        store.add_bot("b", "another program")
    with pytest.raises(LadderError, match=r"its bots: a, c, d$"):
        store.bot("e")
    assert store.bot("b").state == "removed"


def test_matches_that_count_are_read_as_they_are_packed(store: Store) -> None:
    match, void = match_of(store, (3, 1)), match_of(store, id=2, void="the host stood still")
    played(store, match, void)
    pair = pair_of(store, (2, 4))
    played(store, *pair)
    played(store, *pair_of(store, (3, 1), "duel"))
    row = rows([match])[0]
    assert row.bots == b"\3\0\0\0\1\0\0\0"
    assert list(row.ranks) == [2, 1]
    assert row.heads == b"".join(number.to_bytes(4, "little") for number in (0, 300_000))
    expected = [
        CountedMatch(first, 2, own.bots, own.ranks, own.heads)
        for first, own in zip((1, 3, 3), rows([match, *pair]), strict=True)
    ]
    assert list(store.counted(match.list, 0, store.last_number())) == expected
    assert list(store.counted(match.list, 1, store.last_number())) == expected[1:]


def test_tables_count_once_a_group_and_seats_in_every_match(store: Store) -> None:
    played(store, match_of(store, (3, 1)), match_of(store, (1, 3), id=2), match_of(store, (1, 3), id=3, void="a stall"))
    played(store, *pair_of(store, (2, 4)))
    (list_,) = store.lists()
    assert store.tables_in(list_.id, "ladder") == {(1, 3): 2, (2, 4): 1}
    assert store.tables_in(list_.id, "gauntlet") == {}
    assert store.seats_in(list_.id) == {
        (3, 0): 1,
        (1, 1): 1,
        (1, 0): 2,
        (3, 1): 2,
        **{(b, s): 1 for b in (2, 4) for s in (0, 1)},
    }
    assert store.rated(list_.id) == 5


def test_a_group_of_which_a_match_is_void_does_not_count(store: Store) -> None:
    first, second = pair_of(store)
    played(store, replace(first, counted=False), replace(second, void="a stall", counted=False))
    played(store, *pair_of(store))
    found = list(store.groups_in(first.list, "ladder"))
    assert [[match.counted for match in group] for group in found] == [[False, False], [True, True]]
    assert [match.first for match in store.counted(first.list, 0, 99)] == [3, 3]


def test_lists_differ_by_game_options_and_seats(store: Store) -> None:
    options = dict(find("standard")(4, {"deals": 1}).options)
    one = store.list_of("standard", options, 4)
    assert store.list_of("standard", dict(reversed(options.items())), 4) == one
    assert store.list_of("standard", {**options, "deals": 2}, 4).id != one.id
    assert store.list_of("standard", options, 5).id != one.id
    assert len(store.lists()) == 3
    store.set_duplicate(one.id, duplicate=True)
    assert store.list_of("standard", options, 4) == replace(one, duplicate=True)
    assert store.lists()[0].title == "standard, 4 seats, deals 1, duplicate"


def test_a_bot_that_was_taken_off_is_not_benched(tmp_path: Path) -> None:
    with closing(Store.create(tmp_path / "ladder.db", "home")) as store:
        for name in ("one", "two"):
            store.add_bot(name, "")
        store.set_state(1, "removed")
        assert not store.bench(1, "late")
        assert store.bench(2, "late")
        assert [(row.state, row.reason) for row in store.bots()] == [("removed", ""), ("benched", "late")]


def test_the_last_matches_are_those_with_the_highest_numbers_however_they_ended(store: Store) -> None:
    played(store, *[match_of(store, bots, id=id) for id, bots in ((4, (1, 2)), (2, (3, 1)), (3, (2, 3)), (1, (1, 3)))])
    (list_,) = store.lists()
    assert [match.id for match in store.last_matches(list_.id, None, 2)] == [3, 4]
    assert [match.id for match in store.last_matches(list_.id, 3, 2)] == [2, 3]
    assert [match.id for match in store.last_matches(list_.id, 3, 99)] == [1, 2, 3]
    assert [match.id for match in store.matches_of([1, 3], 3, list_=list_.id)] == [2, 3, 4]
    assert [match.id for match in store.matches_of([1], 9, lost=True)] == [1, 4]
    assert [match.id for match in store.matches_of([1], 9, match=4)] == [4]
    assert store.matches_of([3], 9, match=4) == []
