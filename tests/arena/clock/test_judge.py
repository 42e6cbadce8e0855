"""Who is late: moments and evidence in, rulings out. No clock, no bot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.clock.judge import STALL_MARGIN_US, WAITING_MARGIN_US, Evidence, Ruling, SeatClock

MS = 1000
times = st.integers(0, 10_000_000)


def asked(limit_us: int = 200 * MS, bank_us: int = 0) -> SeatClock:
    """A seat that was asked at the moment 1 s."""
    return SeatClock(bank_us=bank_us, limit_us=limit_us, asked_us=1000 * MS)


def test_without_evidence_a_deadline_that_has_passed_is_a_time_loss() -> None:
    clock = asked()
    assert clock.deadline_us == 1200 * MS
    assert clock.judge(1200 * MS, Evidence()) is Ruling.LATE
    assert clock.given_back() == ""


def test_the_bank_is_part_of_the_deadline_and_is_gone_with_a_time_loss() -> None:
    clock = asked(bank_us=300 * MS)
    assert clock.deadline_us == 1500 * MS
    assert clock.judge(1500 * MS, Evidence()) is Ruling.LATE
    assert clock.bank_us == 0


def test_a_stall_moves_the_deadline_and_is_told() -> None:
    clock = asked(limit_us=1000 * MS)
    assert clock.judge(2000 * MS, Evidence(stalled_us=100 * MS)) is Ruling.MORE_TIME
    assert clock.deadline_us == 2100 * MS
    assert clock.judge(2100 * MS, Evidence(stalled_us=100 * MS)) is Ruling.LATE, "the same stall earns nothing twice"
    assert clock.given_back() == " (not counting 100 ms in which the machine stood still)"


def test_a_stall_of_more_than_a_quarter_says_nothing_of_the_bot() -> None:
    assert asked().judge(1200 * MS, Evidence(stalled_us=50 * MS + 1)) is Ruling.UNKNOWN
    assert asked(bank_us=800 * MS).judge(2000 * MS, Evidence(stalled_us=250 * MS)) is Ruling.MORE_TIME


def test_waiting_for_the_processor_is_given_back_up_to_the_whole_time_allowed() -> None:
    clock = asked()
    assert clock.judge(1200 * MS, Evidence(waited_us=150 * MS)) is Ruling.MORE_TIME
    assert clock.deadline_us == 1350 * MS
    assert clock.judge(1350 * MS, Evidence(waited_us=10_000 * MS)) is Ruling.MORE_TIME
    assert clock.deadline_us == 1400 * MS
    assert clock.judge(1400 * MS, Evidence(waited_us=20_000 * MS)) is Ruling.LATE
    assert clock.given_back() == " (not counting 200 ms in which others had the processor)"


@pytest.mark.parametrize(
    "evidence", [Evidence(stalled_us=STALL_MARGIN_US), Evidence(waited_us=WAITING_MARGIN_US)], ids=["stall", "waiting"]
)
def test_what_is_within_the_margin_is_not_given_back(evidence: Evidence) -> None:
    assert asked(limit_us=1000 * MS).judge(2000 * MS, evidence) is Ruling.LATE


def test_the_bank_pays_for_what_exceeds_the_limit_and_not_for_what_was_given_back() -> None:
    clock = asked(bank_us=100 * MS)
    assert not clock.stop(200 * MS)
    assert clock.stop(230 * MS)
    assert clock.bank_us == 70 * MS
    clock.credit_us = 25 * MS
    assert clock.stop(230 * MS)
    assert clock.bank_us == 65 * MS
    assert clock.stop(10_000 * MS)
    assert clock.bank_us == 0


@given(limit=st.integers(1, 10_000_000), bank=times, stalled=times, waited=times, late=times)
def test_evidence_never_harms_and_more_time_is_in_the_future(
    limit: int, bank: int, stalled: int, waited: int, late: int
) -> None:
    clock = asked(limit, bank)
    before = clock.deadline_us
    now = before + late
    ruling = clock.judge(now, Evidence(stalled, waited))
    assert clock.deadline_us >= before or ruling is Ruling.LATE
    if ruling is Ruling.MORE_TIME:
        assert clock.deadline_us > now
        assert clock.bank_us == bank
    if ruling is Ruling.LATE:
        assert stalled <= 0.25 * (limit + bank)
        assert late >= min(waited, limit + bank) - WAITING_MARGIN_US or late >= stalled - STALL_MARGIN_US
