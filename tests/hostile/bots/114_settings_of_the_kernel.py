"""Writes what it should not in /proc: settings of the machine, its own standing when memory runs out. Bound: ten writes."""

from pathlib import Path

from hostile import play, refused

WORDS = {
    "/proc/sysrq-trigger": "h",
    "/proc/self/oom_score_adj": "-1000",
    "/proc/1/oom_score_adj": "-1000",
    "/proc/sys/kernel/core_pattern": "core",
    "/proc/sys/vm/drop_caches": "1",
    "/proc/sys/vm/compact_memory": "1",
    "/proc/sys/kernel/ns_last_pid": "9999",
    "/proc/sys/fs/binfmt_misc/register": "",
    "/proc/irq/default_smp_affinity": "1",
    "/proc/pressure/cpu": "some 500000 1000000",
}
for path, word in WORDS.items():
    refused(path, lambda path=path, word=word: Path(path).open("r+").write(word))
play()
