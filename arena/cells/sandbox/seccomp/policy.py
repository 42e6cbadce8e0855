"""The system calls that bots may make, those that fail, and the reasons. `bpf` and `oci` render the policy.

A call is made if it is among the allowed ones and no rule refuses it; what is neither allowed nor named in a rule fails with ENOSYS
("this kernel does not have that"), because C libraries and runtimes have an alternative for what older kernels lack. So a
call or option that the kernel gets next year is closed before anybody knows of it. Calls through a foreign table (32-bit
programs, x32) end a program, because there the same numbers have other meanings.

Only the lower 32 bits of arguments are tested. For every argument named here the kernel uses only those, too; a filter that
compared 64 bits would let values pass that the kernel then truncates to the forbidden one.

Errors are chosen so that honest runtimes survive: ENOSYS, what the kernel says to an option that it does not know, EPERM where an
ordinary user would get the same, and no error at all (`IN_NAME_ONLY`) where runtimes insist.
"""

from collections.abc import Collection
from dataclasses import dataclass
from errno import EAFNOSUPPORT, EINVAL, ENOMEM, ENOPROTOOPT, ENOSYS, ENOTTY, EOPNOTSUPP, EPERM

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


@dataclass(frozen=True, init=False)
class Rule:
    """These calls are not made, and fail with this error; if there are tests, only when all of them hold.

    Rules of a call that can apply at the same time have the same error, because container engines do not keep their order.
    """

    calls: tuple[str, ...]
    error: int
    why: str
    when: tuple[Test, ...]

    def __init__(self, calls: str, error: int, why: str, *when: Test) -> None:
        for name, value in (("calls", tuple(calls.split())), ("error", error), ("why", why), ("when", when)):
            object.__setattr__(self, name, value)


_ELSE = Rule("", ENOSYS, "it is not among the allowed calls")


@dataclass(frozen=True)
class Policy:
    """The calls that may be made, and the rules that refuse some of them, and others."""

    allowed: frozenset[str]
    refused: tuple[Rule, ...]

    def rules(self, call: str) -> list[Rule]:
        """The rules of a call. Unless it is allowed, one of them is without a test, and what follows it means nothing."""
        rules = [rule for rule in self.refused if call in rule.calls]
        return rules if call in self.allowed else [*rules, _ELSE]


_ALLOWED = {
    "memory of its own": """
        brk madvise membarrier memfd_create mmap mprotect mremap msync munmap
    """,
    "files: a sandbox shows only those that it may see, and lets it change only its own": """
        access chdir chmod chown close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2 fallocate fchdir fchmod
        fchmodat fchmodat2 fchown fchownat fcntl fstat ftruncate getcwd getdents getdents64 ioctl lchown link linkat
        lseek lstat mkdir mkdirat mknod mknodat newfstatat open openat openat2 pread64 preadv pwrite64 pwritev
        read readlink readlinkat readv rename renameat renameat2 rmdir sendfile stat statx symlink symlinkat truncate umask unlink
        unlinkat write writev
    """,
    "pipes, events and waiting for them": """
        epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 pipe pipe2 poll ppoll pselect6
        select signalfd signalfd4
    """,
    "sockets, of the families below": """
        accept accept4 bind connect getpeername getsockname getsockopt listen recvfrom recvmmsg recvmsg sendmmsg sendmsg sendto
        setsockopt shutdown socket socketpair
    """,
    "its processes and threads": """
        arch_prctl clone execve exit exit_group fork futex get_robust_list prctl restart_syscall rseq sched_yield
        set_robust_list set_tid_address vfork wait4 waitid
    """,
    "its users and groups, of which it has one each; make insists": "setgid setregid setresgid setresuid setreuid setuid",
    "signals among them": """
        kill pause rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait
        rt_tgsigqueueinfo sigaltstack tgkill tkill
    """,
    "clocks, and timers that send no signal of its choice": """
        alarm clock_getres clock_gettime clock_nanosleep getitimer gettimeofday nanosleep setitimer time timerfd_create
        timerfd_gettime timerfd_settime times
    """,
    "limits, which it can only lower, and what it is": """
        capget getcpu getegid geteuid getgid getgroups getpgid getpgrp getpid getppid getpriority getrandom getresgid getresuid
        getrlimit getrusage getsid gettid getuid ioprio_get personality prlimit64 sched_getaffinity sched_getattr
        sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min sched_rr_get_interval setrlimit uname
    """,
    "load and free memory are the machine's, but C libraries return whatever was on the stack where they are refused": "sysinfo",
    "a program may give up more": "landlock_add_rule landlock_create_ruleset landlock_restrict_self",
}

# From linux/sched.h: CLONE_NEW*, and CLONE_PIDFD, PTRACE, PARENT, UNTRACED.
_CLONE_NEW = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
_CLONE_OTHERS = 0x1000 | 0x2000 | 0x8000 | 0x800000
_CLONE_SIGNAL = 0xFF
# From asm-generic/signal.h.
_SIGCONT = 18

# From linux/socket.h and linux/net.h. The type is in the low four bits, flags above.
_SOL_SOCKET = 1
_SOCK_STREAM, _SOCK_SEQPACKET, _SOCK_TYPE = 1, 5, 0xF
# From asm-generic/socket.h: SO_REUSEADDR, TYPE, ERROR, BROADCAST, RCVBUF, KEEPALIVE, LINGER, REUSEPORT, PASSCRED, PEERCRED,
# RCVLOWAT, SNDLOWAT, RCVTIMEO, SNDTIMEO, ACCEPTCONN, PROTOCOL, DOMAIN.
_OPTIONS = (2, 3, 4, 6, 8, 9, 13, 15, 16, 17, 18, 19, 20, 21, 30, 38, 39)
_SO_SNDBUF = 7

# From asm-generic/mman-common.h: MADV_NORMAL, RANDOM, SEQUENTIAL, DONTNEED, FREE, REMOVE, DONTFORK, DOFORK, UNMERGEABLE, HUGEPAGE,
# NOHUGEPAGE, DONTDUMP, DODUMP, WIPEONFORK, KEEPONFORK, POPULATE_READ, POPULATE_WRITE, GUARD_INSTALL, GUARD_REMOVE.
_ADVICE = (0, 1, 2, 4, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18, 19, 22, 23, 102, 103)
_MAP_HUGETLB, _MS_SYNC = 0x40000, 4
# From linux/memfd.h: MFD_CLOEXEC, ALLOW_SEALING, NOEXEC_SEAL, EXEC.
_MFD = 1 | 2 | 8 | 16
# From linux/membarrier.h: the query, and the commands that are called private.
_MEMBARRIER = (0, 8, 16, 32, 64, 128, 256)

# From linux/prctl.h: PR_*_PDEATHSIG, DUMPABLE, NAME, GET_SECCOMP, CAPBSET_READ, TIMERSLACK, GET_CHILD_SUBREAPER, NO_NEW_PRIVS,
# THP_DISABLE, CAP_AMBIENT, SVE_*_VL, SET_VMA.
_PR_SET_PDEATHSIG = 1
_PRCTL = (_PR_SET_PDEATHSIG, 2, 3, 4, 15, 16, 21, 23, 29, 30, 37, 38, 39, 41, 42, 47, 50, 51, 0x53564D41)
# From asm/prctl.h: ARCH_*_GS, ARCH_*_FS, ARCH_GET_XCOMP_SUPP, ARCH_GET_XCOMP_PERM, ARCH_REQ_XCOMP_PERM.
_ARCH_PRCTL = (0x1001, 0x1002, 0x1003, 0x1004, 0x1021, 0x1022, 0x1023)

# From asm-generic/fcntl.h and linux/fcntl.h: F_DUPFD, GETFD, SETFD, GETFL, SETFL, DUPFD_CLOEXEC, GETPIPE_SZ, ADD_SEALS, GET_SEALS.
_COMMANDS = (0, 1, 2, 3, 4, 1030, 1032, 1033, 1034)
# F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW.
_LOCKING = (5, 6, 7, 36, 37, 38)
# From asm-generic/ioctls.h: TIOCSPGRP, TIOCOUTQ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX. There is no terminal for the first of them,
# but the init of containers insists on hearing just that (ENOTTY), and older engines can only say EPERM.
_ON_DESCRIPTORS = (0x5410, 0x5411, 0x541B, 0x5421, 0x5450, 0x5451)
# From linux/sockios.h: SIOCGIFNAME, CONF, FLAGS, ADDR, BRDADDR, NETMASK, MTU, HWADDR, INDEX.
_ON_INTERFACES = (0x8910, 0x8912, 0x8913, 0x8915, 0x8919, 0x891B, 0x8921, 0x8927, 0x8933)

_MISSING = {
    "clone3": "its flags are in memory, which a filter cannot read; C libraries then use clone, whose flags can be tested",
    "unshare setns": "namespaces, as with clone",
    "mount fsopen fsmount open_tree move_mount chroot pivot_root": "the arena decides which files the bot sees",
    "statmount listmount": "mounts reveal paths of the machine",
    "name_to_handle_at open_by_handle_at": "handles open files without passing the folders above them",
    "pidfd_open pidfd_send_signal pidfd_getfd": "its inode is a number from a counter of all processes of the machine",
    "timer_create": "its timers can send any signal: with SIGCONT a stopped bot could wake itself and keep thinking",
    "io_uring_setup": "it opens files and sockets without the calls that are filtered here; event loops fall back to epoll",
    "io_setup": "its contexts come from one quota for the whole machine (aio-max-nr)",
    "seccomp": "filters take memory of which the machine has a fixed amount (bpf_jit_limit); when it is full, no sandbox can start",
    "memfd_secret": "as long as such memory exists, the machine cannot hibernate",
    "sync syncfs sync_file_range": "as with fsync, for files of others",
    "add_key request_key keyctl": "keyrings are shared by all programs of a user or a session",
    "shmget semget msgget mq_open": "they belong to no process: they carry messages, and outlive a bot",
    "ptrace process_vm_readv process_vm_writev process_madvise kcmp": "they read, change and compare other processes",
    "bpf perf_event_open userfaultfd": "large parts of the kernel, often used to escape from sandboxes",
    "inotify_init inotify_init1 fanotify_init": "bots could see each other open and close shared files, even /dev/null",
    "cachestat mincore preadv2": "the pages of a shared file that are in memory reveal what others have read (RWF_NOWAIT)",
    "fadvise64 readahead": "they fetch pages of shared files, or drop them: with mincore or a clock, that is a message",
    "splice tee vmsplice": "in pipes, files' own pages were a way to change files that can only be read; programs copy",
    "move_pages mbind set_mempolicy get_mempolicy": "libnuma checks for ENOSYS; at EPERM Java and others complain",
}
"""Calls that fail with ENOSYS, like others that are not allowed, and why it should stay so."""

_RULES = (
    Rule(
        "clone",
        EPERM,
        "a new namespace gives capabilities in it, which expose most of the kernel to attacks; a child of one's parent may escape "
        "while processes are stopped one by one (see `local.stopping`); for descriptors, see pidfd_open",
        any_bit(0, _CLONE_NEW | _CLONE_OTHERS),
    ),
    Rule(
        "prctl",
        EINVAL,
        "filters, see seccomp; cores to itself; pages merged with others'; taking in orphans, see clone",
        NoneOf(0, _PRCTL),
    ),
    Rule("arch_prctl", EINVAL, "only its registers", NoneOf(0, _ARCH_PRCTL)),
    Rule("personality", ENOSYS, "it makes addresses predictable; querying it is allowed", NoneOf(0, (0, ALL_BITS))),
    Rule("membarrier", EINVAL, "barriers that are not private interrupt everybody", NoneOf(0, _MEMBARRIER)),
    Rule("prlimit64", ENOSYS, "limits of other processes of the user", NoneOf(0, (0,))),
    Rule(
        "setsid",
        IN_NAME_ONLY,
        "sessions have numbers from a counter of the machine (/proc/self/autogroup). Programs only want to leave a terminal",
    ),
    Rule(
        "sched_setaffinity sched_setscheduler sched_setparam sched_setattr setpriority ioprio_set",
        IN_NAME_ONLY,
        "all bots get equal shares of the processor, on cores that the referee chooses. Mono and .NET die of an error here",
    ),
    Rule(
        "fsync fdatasync",
        IN_NAME_ONLY,
        "even for a file that can only be read the disk empties its cache, and the time that takes tells what others have written. "
        "What a bot may write is in memory",
    ),
    Rule("msync", IN_NAME_ONLY, "as with fsync", any_bit(2, _MS_SYNC)),
    Rule(
        "mmap",
        ENOMEM,
        "huge pages that the machine has set aside are not counted as a bot's memory",
        any_bit(3, _MAP_HUGETLB),
    ),
    Rule("memfd_create", ENOSYS, "huge pages, as with mmap", any_bit(1, ALL_BITS & ~_MFD)),
    Rule(
        "madvise",
        EINVAL,
        "pages of shared files, see readahead, or pages merged with equal ones of others, whose next write then takes longer",
        NoneOf(2, _ADVICE),
    ),
    Rule(
        "fcntl",
        EINVAL,
        "leases and notifications reveal who else opens a file; larger pipes use up the pages that a user may have in pipes; for "
        "F_SETSIG, see timer_create",
        NoneOf(1, (*_COMMANDS, *_LOCKING)),
    ),
    Rule(
        "getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr setxattr lsetxattr fsetxattr removexattr",
        EOPNOTSUPP,
        "some file systems have no attributes, and programs that copy files insist on this error",
    ),
    Rule(
        "socketpair",
        EOPNOTSUPP,
        "families other than UNIX cannot be paired, or load kernel modules that no bot needs",
        NoneOf(0, (AF_UNIX,)),
    ),
)

_NOTES = "flock futimesat utime utimensat utimes"
_NO_NOTES = (
    # Java locks a file of performance data and, if it cannot, complains on stdout, among the bot's messages; but only if its user
    # has a name in /etc/passwd and /tmp is writable. A sandbox should not offer both, or Java needs -XX:-UsePerfData.
    Rule(
        "flock",
        ENOSYS,
        "locks on shared files, even /dev/null, can carry messages between bots. ENOSYS, because Go's tools and Rust's cargo take "
        "it as 'no locks here' and continue, and SQLite fails at once, whereas it would take ENOLCK as 'try again later'",
    ),
    Rule("fcntl", ENOSYS, "locks, as with flock", OneOf(1, _LOCKING)),
    Rule(
        "utime utimes futimesat utimensat",
        EPERM,
        "the times of a file that all may write to, as /dev/null, can be set and read by all. Not in name only: Python's touch "
        "makes a file only if its times cannot be set. Archivers complain, make needs them: builds may set them",
    ),
)

# Without a cgroup freezer, freezing means that all processes of a bot are stopped by signals, and SIGCONT wakes them. So only the
# referee may cause SIGCONT. The signals of alarm and setitimer wake no stopped process, nor does SIGIO of a file (O_ASYNC).
_STOPPED_BY_SIGNALS = (
    Rule(
        "kill tkill rt_sigqueueinfo",
        EPERM,
        "while the processes of a bot are stopped one by one, those still running could wake the others",
        OneOf(1, (_SIGCONT,)),
    ),
    Rule("tgkill rt_tgsigqueueinfo", EPERM, "they could wake others, as with kill", OneOf(2, (_SIGCONT,))),
    Rule(
        "clone",
        EPERM,
        "the signal sent at the child's end; a stopped bot may have processes that still run: one that waits for vfork does not "
        "stop, and an alarm ends it",
        OneOf(0, (_SIGCONT,), _CLONE_SIGNAL),
    ),
    Rule("prctl", EINVAL, "the signal sent at the parent's end", OneOf(0, (_PR_SET_PDEATHSIG,)), OneOf(1, (_SIGCONT,))),
    Rule(
        "setpgid",
        EPERM,
        "the kernel itself sends SIGCONT to a stopped process group when it loses its last parent in another group of the same "
        "session; without this call there are no other groups, and none is joined after it was stopped. Only shells need it",
    ),
)

_NO_MEMORY_FILES = Rule(
    "memfd_create",
    ENOSYS,
    "while nobody maps such a file, or it is in a message, only a cgroup can tell whose memory it is; programs use other files",
)

_NO_DISKS = Rule("statfs fstatfs", ENOSYS, "the free blocks of the machine's disks are numbers that all share")


def policy_for(families: Collection[int], *, init: bool = False, locks: bool = False, counted: bool = True) -> Policy:
    """The policy for a program that may use sockets of these families: `NETWORK_OF_ITS_OWN`, `NO_SOCKETS` or `INTERNET`.

    With `init` it is for what is not frozen by signals: builds, and containers, where the engine and an init, which makes a
    process group, start the bot under the same filter. With `locks` it allows locks and times of files, for builds: Go's tools
    need them where a module has dependencies, and two builds have nothing to gain by sending each other messages. Memory
    files need a cgroup that counts memory (`counted`).
    """
    internet = AF_INET in families
    level = [OneOf(1, (_SOL_SOCKET,))] if internet else []  # UNIX sockets know no other
    of_sockets = (
        Rule(
            "socket",
            EAFNOSUPPORT,
            "only the families that runtimes need; the internet's hold memory that is not counted, and others (vsock, netlink, "
            "packet, alg) reach the machine or too much of its kernel. In the machine's network, any socket reaches its programs",
            *([NoneOf(0, tuple(sorted(families)))] if families else []),
        ),
        Rule(
            "getsockopt",
            ENOPROTOOPT,
            "SO_COOKIE is a counter of the machine, and SO_PEERPIDFD a descriptor, see pidfd_open",
            *level,
            NoneOf(2, (*_OPTIONS, _SO_SNDBUF)),
        ),
        Rule(
            "setsockopt",
            ENOPROTOOPT,
            "filters, see seccomp; larger buffers hold memory that only a cgroup sees",
            *level,
            NoneOf(2, _OPTIONS),
        ),
        Rule(
            "ioctl",
            ENOTTY,
            "commands of devices and file systems do anything, such as typing into a terminal (TIOCSTI) or setting a file's flags",
            NoneOf(1, (*_ON_DESCRIPTORS, *(_ON_INTERFACES if internet else ()))),
        ),
    )
    streams = Rule(
        "socketpair",
        EOPNOTSUPP,
        "a datagram socket of a pair can be reconnected to any program that listens on this machine; a stream socket cannot",
        NoneOf(1, (_SOCK_STREAM, _SOCK_SEQPACKET), _SOCK_TYPE),
    )
    allowed = [
        *_ALLOWED.values(),
        *([_NOTES] if locks else []),
        *(["setpgid fstatfs statfs"] if init else []),
    ]
    refused = (
        *(Rule(calls, ENOSYS, why) for calls, why in _MISSING.items()),
        *_RULES,
        *of_sockets,
        *([] if locks else _NO_NOTES),
        *([] if counted else [_NO_MEMORY_FILES]),
        *([] if init else (*_STOPPED_BY_SIGNALS, _NO_DISKS)),
        *([] if AF_UNIX in families else [streams]),
    )
    return Policy(frozenset(" ".join(allowed).split()), refused)
