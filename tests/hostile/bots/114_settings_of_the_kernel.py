"""Writes what it should not in /proc: settings of the machine, its own standing when memory runs out. Bound: ten writes."""

import os

from hostile import play, refused

WORDS = {
    "/proc/sysrq-trigger": b"h",
    "/proc/self/oom_score_adj": b"-1000",
    "/proc/1/oom_score_adj": b"-1000",
    "/proc/sys/kernel/core_pattern": b"core",
    "/proc/sys/vm/drop_caches": b"1",
    "/proc/sys/vm/compact_memory": b"1",
    "/proc/sys/kernel/ns_last_pid": b"9999",
    "/proc/sys/fs/binfmt_misc/register": b"",
    "/proc/irq/default_smp_affinity": b"1",
    "/proc/pressure/cpu": b"some 500000 1000000",
}
for path, word in WORDS.items():
    refused(path, lambda path=path, word=word: os.write(os.open(path, os.O_WRONLY), word))
play()
