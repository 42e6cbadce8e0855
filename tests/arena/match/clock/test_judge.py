"""Rulings on late seats: moments and evidence in, rulings out. No clock, no bot."""

from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.cells.sandbox.account import KERNEL_SHARE, Account
from bullring.arena.match.clock.judge import (
    CEILING,
    CEILING_LEAST_US,
    NEVER,
    QUEUE_US,
    SLOW_US,
    STALL_MARGIN_US,
    Ruling,
    SeatClock,
)
from bullring.arena.match.clock.watch import asked_at

MS = 1000
times = st.integers(0, 10_000_000)
START = Account(waited_us=7_000 * MS)


def waited(us: int, kernel_us: int = 0, system_us: int = 1000 * MS) -> Account:
    """The account of a bot that has waited for so long since `START`."""
    return Account(START.waited_us + us, kernel_us, system_us)


def asked(limit_us: int = 200 * MS, bank_us: int = 0) -> SeatClock:
    """A seat that was asked at the moment 1 s, with an account of that moment."""
    clock = SeatClock(bank_us)
    clock.ask(1000 * MS, limit_us, START)
    return clock


def test_without_evidence_a_deadline_that_has_passed_is_a_time_loss() -> None:
    clock = asked()
    assert clock.deadline_us == 1200 * MS
    assert clock.judge(1200 * MS, START, 0) is Ruling.LATE
    assert clock.given_back() == ""


def test_where_there_are_no_accounts_limits_are_plain_time() -> None:
    clock = SeatClock()
    clock.ask(1000 * MS, 200 * MS)
    assert clock.judge(1200 * MS, None, 0) is Ruling.LATE
    assert clock.time_us(1200 * MS) == 200 * MS


def test_the_bank_is_part_of_the_deadline() -> None:
    clock = asked(bank_us=300 * MS)
    assert clock.deadline_us == 1500 * MS
    assert clock.judge(1500 * MS, START, 0) is Ruling.LATE


def test_a_stall_moves_the_deadline_and_is_told() -> None:
    clock = asked(limit_us=1000 * MS)
    assert clock.judge(2000 * MS, START, 100 * MS) is Ruling.MORE_TIME
    assert clock.deadline_us == 2100 * MS
    assert clock.judge(2100 * MS, START, 100 * MS) is Ruling.LATE, "the same stall earns nothing twice"
    assert clock.given_back() == " (not counting 100 ms in which the machine stood still)"


def test_a_stall_within_the_margin_is_none() -> None:
    assert asked(limit_us=1000 * MS).judge(2000 * MS, START, STALL_MARGIN_US) is Ruling.LATE


def test_a_stall_of_more_than_a_quarter_says_nothing_of_the_bot() -> None:
    clock = asked()
    assert clock.judge(1200 * MS, START, 50 * MS + 1) is Ruling.UNKNOWN
    assert clock.doubt == "the machine stood still for 50 ms"
    assert asked(bank_us=800 * MS).judge(2000 * MS, START, 250 * MS) is Ruling.MORE_TIME


def test_what_others_used_of_the_core_is_given_back_however_much_it_is() -> None:
    clock = asked()
    assert clock.judge(1200 * MS, waited(150 * MS), 0) is Ruling.MORE_TIME
    assert clock.deadline_us == 1350 * MS
    assert clock.judge(1350 * MS, waited(300 * MS), 0) is Ruling.MORE_TIME
    assert clock.deadline_us == 1500 * MS
    assert clock.judge(3000 * MS, waited(1900 * MS), 0) is Ruling.MORE_TIME
    assert clock.deadline_us == 3100 * MS
    assert clock.judge(3100 * MS, waited(1900 * MS), 0) is Ruling.LATE
    assert clock.given_back() == " (not counting 1900 ms in which others had its core)"


def test_what_the_kernel_does_for_a_bot_is_the_bot_s_own() -> None:
    clock = asked()
    usual = round(KERNEL_SHARE * 200 * MS)
    assert clock.judge(1200 * MS, waited(50 * MS, usual), 0) is Ruling.MORE_TIME
    assert clock.deadline_us == 1250 * MS
    clock = asked()
    assert clock.judge(1200 * MS, waited(50 * MS, usual + 30 * MS), 0) is Ruling.MORE_TIME
    assert clock.deadline_us == 1220 * MS
    assert asked().judge(1200 * MS, waited(50 * MS, usual + 50 * MS), 0) is Ruling.LATE


def test_but_not_more_than_the_bot_itself_did_in_the_kernel() -> None:
    clock = asked()
    assert clock.judge(1200 * MS, waited(50 * MS, 190 * MS, system_us=10 * MS), 0) is Ruling.MORE_TIME
    assert clock.deadline_us == 1240 * MS


def test_nothing_is_given_back_of_what_the_bot_used_itself() -> None:
    clock = asked()
    assert clock.judge(1200 * MS, Account(START.waited_us + 150 * MS, used_us=120 * MS), 0) is Ruling.MORE_TIME
    assert clock.deadline_us == 1280 * MS


def test_what_a_bot_uses_outside_its_windows_is_charged_all_the_same() -> None:
    """It may be thawed before we can begin its window, and frozen after we have ended it."""
    clock = asked()
    clock.rest(1050 * MS, Account(START.waited_us, used_us=50 * MS))
    clock.run(2000 * MS, Account(START.waited_us, used_us=58 * MS))
    assert clock.time_us(2000 * MS) == 58 * MS
    assert clock.deadline_us == 2142 * MS
    clock.look(2010 * MS, Account(START.waited_us + 10 * MS, used_us=58 * MS))
    assert clock.time_us(2010 * MS) == 58 * MS, "charged once"
    clock.rest(2010 * MS, Account(START.waited_us + 10 * MS, used_us=58 * MS))
    clock.look(2010 * MS, Account(START.waited_us + 10 * MS, used_us=60 * MS))
    clock.stop(2010 * MS)
    assert clock.time_us(2010 * MS) == 60 * MS


def test_an_answer_that_is_read_late_is_charged_what_the_bot_used() -> None:
    """The moment of the answer is not known; what it used is."""
    clock = asked(limit_us=50 * MS, bank_us=100 * MS)
    clock.look(1070 * MS, Account(START.waited_us, used_us=90 * MS))
    clock.stop(1070 * MS)
    assert clock.bank_us == 60 * MS


def test_a_bot_that_runs_before_we_can_look_at_the_time_is_charged_for_it() -> None:
    assert asked_at(1000 * MS, 1004 * MS, exact=False) == 1000 * MS
    assert asked_at(1000 * MS, 1004 * MS, exact=True) == 1004 * MS, "what it used is known"
    assert asked_at(1000 * MS, 1000 * MS + 20, exact=False) == 1000 * MS + 20, (
        "the clock starts when the question is written"
    )


def test_without_an_account_of_the_question_what_was_used_is_counted_from_the_first_one() -> None:
    clock = SeatClock(account=START)
    clock.ask(1000 * MS, 200 * MS)
    clock.mark(1003 * MS, Account(START.waited_us, used_us=900 * MS))
    clock.rest(1050 * MS, Account(START.waited_us, used_us=947 * MS))
    clock.run(1200 * MS, Account(START.waited_us, used_us=952 * MS))
    assert clock.time_us(1200 * MS) == 55 * MS


def test_a_stall_is_given_back_though_the_kernel_takes_it_for_the_bot_s_running() -> None:
    clock = asked(limit_us=1000 * MS)
    assert clock.judge(2000 * MS, Account(START.waited_us, used_us=1000 * MS), 100 * MS) is Ruling.MORE_TIME
    assert clock.deadline_us == 2100 * MS


def test_a_clock_stands_while_the_bot_is_frozen() -> None:
    clock = asked()
    clock.rest(1050 * MS, waited(20 * MS))
    assert clock.deadline_us == NEVER
    assert clock.time_us(9000 * MS) == 30 * MS
    clock.run(9000 * MS, waited(25 * MS))
    assert clock.deadline_us == 9170 * MS
    assert clock.judge(9170 * MS, waited(35 * MS), 0) is Ruling.MORE_TIME
    assert clock.deadline_us == 9180 * MS
    assert clock.back_us == 30 * MS
    assert clock.judge(9180 * MS, waited(35 * MS), 0) is Ruling.LATE


def test_an_answer_that_had_come_before_the_bot_ran_again_takes_no_less_than_nothing() -> None:
    """One reading of the time serves many answers, and a bot may be thawed meanwhile."""
    clock = asked()
    clock.rest(1010 * MS, START)
    clock.run(1050 * MS, START)
    assert clock.time_us(1030 * MS) == 10 * MS
    clock.look(1030 * MS, START)
    clock.stop(1030 * MS)
    assert clock.time_us(1030 * MS) == 10 * MS
    assert clock.deadline_us == 1240 * MS


def test_an_account_older_than_the_question_gives_nothing_back_of_its_beginning() -> None:
    clock = SeatClock(account=START)
    clock.ask(1000 * MS, 200 * MS)
    clock.look(1000 * MS + SLOW_US, waited(100 * MS))
    assert clock.back_us == 0
    clock.look(1020 * MS, waited(100 * MS))
    assert clock.time_us(1020 * MS) == SLOW_US


def test_a_core_that_others_have_nearly_always_voids_the_match() -> None:
    clock = asked()
    end = 1000 * MS + max(CEILING * 200 * MS, CEILING_LEAST_US)
    assert clock.judge(end, waited(end - 1100 * MS), 0) is Ruling.MORE_TIME
    assert clock.judge(end + 1, waited(end - 1100 * MS), 0) is Ruling.UNKNOWN
    assert clock.doubt == "of 10000 ms others had its core for 9900 ms"


def test_but_not_for_a_bot_that_is_late() -> None:
    clock = asked()
    end = 2000 * MS + max(CEILING * 200 * MS, CEILING_LEAST_US)
    assert clock.judge(end, waited(end - 1200 * MS), 0) is Ruling.LATE


def counted(ran_us: int, waited_us: int, *, queues: bool = True) -> Account:
    """An account that tells of waiting only once the bot has run, as that of its threads does."""
    return Account(START.waited_us + waited_us, used_us=ran_us, queues=queues)


def test_a_bot_that_may_be_waiting_for_its_core_is_not_late_until_it_has_run() -> None:
    clock = asked()
    assert clock.judge(1200 * MS, counted(90 * MS, 90 * MS), 0) is Ruling.MORE_TIME
    assert clock.deadline_us == 1290 * MS
    for moment in range(1290, 1320, 3):
        assert clock.judge(moment * MS, counted(110 * MS, 90 * MS), 0) is Ruling.MORE_TIME
        assert clock.deadline_us == moment * MS + QUEUE_US
    assert clock.judge(1320 * MS, counted(111 * MS, 209 * MS), 0) is Ruling.MORE_TIME
    assert clock.deadline_us == 1409 * MS


def test_one_that_has_run_since_and_has_not_waited_is_late() -> None:
    clock = asked()
    assert clock.judge(1200 * MS, counted(200 * MS, 0), 0) is Ruling.MORE_TIME
    assert clock.judge(1200 * MS + QUEUE_US, counted(203 * MS, 0), 0) is Ruling.LATE


def test_what_it_may_wait_for_after_it_has_run_is_not_charged_to_it_either() -> None:
    """On a busy machine the next look may come late."""
    clock = asked()
    assert clock.judge(1200 * MS, counted(150 * MS, 20 * MS), 0) is Ruling.MORE_TIME
    assert clock.judge(1220 * MS, counted(150 * MS, 20 * MS), 0) is Ruling.MORE_TIME
    assert clock.judge(1260 * MS, counted(155 * MS, 50 * MS), 0) is Ruling.MORE_TIME
    assert clock.deadline_us == 1260 * MS + QUEUE_US
    assert clock.judge(1270 * MS, counted(156 * MS, 104 * MS), 0) is Ruling.MORE_TIME
    assert clock.deadline_us == 1304 * MS


def test_one_that_sleeps_is_late_at_once() -> None:
    assert asked().judge(1200 * MS, counted(0, 0, queues=False), 0) is Ruling.LATE


def test_one_that_never_gets_to_run_voids_the_match() -> None:
    clock = asked()
    end = 1000 * MS + max(CEILING * 200 * MS, CEILING_LEAST_US)
    assert clock.judge(1200 * MS, counted(0, 0), 0) is Ruling.MORE_TIME
    assert clock.judge(end + 1, counted(0, 0), 0) is Ruling.UNKNOWN


def test_what_it_had_waited_for_when_it_was_frozen_is_given_back_when_it_is_told() -> None:
    clock = asked()
    clock.rest(1050 * MS, counted(10 * MS, 20 * MS))
    assert clock.time_us(1060 * MS) == 30 * MS
    clock.run(2000 * MS, counted(10 * MS, 60 * MS, queues=False))
    assert clock.time_us(2000 * MS) == 10 * MS, "no more than it was not running"
    assert clock.back_us == 40 * MS
    clock.look(2050 * MS, counted(60 * MS, 60 * MS))
    assert clock.time_us(2050 * MS) == 60 * MS


def test_but_not_once_more_in_the_next_window() -> None:
    clock = asked()
    clock.mark(1050 * MS, counted(10 * MS, 0))
    clock.look(1150 * MS, counted(20 * MS, 60 * MS))
    assert clock.time_us(1150 * MS) == 90 * MS
    clock.look(1160 * MS, counted(30 * MS, 70 * MS))
    assert clock.time_us(1160 * MS) == 90 * MS


def test_nothing_more_of_a_window_in_which_it_slept_to_the_end() -> None:
    clock = asked()
    clock.rest(1050 * MS, counted(10 * MS, 20 * MS, queues=False))
    clock.run(2000 * MS, counted(10 * MS, 60 * MS))
    assert clock.time_us(2000 * MS) == 30 * MS


def test_the_bank_pays_for_what_exceeds_the_limit_and_not_for_what_was_given_back() -> None:
    clock = asked(bank_us=100 * MS)
    clock.stop(1200 * MS)
    clock.stop(1230 * MS)
    assert clock.bank_us == 70 * MS
    clock.look(1230 * MS, waited(25 * MS))
    clock.stop(1230 * MS)
    assert clock.bank_us == 65 * MS
    clock.stop(10_000 * MS)
    assert clock.bank_us == 0


@given(limit=st.integers(1, 10_000_000), bank=times, stalled=times, waits=times, kernel=times, late=times)
def test_evidence_never_harms_and_more_time_is_in_the_future(
    limit: int, bank: int, stalled: int, waits: int, kernel: int, late: int
) -> None:
    clock = asked(limit, bank)
    before = clock.deadline_us
    now = before + late
    ruling = clock.judge(now, waited(waits, kernel), stalled)
    assert clock.deadline_us >= before
    assert clock.bank_us == bank
    if ruling is Ruling.MORE_TIME:
        assert clock.deadline_us > now
    if ruling is Ruling.LATE:
        assert stalled <= 0.25 * (limit + bank)
        assert clock.time_us(now) >= limit + bank


steps = st.lists(st.tuples(st.integers(0, 500_000), st.integers(0, 500_000), st.booleans()), min_size=1, max_size=20)


@given(steps)
def test_a_bot_is_charged_for_all_that_it_may_have_run(taken: list[tuple[int, int, bool]]) -> None:
    """The clock time is the time it was thawed, less the waiting that the kernel reports."""
    clock = asked(10_000_000)
    now, account, charged, runs = 1000 * MS, START, 0, True
    for length, wait, turns in taken:
        now += length
        account = Account(account.waited_us + min(wait, length if runs else 0))
        charged += length - min(wait, length) if runs else 0
        if turns and runs:
            clock.rest(now, account)
        elif turns:
            clock.run(now, account)
        runs = runs != turns
    clock.look(now, account)
    assert clock.time_us(now) == charged
