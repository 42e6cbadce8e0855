"""Ratings that a store keeps: shown while they are those of its matches, and what a run of a long list begins with."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bullring.ladder.run import live_ratings
from bullring.ladder.run.live_ratings import Rated
from bullring.ladder.standings import ratings
from bullring.ladder.standings.ratings import Ratings
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import ListRow
from bullring.ladder.store.store import Store
from tests.ladder.stored import match_of, played

PAIRS = [(1, 2), (2, 3), (3, 1), (1, 3)] * 50


def more(store: Store, matches: int) -> None:
    played(store, *(match_of(store, PAIRS[at % 200], id=store.next_match() + at) for at in range(matches)))


@pytest.fixture
def list_(store: Store) -> ListRow:
    """A list of 200 matches that was rated."""
    more(store, 200)
    (list_,) = store.lists()
    ratings.rated(store, list_)
    return list_


def test_standings_are_shown_as_they_were_stored(store: Store, list_: ListRow) -> None:
    shown, anew = Ratings.shown(store, list_), Standings(store, list_)
    assert shown is not None
    assert shown.rows == anew.rows()
    assert shown.outlook == replace(anew.outlook(), more=shown.outlook.more)  # which goes by the pace of the moment
    assert shown.outlook.facts()["newer"] == 0


def test_they_may_lack_one_match_of_a_hundred_and_say_so(store: Store, list_: ListRow) -> None:
    more(store, 2)
    shown = Ratings.shown(store, list_)
    assert shown is not None
    assert shown.outlook.newer == 2
    more(store, 1)
    assert Ratings.shown(store, list_) is None


def test_they_are_not_shown_once_a_bot_or_the_anchor_is_another(store: Store, list_: ListRow) -> None:
    store.set_anchor(list_.id, 2)
    assert Ratings.shown(store, list_) is None
    ratings.rated(store, list_)
    shown = Ratings.shown(store, list_)
    assert shown is not None
    assert shown.outlook.zero is not None
    assert shown.outlook.zero.anchor == store.bots()[1].name
    store.set_state(1, "retired")
    assert Ratings.shown(store, list_) is None


def test_ratings_that_are_not_those_of_the_matches_are_found(store: Store, list_: ListRow) -> None:
    more(store, 1)
    assert ratings.damaged(store) == []
    kept = Ratings.stored(store, list_.id)
    assert kept is not None
    first, *rest = kept.rows
    assert first.rating is not None
    with store.change():
        replace(kept, rows=[replace(first, rating=first.rating + 30), *rest]).write(store, list_.id)
    assert ratings.damaged(store) == [list_.title]


def test_a_run_of_a_long_list_begins_with_them_and_reads_no_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home.create(tmp_path / "home", ["10s"])
    with closing(home.store()) as store:
        for name in "abc":
            store.add_bot(name, "a program")
        more(store, 200)
        (list_,) = store.lists()
        found = ratings.rated(store, list_)
        monkeypatch.setattr(live_ratings, "MANY", 20)
        monkeypatch.setattr(live_ratings, "Standings", None)
        run = Rated(home, store, list_, until_error=5.0)
        assert run.rows() == found.rows
        assert run.matches(1) == 150
        assert (run.known().ratings == found.known.ratings).all()
        assert run.known().target == 5.0
