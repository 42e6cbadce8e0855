"""The kernel's account of a bot, and the time that it gives back. Pure. All times are whole microseconds.

A limit is time on a core of one's own. While a bot is ready to run and somebody else has its core, its clock must stand. The kernel
counts exactly that for a group of processes: the time in which at least one of them was ready and none of them had a processor
(the line `full` of the file cpu.pressure of a cgroup; kernel documentation, "PSI - Pressure Stall Information"). Where there is no
such cgroup, `threads` finds the least that it can have been. A bot cannot make that number grow by anything it does itself: while
one of its threads or processes runs, others of its own may wait, but then one of them does run; and while it sleeps, nothing of it
is ready.

There are no processor quotas: they stall bots for tens of milliseconds.
"""

from dataclasses import dataclass

KERNEL_SHARE = 0.02
"""Share of a bot's time that threads of the kernel may take from it like any stranger. What they take beyond that may be work for
the bot, such as freeing what it had allocated, and is not given back, up to the time that the bot itself spent in the kernel: one
that only thinks causes none."""


@dataclass(frozen=True, slots=True)
class Account:
    """Counts from an arbitrary origin: only differences between two accounts mean something."""

    waited_us: int
    """Time in which the bot was ready to run and nothing of it had a processor."""
    kernel_us: int = 0
    """Time in which threads of the kernel had its core."""
    system_us: int = 0
    """Time in which the bot itself ran in the kernel."""
    used_us: int = 0
    """Time in which the bot itself ran."""
    queues: bool = False
    """Whether it may be waiting now, for a time that does not count yet. False while nothing of it is ready to run."""

    def since(self, before: "Account", window_us: int) -> int:
        """The time to give back for a window of this length, which began at the account `before`, or later.

        At most what the bot did not use itself.
        """
        kernel = self.kernel_us - before.kernel_us - round(KERNEL_SHARE * window_us)
        for_it = min(max(0, kernel), self.system_us - before.system_us)
        most = window_us - (self.used_us - before.used_us)
        return max(0, min(self.waited_us - before.waited_us - for_it, most))
