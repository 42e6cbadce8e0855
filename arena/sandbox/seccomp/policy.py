"""Which system calls a bot may not make, what it is told instead, and why. `bpf` and `oci` say the same in other words.

Everything that is not named here is allowed, for nobody knows what an honest runtime will call next year. Calls that are
newer than the tables of `syscalls` do not exist for a bot, and calls through a foreign table (32-bit programs, x32) end it:
there the same numbers mean other things.

Arguments are looked at by their lower 32 bits only. For every argument named here that is all the kernel looks at, too; a filter
that compared 64 bits would let through what the kernel then shortens to the forbidden value.

Errors are chosen so that honest runtimes survive: ENOSYS where programs know how to do without ("this kernel has no such thing"),
EPERM where an ordinary user would be told the same.
"""

from collections.abc import Collection
from dataclasses import dataclass
from errno import EAFNOSUPPORT, EINVAL, ENOSYS, EOPNOTSUPP, EPERM

ALL_BITS = 0xFFFFFFFF

AF_UNIX, AF_INET, AF_INET6 = 1, 2, 10
NETWORK_OF_ITS_OWN = (AF_UNIX, AF_INET, AF_INET6)
"""The families of sockets for a bot in a network namespace of its own, where nobody else can be reached."""
NO_SOCKETS: tuple[int, ...] = ()
"""The families for a bot that shares the network of the machine: none. A pair of sockets for itself it may still make."""

NEWER = ENOSYS
"""The error for calls above the highest known number."""


@dataclass(frozen=True)
class AnyBit:
    """One of these bits of the argument is set."""

    arg: int
    mask: int


@dataclass(frozen=True)
class OneOf:
    """The argument, as far as the mask shows it, is one of these values."""

    arg: int
    values: tuple[int, ...]
    mask: int = ALL_BITS


@dataclass(frozen=True)
class NoneOf:
    """The argument, as far as the mask shows it, is none of these values."""

    arg: int
    values: tuple[int, ...]
    mask: int = ALL_BITS


Test = AnyBit | OneOf | NoneOf


@dataclass(frozen=True)
class Rule:
    """These calls fail with this error; if there is a test, only when it holds.

    Rules of a call that can hold at the same time have the same error, for container engines do not keep their order.
    """

    calls: tuple[str, ...]
    error: int
    why: str
    when: Test | None = None


# From linux/sched.h. CLONE_NEWTIME lies among the bits that tell `clone` the signal of a child's end, so there it means nothing.
_CLONE_NEWTIME = 0x00000080
_CLONE_NEW = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000

_CLONE_SIGNAL = 0xFF
# From asm-generic/signal.h.
_SIGCONT = 18

# From linux/socket.h and linux/net.h. The type stands in the low four bits, flags above.
_SOCK_STREAM, _SOCK_SEQPACKET, _SOCK_TYPE = 1, 5, 0xF

# From asm-generic/fcntl.h and linux/fcntl.h, in this order: F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW.
_LOCKING = (6, 7, 37, 38)
# F_SETLEASE, F_NOTIFY, F_SETDELEG.
_WATCHING = (1024, 1026, 1040)
# F_SETSIG.
_CHOOSING_A_SIGNAL = (10,)

# From asm-generic/ioctls.h.
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C

_RULES = (
    Rule(
        ("clone3",),
        ENOSYS,
        "its flags lie in memory, where a filter cannot look; C libraries then use clone, whose flags can be seen",
    ),
    Rule(
        ("clone",),
        EPERM,
        "the signal that tells of the child's end could be SIGCONT, see kill; not all of a bot that is stopped stands: who waits "
        "for vfork does not stop, and an alarm ends it",
        OneOf(0, (_SIGCONT,), _CLONE_SIGNAL),
    ),
    Rule(
        ("clone",),
        EPERM,
        "a new namespace would give the bot capabilities in it, and with them most of the kernel to attack",
        AnyBit(0, _CLONE_NEW),
    ),
    Rule(("unshare",), EPERM, "a new namespace, as with clone", AnyBit(0, _CLONE_NEW | _CLONE_NEWTIME)),
    Rule(("setns",), EPERM, "it enters the namespaces of others"),
    Rule(
        ("mount", "umount2", "pivot_root", "chroot"),
        EPERM,
        "what the bot sees of the files is laid out for it",
    ),
    Rule(
        ("fsopen", "fsconfig", "fsmount", "fspick", "move_mount", "mount_setattr", "open_tree", "open_tree_attr"),
        EPERM,
        "the newer way to mount",
    ),
    Rule(("statmount", "listmount"), ENOSYS, "mounts tell paths of the machine; older kernels do not have these calls"),
    Rule(
        ("socketpair",),
        EOPNOTSUPP,
        "other families than UNIX cannot be paired, or bring kernel modules in that nobody needs",
        NoneOf(0, (AF_UNIX,)),
    ),
    Rule(
        ("io_uring_setup", "io_uring_enter", "io_uring_register"),
        ENOSYS,
        "it opens files and sockets without the calls that are looked at here; event loops fall back to epoll",
    ),
    Rule(
        ("add_key", "request_key", "keyctl"),
        ENOSYS,
        "keyrings are shared by all programs of a user or a session: bots could leave messages there",
    ),
    Rule(
        ("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd"),
        EPERM,
        "reading, changing and comparing other processes",
    ),
    Rule(
        ("bpf", "perf_event_open", "userfaultfd"),
        EPERM,
        "large parts of the kernel, often the way out of a sandbox; ordinary users are mostly refused, too",
    ),
    Rule(
        ("inotify_init", "inotify_init1", "inotify_add_watch", "inotify_rm_watch", "fanotify_init", "fanotify_mark"),
        ENOSYS,
        "bots see each other's opening and closing of shared files, even of /dev/null; programs can look again instead",
    ),
    # Java locks a file of figures about itself and complains on stdout, among its messages, when it cannot; but only where its user
    # has a name in /etc/passwd and /tmp is writable. A sandbox should not offer both, or Java wants -XX:-UsePerfData.
    Rule(
        ("flock",),
        ENOSYS,
        "locks on shared files, even on /dev/null, are messages between bots. ENOSYS, for Go's tools and Rust's cargo take it as "
        "'no locks here' and go on, and SQLite fails at once, where it would take ENOLCK as 'try again later'",
    ),
    Rule(("fcntl",), ENOSYS, "locks, as with flock", OneOf(1, _LOCKING)),
    Rule(
        ("fcntl",),
        EINVAL,
        "leases and notices tell who else opens a file; the kernel says EINVAL where it has none",
        OneOf(1, _WATCHING),
    ),
    # Where there is no freezer of cgroups, a frozen bot is one whose processes are all stopped, and SIGCONT wakes what is stopped.
    # So SIGCONT is the referee's alone. alarm and setitimer send signals that wake nobody; mq_notify is refused below.
    Rule(
        ("timer_create",),
        ENOSYS,
        "its timers send any signal: with SIGCONT a bot that was stopped wakes itself up and thinks on. alarm, setitimer and "
        "timerfd stay; a kernel may be built without this call, and then says ENOSYS",
    ),
    Rule(
        ("fcntl",),
        EINVAL,
        "whoever has a file announce its data (O_ASYNC) could choose SIGCONT for it, as with timer_create. Without a choice it is "
        "SIGIO, which does not wake what is stopped, so that it does not matter who gets it (F_SETOWN)",
        OneOf(1, _CHOOSING_A_SIGNAL),
    ),
    Rule(
        ("kill", "tkill", "rt_sigqueueinfo", "pidfd_send_signal"),
        EPERM,
        "while a bot is being stopped, process by process, those that still run could wake the others",
        OneOf(1, (_SIGCONT,)),
    ),
    Rule(("tgkill", "rt_tgsigqueueinfo"), EPERM, "waking others, as with kill", OneOf(2, (_SIGCONT,))),
    Rule(
        ("prctl",),
        EINVAL,
        "the signal that tells of the parent's end (PR_SET_PDEATHSIG) could be SIGCONT, as with clone. Only this argument is "
        "looked at; elsewhere 18 means next to nothing, and another signal may be asked for",
        OneOf(1, (_SIGCONT,)),
    ),
    Rule(
        ("cachestat", "mincore"),
        ENOSYS,
        "which pages of a shared file are in memory tells what others have read of it",
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
        "System V memory and queues belong to no process: bots could meet there, and they outlive a bot",
    ),
    Rule(
        ("mq_open", "mq_unlink", "mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr"),
        ENOSYS,
        "POSIX message queues, as with System V",
    ),
    Rule(
        ("ioctl",),
        EPERM,
        "they type into the terminal that the referee was started from",
        OneOf(1, (_TIOCSTI, _TIOCLINUX)),
    ),
    Rule(
        ("sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr", "setpriority", "ioprio_set"),
        EPERM,
        "all bots get the same of the processor, where the referee says; programs live without more",
    ),
    Rule(
        ("clock_settime", "settimeofday", "adjtimex", "clock_adjtime"),
        EPERM,
        "the time is the machine's",
    ),
    Rule(
        ("init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "iopl", "ioperm"),
        EPERM,
        "the kernel is not the bot's to change",
    ),
    Rule(
        ("swapon", "swapoff", "sethostname", "setdomainname", "acct", "quotactl", "quotactl_fd", "syslog", "vhangup"),
        EPERM,
        "the machine is not the bot's to run, nor its kernel's log to read",
    ),
    Rule(
        ("open_by_handle_at", "name_to_handle_at"),
        EPERM,
        "handles open files past the folders that lead to them",
    ),
    Rule(
        ("personality",),
        EPERM,
        "it makes addresses predictable, and the kernel behave as others did; asking for it (all bits set) is allowed",
        NoneOf(0, (0, ALL_BITS)),
    ),
    Rule(
        ("move_pages", "migrate_pages", "mbind", "set_mempolicy", "set_mempolicy_home_node", "get_mempolicy"),
        ENOSYS,
        "where memory lies is the machine's choice. ENOSYS is what libnuma asks for; at EPERM Java and others complain",
    ),
    Rule(
        ("modify_ldt",),
        ENOSYS,
        "segments for 16-bit programs, with a long history of holes; kernels are built without",
    ),
    Rule(
        ("lookup_dcookie", "uselib", "ustat", "sysfs", "_sysctl", "nfsservctl"),
        ENOSYS,
        "obsolete: newer kernels have them no more, and nobody misses them",
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
        "numbers that stand for nothing, or did once: what is loaded into a kernel to serve them is not for bots",
    ),
)


_NO_GROUPS = Rule(
    ("setpgid",),
    EPERM,
    "the kernel itself sends SIGCONT to a group of stopped processes when it loses its last parent in another group of the "
    "same session, and there are no other groups without this call. Only shells at a terminal need it; setsid stays",
)


def rules(families: Collection[int], *, init: bool = False) -> tuple[Rule, ...]:
    """The policy for a bot that may use sockets of these families: `NETWORK_OF_ITS_OWN` or `NO_SOCKETS`.

    With an `init` that runs under it, too, as in containers: it puts the bot into a group of processes. There nobody is frozen by
    signals.
    """
    others = _RULES if init else (*_RULES, _NO_GROUPS)
    why = "only the families that programs need; others (vsock, netlink, packet, alg) reach the machine, or too much of its kernel"
    if families:
        return (*others, Rule(("socket",), EAFNOSUPPORT, why, NoneOf(0, tuple(sorted(families)))))
    return (
        *others,
        Rule(("socket",), EAFNOSUPPORT, "without a network of its own, any socket reaches programs of this machine"),
        Rule(
            ("socketpair",),
            EOPNOTSUPP,
            "a datagram socket of a pair can be connected anew, to any program that listens on this machine; a stream cannot",
            NoneOf(1, (_SOCK_STREAM, _SOCK_SEQPACKET), _SOCK_TYPE),
        ),
    )
