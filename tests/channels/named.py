"""The channels that nobody promises to close: SECURITY.md names them from here, and a comparison that finds another one fails."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from bullring.arena.cells.sandbox.landlock import rules
from bullring.arena.cells.sandbox.tiers import TIERS
from tests.channels.comparison import PLANTED, Channel

ALL = frozenset(name for name, tier in TIERS.items() if tier.confines)
OF_PROC = frozenset({"docker"} if rules.let_rename() else {"bwrap", "docker"})
"""The tiers in which bots read all of /proc that is about themselves: in `bwrap` where the kernel has no Landlock."""


@dataclass(frozen=True)
class Named:
    """A channel with a name."""

    name: str
    what: str
    """For the documents: what the receiver reads."""
    readings: str
    """A regular expression for the beginnings of names of readings."""
    tiers: Collection[str] = ALL


NAMED = (
    Named(
        "time",
        "how long work, system calls and first reads of shared files take, and times of new files",
        r"time of |first read |getrusage|times|clock|slice|getcpu|getloadavg|sysinfo: (load|uptime)"
        r"|(.*/|new process: )(stat|schedstat|sched|status|io)\b|.*/cpu\.pressure|.*/cpuacct\.",
    ),
    Named(
        "inodes",
        "inode numbers of new pipes, sockets and files",
        r"new .*: (inode|fd\b|fdinfo: ino)|status of .*: ino|/proc/.*/fd/",
    ),
    Named("waiting", "how many programs wait at a page of a shared file (`futex`)", r"waiting at shared pages"),
    Named(
        "processes",
        "how many processes the machine has (`sysinfo`, links of `/proc`)",
        r"status of /proc: nlink|sysinfo: processes",
    ),
    Named(
        "memory",
        "how much memory the machine has free, and how much is shared (`sysinfo`)",
        r"sysinfo: (free|shared|buffers)",
    ),
    Named(
        "pages",
        "which pages of shared files others have read or mapped (`smaps`, `numa_maps`, counts of its own cgroup)",
        r"/proc/\w+/(smaps|numa_maps)|/sys/fs/cgroup/.*(\.stat|_stat|usage_in_bytes|\.current|\.peak|refault)",
        OF_PROC,
    ),
    Named("eventfds", "numbers of new eventfds (`eventfd-id`)", r"new eventfd: fdinfo|/proc/.*/fdinfo/", OF_PROC),
    Named("disks", "free blocks of the machine's disks (`statfs`)", r"statfs ", {"docker"}),
    Named(
        "users",
        "what the kernel counts by user, if the referee is not root: pipe pages, files in messages, signals",
        r"new pipe: size|descriptors in a message|signals that",
    ),
    Named(
        "numbers",
        "numbers of processes, and what is told of a process by its number",
        r"a process|status of a process|new (process|thread): id|processes near|new process: stat",
        {"landlock"},
    ),
)


NAMES = {named.name: named for named in NAMED}


def best(tier: str, channels: Iterable[Channel]) -> dict[str, Channel]:
    """Of each name the channel that tells most in a second; of new ones and the test's own, too."""
    found: dict[str, Channel] = {}
    for one in channels:
        name = PLANTED if is_planted(one) else name_of(tier, one) or "NEW"
        found[name] = max(found.get(name, one), one, key=lambda channel: channel.rate)
    return dict(sorted(found.items()))


def name_of(tier: str, channel: Channel) -> str | None:
    """The name under which this tier concedes a channel; None if it is a new one."""
    for named in NAMED:
        if tier in named.tiers and re.match(named.readings, channel.reading):
            return named.name
    return None


def is_planted(channel: Channel) -> bool:
    """Whether it is the test's own."""
    return f"/{PLANTED}" in channel.reading


def unnamed(tier: str, channels: Iterable[Channel]) -> list[str]:
    """The channels that nothing names."""
    return [
        f"{channel.deed} is told by {channel.reading}: {channel.right} of {channel.trials} right"
        for channel in channels
        if not is_planted(channel) and name_of(tier, channel) is None
    ]
