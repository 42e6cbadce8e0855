"""The store: what goes in comes out, whole or not at all."""

from contextlib import closing
from pathlib import Path

import pytest

from bullring.arena.rules.registry import find
from bullring.errors import LadderError, StoreError
from bullring.ladder.keeping.rows import match_id
from bullring.ladder.keeping.store import DoneGroup, Store, packed
from tests.ladder.stored import group_of, match_of, played


def test_what_goes_into_the_store_comes_out_of_it(store: Store, tmp_path: Path) -> None:
    group = group_of(store, (4, 2, 3))
    matches = [match_of(group, 0), match_of(group, 1, faults=["timeout", "timeout", "crash"], closed=True)]
    assert group.size == 3
    assert [match.id for match in matches] == ["1.1", "1.2"] == [match_id(1, 0), match_id(1, 1)]
    with store.change():
        store.add_group(group)
        for match in matches:
            store.add_match(match)
    with closing(Store.open(tmp_path / "ladder.db", read_only=True)) as reader:
        assert reader.open_groups() == [group]
        assert reader.matches() == matches
        assert reader.matches_of(1) == matches
        assert reader.last_matches(group.list, None, 1) == matches[1:]
        assert reader.next_group() == 2
        assert reader.home == "0123456789abcdef"
        assert [row.name for row in reader.bots()] == list("abcd")
        with pytest.raises(StoreError, match="readonly"):
            reader.add_bot("e", "program e")
    with store.change():
        store.end_group(group, [], void=True)
    assert store.open_groups() == []
    assert store.unsealed() == matches
    with store.change():
        store.set_sealed([(1, 0)])
    assert store.unsealed() == matches[1:]


def test_a_match_is_in_the_store_once(store: Store) -> None:
    group = group_of(store)
    played(store, group, match_of(group, 0), match_of(group, 1))

    def again() -> None:
        with store.change():
            store.add_match(match_of(group, 1))

    with pytest.raises(StoreError, match="UNIQUE"):
        again()
    assert len(store.matches()) == 2


def test_a_change_is_made_whole_or_not_at_all(store: Store) -> None:
    group = group_of(store)

    def change() -> None:
        with store.change():
            store.add_group(group)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        change()
    assert store.groups() == []


def test_a_name_is_taken_for_good(store: Store) -> None:
    store.set_state(2, "removed")
    with pytest.raises(LadderError, match="there is already a bot 'b'"):
        store.add_bot("b", "another program")
    with pytest.raises(LadderError, match=r"its bots: a, c, d$"):
        store.bot("e")
    assert store.bot("b").state == "removed"


def test_finished_groups_are_kept_as_arrays_by_place_of_the_line_up(store: Store) -> None:
    group = group_of(store, (3, 1))
    matches = [match_of(group, 0), match_of(group, 1)]
    played(store, group, *matches)
    ranks, heads, deals = packed(group, matches)
    assert list(ranks) == [2, 1, 1, 2]
    assert heads == b"".join(number.to_bytes(4, "little") for number in (0, 300_000, 300_000, 0))
    assert deals == (2).to_bytes(4, "little") * 2
    assert list(store.done(group.list)) == [DoneGroup(1, [3, 1], ranks, heads, deals)]


def test_lists_differ_by_game_options_and_seats(store: Store) -> None:
    options = dict(find("standard")(4, {"deals": 1}).options)
    one = store.list_of("standard", options, 4)
    assert store.list_of("standard", dict(reversed(options.items())), 4) == one
    assert store.list_of("standard", {**options, "deals": 2}, 4).id != one.id
    assert store.list_of("standard", options, 5).id != one.id
    assert len(store.lists()) == 3
