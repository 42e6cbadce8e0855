"""A bot is benched for faults, and for costing more than its limits grant again and again."""

from collections.abc import Sequence

import pytest

from bullring.arena.match.cost import Spent
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import MICRO, Limits
from bullring.ladder.standings.penalties import MOST_CLOSED, WINDOW, Budget, faults_verdict
from bullring.ladder.store.packed_row import packed
from bullring.ladder.store.rows import MatchRow, SeatRow
from bullring.ladder.store.store import Store
from tests.ladder.stored import match_of, played

LIMITS = Limits.seconds(start=10, card=0.5, row=0.5, other=0.5, bank=1)
BUDGET = Budget(LIMITS)
GRANTED = 5 + 1 + 1
"""Seconds, for ten decisions."""


def judged(store: Store, *matches: tuple[float, float, int], since: int = 1, void: bool = False) -> str | None:
    """The verdict on a bot after matches with these wall and processor seconds and starts."""
    list_ = store.list_of("standard", {"deals": 1}, 2).id
    with store.change():
        for wall, cpu, starts in matches:
            spent = Spent(round(wall * MICRO), round(cpu * MICRO), starts)
            seats = [SeatRow(1, 5, 1, (), False, {20: 10}, {}, spent), SeatRow(2, 9, 2, (), False, {20: 10}, {})]
            id = store.next_match()
            row = (list_, "ladder", None, Seed("5eed", "nonce"), "", "", "the machine stood still" if void else None)
            store.add([packed(MatchRow(id, *row, not void, 1, seats, "00"))])  # type: ignore[arg-type]
    return BUDGET.verdict(store, 1, since)


def test_a_hello_after_nine_of_ten_seconds_at_every_match(store: Store) -> None:
    assert judged(store, *[(9.0, 0.1, 1)] * 4) is None
    assert judged(store, (9.0, 0.1, 1)) == "it took 9 s a match in its last 5 matches, where 7 s are granted"


@pytest.mark.parametrize(
    ("what", "match"),
    [
        ("thinks for as long as it may", (5.9, 5.9, 0)),
        ("is started anew for each match, quickly", (0.9, 0.3, 1)),
        ("needs all of its limit for a start that the arena wanted", (0.1, 9.0, 1)),
    ],
)
def test_what_the_limits_grant_is_never_too_much(store: Store, what: str, match: tuple[float, float, int]) -> None:
    assert judged(store, *[match] * 30) is None, what


def test_working_on_when_it_is_not_asked(store: Store) -> None:
    reason = judged(store, *[(0.1, 0.0, 0)] * 4, (0.1, 60.0, 0))
    assert reason == "it used 12 s of processor time a match in its last 5 matches, where 7 s are granted"


def test_a_single_match_may_exceed_it(store: Store) -> None:
    assert BUDGET.exceeded_by(10, Spent(9 * MICRO, 0, 1))
    assert not BUDGET.exceeded_by(10, Spent(GRANTED * MICRO, GRANTED * MICRO, 0))
    assert judged(store, *[(0.1, 0.0, 0)] * 19, (60.0, 60.0, 1)) is None


def test_only_the_last_matches_count_and_none_from_before_a_reinstatement_and_no_void_ones(store: Store) -> None:
    assert judged(store, *[(9.0, 0.1, 1)] * 20) is not None
    assert judged(store, *[(0.1, 0.1, 0)] * 20) is None
    assert judged(store, *[(9.0, 0.1, 1)] * 4, since=41) is None
    assert judged(store, *[(9.0, 0.1, 1)] * 20, since=45, void=True) is None


def test_starts_that_the_operator_wants_are_granted() -> None:
    assert BUDGET.exceeded_by(10, Spent(9 * MICRO, 0, 1))
    assert not Budget(LIMITS, every_match=True).exceeded_by(10, Spent(9 * MICRO, 9 * MICRO, 1))


def faulty(store: Store, count: int, faults: Sequence[str], *, closed: bool, void: str | None = None) -> None:
    """So many matches of the bot c."""
    for _ in range(count):
        played(store, match_of(store, (3, 1), faults=faults, closed=closed, void=void))


def test_two_matches_without_a_start_in_a_row_are_enough(store: Store) -> None:
    faulty(store, 1, ["start"], closed=True)
    assert faults_verdict(store, 3, 0) is None
    faulty(store, 1, [], closed=False)
    faulty(store, 1, ["start"], closed=True)
    assert faults_verdict(store, 3, 0) is None
    faulty(store, 1, ["start"], closed=True)
    assert faults_verdict(store, 3, 0) == "it did not start in its last 2 matches"
    assert faults_verdict(store, 1, 0) is None
    assert faults_verdict(store, 3, store.next_match()) is None


def test_closed_seats_are_counted_in_the_last_matches_only(store: Store) -> None:
    faulty(store, MOST_CLOSED - 1, ["timeout", "timeout", "crash"], closed=True)
    faulty(store, 3, ["illegal"], closed=False)  # a strike is no closed seat
    assert faults_verdict(store, 3, 0) is None
    faulty(store, WINDOW - 3, [], closed=False)
    faulty(store, MOST_CLOSED - 1, ["crash"], closed=True)
    assert faults_verdict(store, 3, 0) is None
    faulty(store, 1, ["crash"], closed=True)
    assert faults_verdict(store, 3, 0) == "its seat was closed in 5 of its last 20 matches (crash 5 times)"


def test_void_matches_raise_no_suspicion(store: Store) -> None:
    faulty(store, 10, ["start"], closed=True, void="the host stood still")
    assert faults_verdict(store, 3, 0) is None


def test_a_reinstated_bot_begins_anew(store: Store) -> None:
    faulty(store, 5, ["crash"], closed=True)
    store.set_state(3, "benched", str(faults_verdict(store, 3, 0)))
    store.set_state(3, "active")
    row = store.bot("c")
    assert (row.state, row.reason) == ("active", "")
    assert faults_verdict(store, 3, row.judged_from) is None
    faulty(store, 5, ["crash"], closed=True)
    assert faults_verdict(store, 3, row.judged_from) == "its seat was closed in 5 of its last 5 matches (crash 5 times)"
