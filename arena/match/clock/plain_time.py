"""Whether a bot counts plain time: it thinks less where others have its core for longer, though its clock stands then.

Pure. For how long others have a bot's core is chance to the bot: it depends on who else thinks at the table, and on what else the
machine does. Of two decisions with as many options, take the one during which others had the core for longer. A bot that works by
processor time, or looks at no clock, thinks much less in that one at most as often as much more: more often it thinks more, for who
thinks long is interrupted longer. One that counts plain time thinks less, by what the others had.

So pairs are counted, each decision in one at most. They are judged by a game of chance that is fair, or worse, for all bots but
those that count plain time.

Thinking is what the kernel counts as processor time. Clock time would not do: what is not known to be others' is in it, so it seems
to be shorter the more is known to be theirs.
"""

from dataclasses import dataclass, field
from math import log

from bullring.arena.cells.sandbox.account import Account

BEGUN_US = 100
"""Processor time from which on a bot has begun with a question. A clock of its own does not run before."""

LEAST_US = 5_000
"""Longest thinking of a pair, and difference of what others had, below which it tells nothing."""

MOST = 2
"""If others had the core for more than so many times the longest thinking in both, whatever it had to do was over when it ran."""

WIN, LOSS = 1.6, 0.4
"""What a stake of 1 becomes by a pair in which the bot thought much less, and much more: 1 on average where both are as likely."""

SURE = 10_000
"""The stake from which on a bot is said to count plain time. Of so many others, one comes there, however many pairs there are."""


def counts_plain_time(shrank: int, grew: int) -> bool:
    """Whether a bot with so many pairs in which it thought much less, and much more, counts plain time."""
    return shrank * log(WIN) + grew * log(LOSS) >= log(SURE)


@dataclass(slots=True)
class Thought:
    """What is known of one seat's thinking about its question."""

    before_us: int | None = None
    """The processor time that its bot had used before the question; None if that is not known."""
    rested_us: int = 0
    """When the bot was first kept off its core; 0 if it was not."""
    unread_us: int = 0
    """For how long it was kept off its core before it had begun."""
    _begun: bool = True

    def rest(self, now_us: int, account: Account | None) -> None:
        """The bot is kept off its core."""
        if not self.rested_us:
            self.rested_us = now_us
            if account is not None and self.before_us is not None:
                self._begun = account.used_us - self.before_us >= BEGUN_US

    def run(self, now_us: int) -> None:
        """It may go on."""
        if self.rested_us and not self._begun:
            self.unread_us, self._begun = now_us - self.rested_us, True

    def end(self, plain_us: int, account: Account | None) -> tuple[int, int] | None:
        """It has answered, in this time: what it used of the processor, and for how long others had that.

        None if not known: where nothing was read, others may have had the core in all but a moment.
        """
        if account is None or self.before_us is None:
            return (plain_us, 0) if plain_us < LEAST_US and not self.rested_us else None
        used_us = account.used_us - self.before_us
        return used_us, max(0, plain_us - used_us - self.unread_us)

    def clear(self, account: Account | None = None) -> None:
        """Await the next question; the account is that of now."""
        self.before_us = None if account is None else account.used_us
        self.rested_us, self.unread_us, self._begun = 0, 0, True


@dataclass(slots=True)
class Pairs:
    """The pairs of a bot, made of its decisions in the order in which they come."""

    _open: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)
    """By kind and number of options, a decision that has no partner yet: for how long others had the core, and what it used."""

    def add(self, kind: str, options: int, used_us: int, others_us: int) -> int:
        """Add a decision. Returns 1 if it ends a pair in which the bot thought much less where others had its core for longer,
        -1 if it thought much more there, and 0 otherwise."""
        new = (others_us, used_us)
        old = self._open.setdefault((kind, options), new)
        (little_us, before_us), (much_us, after_us) = sorted((old, new))
        apart_us, longest_us = much_us - little_us, max(before_us, after_us)
        if apart_us < LEAST_US:
            return 0
        del self._open[kind, options]
        if longest_us < LEAST_US or little_us > MOST * longest_us:
            return 0
        if 2 * abs(before_us - after_us) < min(apart_us, longest_us):
            return 0
        return 1 if after_us < before_us else -1
