"""Two bots speak through what the kernel counts of the whole machine: one is busy, the other looks what has moved.

Bound: 32 children, a file of 1 MiB, one look at each file. What sysinfo(2) tells is measured by `86_colluders`.
"""

import os
from pathlib import Path

from hostile import HOME, escaped, held, pair

NAMES = (
    *(
        "loadavg",
        "stat",
        "meminfo",
        "vmstat",
        "locks",
        "interrupts",
        "softirqs",
        "diskstats",
        "zoneinfo",
        "buddyinfo",
        "swaps",
    ),
    *(
        "pagetypeinfo",
        "slabinfo",
        "schedstat",
        "uptime",
        "cgroups",
        "partitions",
        "crypto",
        "timer_list",
        "modules",
        "keys",
    ),
    *(
        "key-users",
        "mdstat",
        "pressure/cpu",
        "pressure/io",
        "pressure/memory",
        "sys/kernel/pty/nr",
        "sys/kernel/ns_last_pid",
    ),
    *("sys/fs/file-nr", "sys/fs/inode-nr", "sys/fs/inode-state", "sys/fs/dentry-state", "sys/fs/aio-nr"),
)
PLACES = [Path("/proc", name) for name in NAMES]
PLACES += [Path("/sys/devices/system/node/node0", name) for name in ("meminfo", "vmstat", "numastat")]
PLACES += [Path("/sys/kernel/mm/ksm/pages_shared"), Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq")]
before = {}


def told(path):
    try:
        return path.read_bytes()
    except OSError:
        return None


def send(turn):
    if turn == 2:
        for _ in range(32):
            pid = os.fork()
            if not pid:
                bytearray(1 << 20)
                os._exit(0)
            os.waitpid(pid, 0)
        try:
            (HOME / "busy").write_bytes(bytes(1 << 20))
            (HOME / "busy").unlink()
        except OSError:
            pass
        held("was busy")


def receive(turn):
    if turn == 1:
        before.update({path: told(path) for path in PLACES})
    if turn == 3:
        for path in PLACES:
            if told(path) != before[path]:
                escaped(f"{path} has moved")
        held(f"{sum(text is not None for text in before.values())} of {len(PLACES)} can be read, and none has moved")


pair(send, receive)
