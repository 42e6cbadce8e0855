"""The numbers of the system calls in the policy, for each kind of machine, from the kernel's headers."""

import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from bullring.errors import UnknownMachine


@dataclass(frozen=True)
class Machine:
    """A kind of machine, as a system call filter sees it."""

    name: str
    """The name printed by `uname -m`."""
    audit: int
    """The number that the kernel passes to a filter: AUDIT_ARCH_* in linux/audit.h."""
    oci: str
    """The name that container engines use."""
    numbers: Mapping[str, int]
    """Numbers of the calls that the policy names and this machine has, by name."""
    x32: int | None = None
    """The first number of a second, foreign table of calls."""
    highest: int = 469
    """The highest number known here: `file_setattr`, since Linux 6.17. Newer calls could do anything."""


# name: (x86_64, aarch64); None where a machine never had the call. From 424 on all machines use the same numbers.
_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "afs_syscall": (183, None),
    "bpf": (321, 280),
    "cachestat": (451, 451),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "clone": (56, 220),
    "clone3": (435, 435),
    "create_module": (174, None),
    "delete_module": (176, 106),
    "fadvise64": (221, 223),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "fcntl": (72, 25),
    "finit_module": (313, 273),
    "flock": (73, 32),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "get_kernel_syms": (177, None),
    "get_mempolicy": (239, 236),
    "getpmsg": (181, None),
    "getsockopt": (55, 209),
    "init_module": (175, 105),
    "inotify_add_watch": (254, 27),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_rm_watch": (255, 28),
    "io_setup": (206, 0),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioctl": (16, 29),
    "ioperm": (173, None),
    "iopl": (172, None),
    "ioprio_set": (251, 30),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "kill": (62, 129),
    "listmount": (458, 458),
    "lookup_dcookie": (212, 18),
    "madvise": (28, 233),
    "mbind": (237, 235),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "migrate_pages": (256, 238),
    "mincore": (27, 232),
    "mmap": (9, 222),
    "modify_ldt": (154, None),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "move_pages": (279, 239),
    "mq_getsetattr": (245, 185),
    "mq_notify": (244, 184),
    "mq_open": (240, 180),
    "mq_timedreceive": (243, 183),
    "mq_timedsend": (242, 182),
    "mq_unlink": (241, 181),
    "msgctl": (71, 187),
    "msgget": (68, 186),
    "msgrcv": (70, 188),
    "msgsnd": (69, 189),
    "name_to_handle_at": (303, 264),
    "nfsservctl": (180, 42),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pivot_root": (155, 41),
    "prctl": (157, 167),
    "preadv2": (327, 286),
    "process_madvise": (440, 440),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "putpmsg": (182, None),
    "pwritev2": (328, 287),
    "query_module": (178, None),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "readahead": (187, 213),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "seccomp": (317, 277),
    "security": (185, None),
    "semctl": (66, 191),
    "semget": (64, 190),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "set_mempolicy": (238, 237),
    "set_mempolicy_home_node": (450, 450),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "setpgid": (109, 154),
    "setpriority": (141, 140),
    "setsockopt": (54, 208),
    "settimeofday": (164, 170),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmget": (29, 194),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "statmount": (457, 457),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "sync": (162, 81),
    "syncfs": (306, 267),
    "_sysctl": (156, None),
    "sysfs": (139, None),
    "syslog": (103, 116),
    "tgkill": (234, 131),
    "timer_create": (222, 107),
    "tkill": (200, 130),
    "tuxcall": (184, None),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "uselib": (134, None),
    "userfaultfd": (323, 282),
    "ustat": (136, None),
    "vhangup": (153, 58),
    "vserver": (236, None),
}

X86_64 = Machine(
    name="x86_64",
    audit=0xC000003E,
    oci="SCMP_ARCH_X86_64",
    numbers={name: number for name, (number, _) in _NUMBERS.items() if number is not None},
    x32=0x40000000,
)
AARCH64 = Machine(
    name="aarch64",
    audit=0xC00000B7,
    oci="SCMP_ARCH_AARCH64",
    numbers={name: number for name, (_, number) in _NUMBERS.items() if number is not None},
)
MACHINES = (X86_64, AARCH64)


def machine() -> Machine:
    """The machine that this runs on. Raises `UnknownMachine` if there is no table for it."""
    name = platform.machine()
    found = next((known for known in MACHINES if known.name == name), None)
    known = " and ".join(each.name for each in MACHINES)
    if found is None or not sys.platform.startswith("linux"):
        raise UnknownMachine(
            f"system calls can be filtered only on Linux on {known}; this is {sys.platform} on {name or 'an unknown machine'}"
        )
    # A 32-bit Python on a 64-bit kernel, as on some small boards: the bots will be 32-bit programs as well.
    if sys.maxsize < 1 << 32:
        raise UnknownMachine(
            f"system calls can be filtered only for 64-bit programs on {known}; this Python is a 32-bit program"
        )
    return found
