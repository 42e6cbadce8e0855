"""Who is benched, and who is not."""

from collections.abc import Sequence

from bullring.ladder.standings.suspicion import MOST_CLOSED, WINDOW, verdict
from bullring.ladder.store.store import Store
from tests.ladder.stored import match_of, played


def faulty(store: Store, count: int, faults: Sequence[str], *, closed: bool, void: str | None = None) -> None:
    """So many matches of the bot c."""
    for _ in range(count):
        played(store, match_of(store, (3, 1), faults=faults, closed=closed, void=void))


def test_two_matches_without_a_start_in_a_row_are_enough(store: Store) -> None:
    faulty(store, 1, ["start"], closed=True)
    assert verdict(store, 3, 0) is None
    faulty(store, 1, [], closed=False)
    faulty(store, 1, ["start"], closed=True)
    assert verdict(store, 3, 0) is None
    faulty(store, 1, ["start"], closed=True)
    assert verdict(store, 3, 0) == "it did not start in its last 2 matches"
    assert verdict(store, 1, 0) is None
    assert verdict(store, 3, store.next_match()) is None


def test_closed_seats_are_counted_in_the_last_matches_only(store: Store) -> None:
    faulty(store, MOST_CLOSED - 1, ["timeout", "timeout", "crash"], closed=True)
    faulty(store, 3, ["illegal"], closed=False)  # a strike is no closed seat
    assert verdict(store, 3, 0) is None
    faulty(store, WINDOW - 3, [], closed=False)
    faulty(store, MOST_CLOSED - 1, ["crash"], closed=True)
    assert verdict(store, 3, 0) is None
    faulty(store, 1, ["crash"], closed=True)
    assert verdict(store, 3, 0) == "its seat was closed in 5 of its last 20 matches (crash 5 times)"


def test_void_matches_raise_no_suspicion(store: Store) -> None:
    faulty(store, 10, ["start"], closed=True, void="the host stood still")
    assert verdict(store, 3, 0) is None


def test_a_reinstated_bot_begins_anew(store: Store) -> None:
    faulty(store, 5, ["crash"], closed=True)
    store.set_state(3, "benched", str(verdict(store, 3, 0)))
    store.set_state(3, "active")
    row = store.bot("c")
    assert (row.state, row.reason) == ("active", "")
    assert verdict(store, 3, row.judged_from) is None
    faulty(store, 5, ["crash"], closed=True)
    assert verdict(store, 3, row.judged_from) == "its seat was closed in 5 of its last 5 matches (crash 5 times)"
