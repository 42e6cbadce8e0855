"""The tier `landlock`: each bot a process confined by Landlock and a filter of system calls.

For desktops with neither bubblewrap nor a container engine, and bots that one half trusts: it needs no installation.
"""

from bullring.arena.cells.sandbox.tier import Tier

TIER = Tier(
    __name__,
    name="landlock",
    title="Landlock and a system call filter",
    leaves_open="bots share the machine's processes and, without cgroups, its memory and processors; they can see which files"
    " exist and read a record that is written into a bot's own folder",
    concedes=("caps: processes", "processes: signals", "leaks: the referee's name"),
    has_box=False,
    needs="Linux 5.13 or newer",
)
