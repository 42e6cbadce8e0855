"""The system calls that bots may not make, the errors they get instead, and the reasons. `bpf` and `oci` render the policy.

Calls that are not named here are allowed, because honest runtimes will call new ones next year. Calls newer than the
tables of `syscalls` do not exist for a bot, and calls through a foreign table (32-bit programs, x32) end it, because there the same
numbers have other meanings.

Only the lower 32 bits of arguments are tested. For every argument named here the kernel uses only those, too; a filter that
compared 64 bits would let values pass that the kernel then truncates to the forbidden one.

Errors are chosen so that honest runtimes survive: ENOSYS ("this kernel does not have that") where programs have an alternative,
EPERM where an ordinary user would get the same, and no error at all (`IN_NAME_ONLY`) where runtimes insist.
"""

from collections.abc import Collection
from dataclasses import dataclass
from errno import EAFNOSUPPORT, EINVAL, ENOMEM, ENOPROTOOPT, ENOSYS, EOPNOTSUPP, EPERM

ALL_BITS = 0xFFFFFFFF

AF_UNIX, AF_INET, AF_INET6 = 1, 2, 10
NETWORK_OF_ITS_OWN = (AF_UNIX,)
"""Socket families for a bot in its own network namespace, from which it cannot reach anybody.

Not the internet's, loopback included: what TCP and UDP buffer is charged to no cgroup, but to a pool of the whole machine
(`tcp_mem`). The buffers of UNIX sockets are charged to the bot.
"""
NO_SOCKETS: tuple[int, ...] = ()
"""Socket families for a bot that shares the machine's network: none. It may still create socket pairs for itself."""

IN_NAME_ONLY = 0
"""No error: the call is not made, and the program is told that it was."""

INTERNET = (AF_INET, AF_INET6)
"""Socket families for a program that may use the machine's network. Not UNIX: abstract sockets belong to a network."""

NEWER = ENOSYS
"""The error for calls above the highest known number."""


@dataclass(frozen=True)
class OneOf:
    """The masked argument is one of these values."""

    arg: int
    values: tuple[int, ...]
    mask: int = ALL_BITS


@dataclass(frozen=True)
class NoneOf:
    """The masked argument is none of these values."""

    arg: int
    values: tuple[int, ...]
    mask: int = ALL_BITS


Test = OneOf | NoneOf


def any_bit(arg: int, mask: int) -> Test:
    """At least one of these bits of the argument is set."""
    return NoneOf(arg, (0,), mask)


@dataclass(frozen=True)
class Rule:
    """These calls are not made, and fail with this error; if there is a test, only when it holds.

    Rules of a call that can apply at the same time have the same error, because container engines do not keep their order.
    """

    calls: tuple[str, ...]
    error: int
    why: str
    when: Test | None = None


# From linux/sched.h. For `clone`, CLONE_NEWTIME is among the bits of the child's exit signal and has no meaning.
_CLONE_NEWTIME = 0x00000080
_CLONE_NEW = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000

_CLONE_SIGNAL = 0xFF
# From asm-generic/signal.h.
_SIGCONT = 18

# From linux/socket.h and linux/net.h. The type is in the low four bits, flags above.
_SOCK_STREAM, _SOCK_SEQPACKET, _SOCK_TYPE = 1, 5, 0xF

# From linux/sched.h.
_CLONE_PIDFD = 0x00001000
_CLONE_PARENT = 0x00008000

# From asm-generic/socket.h: SO_ATTACH_FILTER, SO_LOCK_FILTER, SO_ATTACH_BPF, SO_ATTACH_REUSEPORT_CBPF, SO_ATTACH_REUSEPORT_EBPF.
_FILTERING = (26, 44, 50, 51, 52)
_SO_SNDBUF, _SO_SNDBUFFORCE = 7, 32
_SO_PASSPIDFD, _SO_PEERPIDFD = 76, 77

# From linux/fs.h: RWF_NOWAIT, RWF_DONTCACHE.
_ABOUT_THE_CACHE = 0x08 | 0x80

# From asm-generic/mman-common.h: MADV_MERGEABLE, MADV_COLD, MADV_PAGEOUT.
_ADVICE_ABOUT_OTHERS = (12, 20, 21)
_MAP_HUGETLB = 0x40000
# From linux/memfd.h.
_MFD_HUGETLB = 4

# From linux/prctl.h: PR_SET_SECCOMP, PR_SCHED_CORE, PR_SET_MEMORY_MERGE.
_PRCTL_REFUSED = (22, 62, 67)

# F_SETPIPE_SZ.
_PIPE_SIZE = (1031,)

# From asm-generic/fcntl.h and linux/fcntl.h, in this order: F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW.
_LOCKING = (6, 7, 37, 38)
# F_SETLEASE, F_NOTIFY, F_SETDELEG.
_WATCHING = (1024, 1026, 1040)
# F_SETSIG.
_CHOOSING_A_SIGNAL = (10,)

# From asm-generic/ioctls.h.
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C
# From linux/fs.h: FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR.
_SETTING_FLAGS = (0x40086602, 0x401C5820)

_RULES = (
    Rule(
        ("clone3",),
        ENOSYS,
        "its flags are in memory, which a filter cannot read; C libraries then use clone, whose flags can be tested",
    ),
    Rule(
        ("clone",),
        EPERM,
        "the signal sent at the child's end could be SIGCONT, see kill; a stopped bot may have processes that still run: one "
        "that waits for vfork does not stop, and an alarm ends it",
        OneOf(0, (_SIGCONT,), _CLONE_SIGNAL),
    ),
    Rule(
        ("clone",),
        EPERM,
        "a new namespace would give the bot capabilities in it, which expose most of the kernel to attacks",
        any_bit(0, _CLONE_NEW),
    ),
    Rule(
        ("clone",),
        EPERM,
        "a descriptor of the child, see pidfd_open",
        any_bit(0, _CLONE_PIDFD),
    ),
    Rule(
        ("pidfd_open",),
        ENOSYS,
        "the inode of such a descriptor is a number from a counter of all processes of the machine, which bots could read and "
        "advance; runtimes wait for children in the old way",
    ),
    Rule(("getsockopt",), ENOPROTOOPT, "a descriptor of the peer, as with pidfd_open", OneOf(2, (_SO_PEERPIDFD,))),
    Rule(("unshare",), EPERM, "a new namespace, as with clone", any_bit(0, _CLONE_NEW | _CLONE_NEWTIME)),
    Rule(("setns",), EPERM, "it enters namespaces of other processes"),
    Rule(
        ("mount", "umount2", "pivot_root", "chroot"),
        EPERM,
        "the arena decides which files the bot sees",
    ),
    Rule(
        ("fsopen", "fsconfig", "fsmount", "fspick", "move_mount", "mount_setattr", "open_tree", "open_tree_attr"),
        EPERM,
        "the newer interface for mounts",
    ),
    Rule(
        ("statmount", "listmount"), ENOSYS, "mounts reveal paths of the machine; older kernels do not have these calls"
    ),
    Rule(
        ("socketpair",),
        EOPNOTSUPP,
        "families other than UNIX cannot be paired, or load kernel modules that no bot needs",
        NoneOf(0, (AF_UNIX,)),
    ),
    Rule(
        ("io_uring_setup", "io_uring_enter", "io_uring_register"),
        ENOSYS,
        "it opens files and sockets without the calls that are filtered here; event loops fall back to epoll",
    ),
    Rule(
        ("io_setup",),
        ENOSYS,
        "its contexts come from one quota for the whole machine (aio-max-nr), of which a bot could take everything",
    ),
    Rule(
        ("setsockopt",),
        ENOPROTOOPT,
        "filters are compiled into memory of which the machine has a fixed amount (bpf_jit_limit); when it is full, no program can "
        "load a filter, and no sandbox can start. Larger buffers hold memory that only a cgroup sees. SO_PASSPIDFD brings "
        "descriptors of processes, see pidfd_open. Only the option is tested: UNIX sockets know no level but one",
        OneOf(2, (*_FILTERING, _SO_SNDBUF, _SO_SNDBUFFORCE, _SO_PASSPIDFD)),
    ),
    Rule(("seccomp",), EPERM, "filters of system calls take the same memory as those of sockets"),
    Rule(
        ("prctl",),
        EINVAL,
        "PR_SET_SECCOMP, as with seccomp; PR_SET_MEMORY_MERGE, as with madvise; PR_SCHED_CORE keeps everybody else from the other "
        "half of a core that is two processors, and the kernel returns EINVAL where it has none of it",
        OneOf(0, _PRCTL_REFUSED),
    ),
    Rule(
        ("memfd_secret",),
        ENOSYS,
        "as long as such memory exists, the machine cannot hibernate",
    ),
    Rule(
        ("memfd_create",),
        ENOMEM,
        "huge pages, as with mmap",
        any_bit(1, _MFD_HUGETLB),
    ),
    Rule(
        ("mmap",),
        ENOMEM,
        "huge pages that the machine has set aside, perhaps for a database, are not counted as the memory of a bot. ENOMEM, as on "
        "machines that have set none aside",
        any_bit(3, _MAP_HUGETLB),
    ),
    Rule(
        ("sync", "syncfs"),
        EPERM,
        "they write all files of the machine to its disks, and the time that takes tells what others have written. What a bot may "
        "write is in memory",
    ),
    Rule(
        ("add_key", "request_key", "keyctl"),
        ENOSYS,
        "keyrings are shared by all programs of a user or a session: bots could leave messages there",
    ),
    Rule(
        ("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd"),
        EPERM,
        "they read, change and compare other processes",
    ),
    Rule(
        ("bpf", "perf_event_open", "userfaultfd"),
        EPERM,
        "large parts of the kernel, often used to escape from sandboxes; ordinary users are mostly refused as well",
    ),
    Rule(
        ("inotify_init", "inotify_init1", "inotify_add_watch", "inotify_rm_watch", "fanotify_init", "fanotify_mark"),
        ENOSYS,
        "bots could see each other open and close shared files, even /dev/null; programs can poll instead",
    ),
    Rule(
        ("fcntl",),
        EINVAL,
        "leases and notifications reveal who else opens a file; the kernel returns EINVAL where it has none",
        OneOf(1, _WATCHING),
    ),
    Rule(
        ("fcntl",),
        EPERM,
        "larger pipes use up the pages that a user may have in pipes; other programs of that user then get tiny ones",
        OneOf(1, _PIPE_SIZE),
    ),
    # Without a cgroup freezer, freezing means that all processes of a bot are stopped by signals, and SIGCONT wakes them.
    # So only the referee may cause SIGCONT. The signals of alarm and setitimer wake no stopped process; mq_notify is refused below.
    Rule(
        ("timer_create",),
        ENOSYS,
        "its timers can send any signal: with SIGCONT a stopped bot could wake itself and keep thinking. alarm, setitimer and "
        "timerfd are allowed; kernels built without this call also return ENOSYS",
    ),
    Rule(
        ("fcntl",),
        EINVAL,
        "a file that announces its data by a signal (O_ASYNC) could send SIGCONT, as with timer_create. The default signal is "
        "SIGIO, which does not wake stopped processes, so its receiver (F_SETOWN) does not matter",
        OneOf(1, _CHOOSING_A_SIGNAL),
    ),
    Rule(
        ("kill", "tkill", "rt_sigqueueinfo", "pidfd_send_signal"),
        EPERM,
        "while the processes of a bot are stopped one by one, those still running could wake the others",
        OneOf(1, (_SIGCONT,)),
    ),
    Rule(("tgkill", "rt_tgsigqueueinfo"), EPERM, "they could wake others, as with kill", OneOf(2, (_SIGCONT,))),
    Rule(
        ("prctl",),
        EINVAL,
        "the signal sent at the parent's end (PR_SET_PDEATHSIG) could be SIGCONT, as with clone. Only this argument is tested; "
        "for other options 18 means next to nothing, and other signals are allowed",
        OneOf(1, (_SIGCONT,)),
    ),
    Rule(
        ("cachestat", "mincore"),
        ENOSYS,
        "the pages of a shared file that are in memory reveal what others have read",
    ),
    Rule(
        ("preadv2", "pwritev2"),
        EOPNOTSUPP,
        "reading only what is in memory (RWF_NOWAIT) reveals what others have read, and leaves it as it was; reading without "
        "keeping (RWF_DONTCACHE) makes others' reads slow",
        any_bit(5, _ABOUT_THE_CACHE),
    ),
    Rule(
        ("fadvise64", "readahead"),
        ENOSYS,
        "they fetch a file's pages or drop them from the memory that all bots share: with mincore or a clock, that is a message. "
        "They are only advice, and some kernels are built without",
    ),
    Rule(
        ("madvise",),
        EINVAL,
        "pages of shared files could be dropped from memory, as with fadvise64, or pages be merged with equal ones of others, "
        "whose next write then takes longer",
        OneOf(2, _ADVICE_ABOUT_OTHERS),
    ),
    Rule(
        (
            "shmget",
            "shmat",
            "shmctl",
            "semget",
            "semop",
            "semctl",
            "semtimedop",
            "msgget",
            "msgsnd",
            "msgrcv",
            "msgctl",
        ),
        ENOSYS,
        "System V memory and queues do not belong to a process: bots could communicate through them, and they outlive a bot",
    ),
    Rule(
        ("mq_open", "mq_unlink", "mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr"),
        ENOSYS,
        "POSIX message queues, as with System V",
    ),
    Rule(
        ("ioctl",),
        EPERM,
        "they type into the referee's terminal",
        OneOf(1, (_TIOCSTI, _TIOCLINUX)),
    ),
    Rule(
        ("ioctl",),
        EPERM,
        "flags of a file can be changed by its owner even if it is opened only for reading, which Landlock allows",
        OneOf(1, _SETTING_FLAGS),
    ),
    Rule(
        ("sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr", "setpriority", "ioprio_set"),
        IN_NAME_ONLY,
        "all bots get equal shares of the processor, on cores that the referee chooses. Mono and .NET die of an error here",
    ),
    Rule(
        ("clock_settime", "settimeofday", "adjtimex", "clock_adjtime"),
        EPERM,
        "bots must not set the machine's clock",
    ),
    Rule(
        ("init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "iopl", "ioperm"),
        EPERM,
        "bots must not change the kernel",
    ),
    Rule(
        ("swapon", "swapoff", "sethostname", "setdomainname", "acct", "quotactl", "quotactl_fd", "syslog", "vhangup"),
        EPERM,
        "bots must not administer the machine or read the kernel's log",
    ),
    Rule(
        ("open_by_handle_at", "name_to_handle_at"),
        EPERM,
        "handles open files without passing the folders above them",
    ),
    Rule(
        ("personality",),
        EPERM,
        "it makes addresses predictable, and the kernel imitate other ones; querying it (all bits set) is allowed",
        NoneOf(0, (0, ALL_BITS)),
    ),
    Rule(
        ("move_pages", "migrate_pages", "mbind", "set_mempolicy", "set_mempolicy_home_node", "get_mempolicy"),
        ENOSYS,
        "the machine decides where memory is placed. libnuma checks for ENOSYS; at EPERM Java and others complain",
    ),
    Rule(
        ("modify_ldt",),
        ENOSYS,
        "segments for 16-bit programs, with a long history of vulnerabilities; some kernels are built without it",
    ),
    Rule(
        ("lookup_dcookie", "uselib", "ustat", "sysfs", "_sysctl", "nfsservctl"),
        ENOSYS,
        "obsolete: newer kernels no longer have them",
    ),
    Rule(
        (
            "create_module",
            "query_module",
            "get_kernel_syms",
            "vserver",
            "security",
            "tuxcall",
            "afs_syscall",
            "getpmsg",
            "putpmsg",
        ),
        ENOSYS,
        "unused or obsolete numbers; modules loaded into a kernel to serve them are not for bots",
    ),
)


_NO_LOCKS = (
    # Java locks a file of performance data and, if it cannot, complains on stdout, among the bot's messages; but only if its user
    # has a name in /etc/passwd and /tmp is writable. A sandbox should not offer both, or Java needs -XX:-UsePerfData.
    Rule(
        ("flock",),
        ENOSYS,
        "locks on shared files, even /dev/null, can carry messages between bots. ENOSYS, because Go's tools and Rust's cargo take "
        "it as 'no locks here' and continue, and SQLite fails at once, whereas it would take ENOLCK as 'try again later'",
    ),
    Rule(("fcntl",), ENOSYS, "locks, as with flock", OneOf(1, _LOCKING)),
)

_STOPPABLE = (
    Rule(
        ("setpgid",),
        EPERM,
        "the kernel itself sends SIGCONT to a stopped process group when it loses its last parent in another group of the same "
        "session; without this call there are no other groups, and none is joined after it was stopped. Only shells at a terminal "
        "need it; setsid is allowed",
    ),
    Rule(
        ("clone",),
        EPERM,
        "a child of one's parent (CLONE_PARENT), which may be stopped already, and looked for no more",
        any_bit(0, _CLONE_PARENT),
    ),
    Rule(
        ("prctl",), EINVAL, "a process that takes in orphans (PR_SET_CHILD_SUBREAPER), as with clone", OneOf(0, (36,))
    ),
)
"""For freezing by signals: see `local.stopping`."""


def rules(families: Collection[int], *, init: bool = False, locks: bool = False) -> tuple[Rule, ...]:
    """The policy for a program that may use sockets of these families: `NETWORK_OF_ITS_OWN`, `NO_SOCKETS` or `INTERNET`.

    With `init` it allows process groups and subreapers, for what is not frozen by signals: containers, whose init runs under the
    same filter and puts the bot into a process group, and builds. With `locks` it allows locks on files, for builds: Go's tools
    need them where a module has dependencies, and two builds have nothing to gain by sending each other messages.
    """
    others = (*_RULES, *(() if locks else _NO_LOCKS), *(() if init else _STOPPABLE))
    if families:
        why = (
            "only the families that runtimes need; the internet's hold memory that is not counted, and others (vsock, netlink, "
            "packet, alg) reach the machine or too much of its kernel"
        )
        others = (*others, Rule(("socket",), EAFNOSUPPORT, why, NoneOf(0, tuple(sorted(families)))))
    else:
        why = "without its own network namespace, any socket reaches programs of this machine"
        others = (*others, Rule(("socket",), EAFNOSUPPORT, why))
    if AF_UNIX not in families:
        why = "a datagram socket of a pair can be reconnected to any program that listens on this machine; a stream socket cannot"
        streams = NoneOf(1, (_SOCK_STREAM, _SOCK_SEQPACKET), _SOCK_TYPE)
        others = (*others, Rule(("socketpair",), EOPNOTSUPP, why, streams))
    return others
