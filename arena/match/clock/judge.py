"""The clock of one seat, and the ruling when its time is up.

Pure: times and evidence are passed in. All times are whole microseconds; points in time count from an arbitrary origin.

The law: a limit is time on a core of one's own. A clock runs only in *windows* in which the bot may run; while the bot is frozen
it stands. From each window, what others used of the bot's core while it was ready to run is given back (`account`), without a
bound, and so is the time in which the machine stood still. What is left is the *clock time* of a decision. It is never less than
the processor time that the bot has used since the question, in its windows or outside: one that gets to run just before its window
begins, or just after it ended, gains nothing. A bot is late if its clock time has reached its limit and what is left of its bank,
and its pipe, read after that was found, was empty.
"""

from dataclasses import dataclass, replace
from enum import Enum, auto

from bullring.arena.cells.sandbox.account import Account

SLOW_US = 2_000
"""After this long a turn is slow: from here on bots think one after another."""

LONG_PART = 4
"""A decision is long once it has taken this part of its limit: from here on what others use of the bot's core is counted exactly.
Of shorter ones the time from question to answer is the clock time, with which no bot comes near its limit."""

LONG_WAIT = 2
"""The same where all that are asked were last seen to wait. Others take next to nothing from such a bot, and accounts of a thousand
of them would take longer than all else."""

STALL_MARGIN_US = 50_000
"""If the referee itself woke up more than this late, though no other program had its core, the machine stood still, and the bot
gets that time back."""

STALL_SHARE = 0.25
"""If stalls cost a bot more than this share of its time, the bot's time cannot be judged, and the match is void."""

CEILING = 50
CEILING_LEAST_US = 10_000_000
"""If a bot may run for this many times its time, and this long, without having used it up, then others have its core nearly all
the time: such a machine cannot play this match, and it is void."""

QUEUE_US = 3_000
"""Where an account tells of waiting only once it is over, a bot that seems late and may be waiting is looked at again after this
time, until it has run."""

WAITS = 4
"""A bot waits, for something else than the core, if it has used less than this part of the clock time since the question."""

NEVER = 1 << 62
"""A time that never comes."""


def bank_left(bank_us: int, limit_us: int, time_us: int) -> int:
    """The rest of the bank after an answer that took this clock time."""
    return max(0, bank_us - max(0, time_us - limit_us))


class Ruling(Enum):
    """The ruling on a seat whose deadline has passed and whose pipe was empty."""

    LATE = auto()
    """The seat is late, unless it has answered meanwhile."""
    MORE_TIME = auto()
    """The deadline has moved and is in the future again."""
    UNKNOWN = auto()
    """The machine failed, and nothing can be said of the bot's time (see `SeatClock.doubt`)."""


@dataclass(slots=True)
class SeatClock:
    """The clock of one seat: the windows of its current question, and its bank for the whole match."""

    bank_us: int = 0
    limit_us: int = 0
    """The limit of the current question."""
    asked_us: int = 0
    """The time of the current question."""
    account: Account | None = None
    """The last account of the bot: that of the beginning of the window, or an older one. None where there are no accounts;
    then limits are plain time."""
    doubt: str = ""
    """The reason of the ruling `UNKNOWN`."""
    since_us: int = 0
    """The beginning of the window; `NEVER` while the clock stands."""
    stalled_us: int = 0
    """The part of the time given back in this window that is for stalls of the machine."""
    _sure_us: int = 0
    """The part at the beginning of the window that is never given back, because the account is older than the window."""
    _back_us: int = 0
    """The time given back in this window, as far as it is known."""
    _before_us: int = 0
    """The clock time of the windows before it."""
    _back_before_us: int = 0
    """The time given back in the windows before it."""
    _run_before_us: int = 0
    """The length of the windows before it."""
    _stalled_before_us: int = 0
    """The part of that for stalls of the machine."""
    _used_from_us: int | None = None
    """The origin of the processor time used for the current question; None if it is not known yet."""
    _unsettled_us: int = 0
    """The part of the last window that may turn out to be waiting that its account could not tell yet."""
    _again_us: int = 0
    """The time of the next look at a bot that may be waiting."""
    _used_then_us: int | None = None
    """What it had used when it first seemed late; None if it was in time at the last look."""
    _looked_us: int = 0
    """The time of that look."""

    def ask(self, now_us: int, limit_us: int, account: Account | None = None) -> None:
        """Ask a question. Without an `account` of this moment the last one serves, but not for the first `SLOW_US`."""
        self.limit_us = limit_us
        self.asked_us = self.since_us = now_us
        self._sure_us, self._used_from_us, self._used_then_us = SLOW_US, None, None
        if account is not None:
            self.account, self._sure_us, self._used_from_us = account, 0, account.used_us

    def clear(self) -> None:
        """Forget what was given back for the last question, and its windows but the last."""
        self._back_us = self._before_us = self._back_before_us = self._run_before_us = 0
        self._unsettled_us = 0
        self.stalled_us = self._stalled_before_us = 0

    @property
    def exact(self) -> bool:
        """Whether the account is that of the beginning of the window."""
        return self._sure_us == 0

    @property
    def allowed_us(self) -> int:
        """The clock time allowed for the current question, including the bank."""
        return self.limit_us + self.bank_us

    @property
    def deadline_us(self) -> int:
        """The time before which it cannot be late; `NEVER` while the clock stands."""
        if self.since_us == NEVER:
            return NEVER
        return max(self._again_us, self.since_us + self._back_us + self.limit_us + self.bank_us - self._before_us)

    @property
    def back_us(self) -> int:
        """The time given back for the current question so far."""
        return self._back_before_us + self._back_us

    def time_us(self, now_us: int) -> int:
        """The clock time used for the current question. What had come before the window began has taken nothing of it."""
        return self._before_us + (0 if self.since_us == NEVER else max(0, now_us - self.since_us - self._back_us))

    def waits(self, now_us: int, account: Account | None) -> bool:
        """Whether the bot has mostly waited since the question, though the core was free for it; False if that is not known."""
        if account is None or self.account is None:
            return False
        used_from_us = self.account.used_us if self._used_from_us is None else self._used_from_us
        return (account.used_us - used_from_us) * WAITS < self.time_us(now_us)

    def look(self, now_us: int, account: Account | None, stalled_us: int = 0) -> None:
        """Learn what is to be given back of the current window until now, of which the machine stood still for `stalled_us`."""
        self._settle(account)
        if self.since_us == NEVER:
            self._count_used(now_us, account)
            return
        window = max(0, now_us - self.since_us)
        self.stalled_us = stalled_us if stalled_us > STALL_MARGIN_US else 0
        self._back_us = min(self._others_us(window, account) + self.stalled_us, window)
        self._count_used(now_us, account)

    def _others_us(self, window_us: int, account: Account | None) -> int:
        """What is to be given back for others of the current window, if it is this long."""
        if account is None or self.account is None:
            return 0
        return min(account.since(self.account, window_us), max(0, window_us - self._sure_us))

    def _settle(self, account: Account | None) -> None:
        """Give back the waiting of the last window that is told only now, and do not count it as that of this one."""
        if not self._unsettled_us or account is None or self.account is None:
            return
        more = min(self._unsettled_us, account.waited_us - self.account.waited_us)
        self._unsettled_us -= more
        self._before_us -= more
        self._back_before_us += more
        if not account.queues or account.used_us != self.account.used_us:
            self._unsettled_us = 0
        self.account = replace(self.account, waited_us=self.account.waited_us + more)

    def _count_used(self, now_us: int, account: Account | None) -> None:
        """Make the clock time until now at least what the bot has used of the processor."""
        if account is None or self._used_from_us is None:
            return
        stalled = self._stalled_before_us + (0 if self.since_us == NEVER else self.stalled_us)
        missing = account.used_us - self._used_from_us - stalled - self.time_us(now_us)
        if missing > 0:
            less = min(missing, self._back_us)
            self._back_us -= less
            self._before_us += missing - less

    def rest(self, now_us: int, account: Account | None, stalled_us: int = 0) -> None:
        """End the window: the bot is about to be frozen."""
        if self.since_us == NEVER:
            return
        self.look(now_us, account, stalled_us)
        window = now_us - self.since_us
        if account is not None and self.account is not None and account.queues:
            unproven = (
                window - self._sure_us - (account.used_us - self.account.used_us) - self._others_us(window, account)
            )
            self._unsettled_us = max(0, unproven)
        self.account = account
        self._run_before_us += window
        self._before_us += window - self._back_us
        self._back_before_us += self._back_us
        self._stalled_before_us += self.stalled_us
        self.since_us, self._back_us = NEVER, 0

    def run(self, now_us: int, account: Account | None) -> None:
        """Begin a window: the bot may run again."""
        self._settle(account)
        self.since_us, self._sure_us, self.account, self.stalled_us = now_us, 0, account, 0
        if account is not None and self._used_from_us is None:
            self._used_from_us = account.used_us - self._before_us
        self._count_used(now_us, account)

    def mark(self, now_us: int, account: Account | None, stalled_us: int = 0) -> None:
        """End the window and begin the next one at once, with an account of this moment."""
        self.rest(now_us, account, stalled_us)
        self.run(now_us, account)

    def stop(self, now_us: int) -> None:
        """The answer has come: charge the bank with what its clock time exceeds the limit."""
        self.bank_us = bank_left(self.bank_us, self.limit_us, self.time_us(now_us))

    def judge(self, now_us: int, account: Account | None, stalled_us: int) -> Ruling:
        """Rule on a deadline that has passed. After `MORE_TIME` it is in the future."""
        self.look(now_us, account, stalled_us)
        if stalled_us > STALL_SHARE * self.allowed_us:
            self.doubt = f"the machine stood still for {stalled_us / 1000:.0f} ms"
            return Ruling.UNKNOWN
        is_late = self.deadline_us <= now_us
        if is_late and not self._may_wait(now_us, account):
            return Ruling.LATE
        run = self._run_before_us + now_us - self.since_us
        if run > max(CEILING * self.allowed_us, CEILING_LEAST_US):
            self.doubt = f"of {run / 1000:.0f} ms others had its core for {self.back_us / 1000:.0f} ms"
            return Ruling.UNKNOWN
        if is_late:
            self._again_us = now_us + QUEUE_US
        else:
            self._used_then_us = None
        return Ruling.MORE_TIME

    def _may_wait(self, now_us: int, account: Account | None) -> bool:
        """Whether a bot that seems late may be waiting: its clock had not run out at the look before, as far as is known now.

        Once it has run, all its waiting before that is known.
        """
        if account is None or not account.queues:
            return False
        used, looked = self._used_then_us, self._looked_us
        if used is not None and used != account.used_us and self.time_us(now_us) - (now_us - looked) >= self.allowed_us:
            return False
        if used != account.used_us:
            self._used_then_us, self._looked_us = account.used_us, now_us
        return True

    def given_back(self) -> str:
        """A note on the time given back, for the report of a time loss; empty if it is too little to tell."""
        if self.back_us < 1000:
            return ""
        why = "the machine stood still" if self.stalled_us * 2 > self.back_us else "others had its core"
        return f" (not counting {self.back_us / 1000:.0f} ms in which {why})"
