"""The tier `landlock`: each bot a process confined by Landlock and a filter of system calls.

For desktops with neither bubblewrap nor a container engine, and bots that one half trusts: it needs no installation.
"""

from dataclasses import replace

from bullring.arena.cells.sandbox.promises import CLOCKS, FREEZING, RUN_DELAYS, WATCHDOG, Gap, Means
from bullring.arena.cells.sandbox.tier import Tier

TIER = Tier(
    __name__,
    name="landlock",
    title="Landlock and a system call filter",
    gaps=(
        Gap("files", "names and sizes can be found out"),
        Gap("files", "permissions, times and records in a bot's folder, too", unless=(Means.ROOT,)),
        Gap("rivals", "sees the referee's name", tries=("leaks: the referee's name",)),
        Gap("rivals", "signals", unless=(Means.ROOT, Means.SIGNALS), tries=("processes: signals",)),
        FREEZING,
        CLOCKS,
        RUN_DELAYS,
        replace(WATCHDOG, tries=("caps: memory",)),
        Gap("processes", "programs may outlive a killed referee"),
        Gap(
            "processes",
            "no cap",
            unless=(Means.PROCESSES, Means.ROOT),
            tries=("caps: processes",),
        ),
    ),
    for_strangers=False,
    has_box=False,
    needs="Linux 5.13 or newer",
)
