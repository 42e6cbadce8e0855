"""The tier `none`: each bot an ordinary process, of which only the environment and some limits are ours."""

from dataclasses import replace

from bullring.arena.cells.sandbox.promises import CLOCKS, FREEZING, RUN_DELAYS, WATCHDOG, Gap, Means
from bullring.arena.cells.sandbox.tier import Tier

TIER = Tier(
    __name__,
    name="none",
    title="no confinement",
    gaps=(
        Gap("network", "all of it", part=False, tries=("network",)),
        Gap("files", "what every user may", part=False, tries=("files",)),
        Gap("files", "what you may", unless=(Means.ROOT,), part=False),
        Gap("rivals", "sees all processes", tries=("system calls", "leaks: the referee's name")),
        Gap(
            "rivals",
            "reads hidden cards from it",
            unless=(Means.ROOT,),
            part=False,
            tries=("processes",),
        ),
        FREEZING,
        replace(CLOCKS, part=False),
        RUN_DELAYS,
        Gap("clocks", "changes its share of the processor", tries=("time: waking", "time: its share")),
        replace(WATCHDOG, tries=("caps: memory",)),
        Gap("processes", "programs may outlive a killed referee"),
        Gap("processes", "no cap", unless=(Means.PROCESSES, Means.ROOT), tries=("caps: processes",)),
        Gap("disk", "only the size of a file", tries=("caps: files",)),
        Gap("channels", "all of them", part=False, tries=("leaks",)),
        Gap("machine", "uses up anything", part=False, tries=("machine",)),
        Gap(
            "machine",
            "root where there are no other users",
            unless=(Means.ROOT,),
            part=False,
            tries=("user: not root",),
        ),
    ),
    for_strangers=False,
    confines=False,
    has_box=False,
)
