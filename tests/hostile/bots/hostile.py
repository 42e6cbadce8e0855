"""The parts that hostile bots share: the session of a polite bot, and the report of their deeds.

A hostile bot plays the move that the referee would make for it, so that a match with it can be compared, answer for answer,
with one in which a polite bot sits there. It tells on stderr what it tried: `held: ...` if that was refused, `escaped: ...` if it
got what no bot may have. A contained bot has said the one at least once and the other never.

Beside the program lies `targets.json`, from the test: what to aim at, and in which tier this is.
"""

import ctypes
import errno
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TARGETS = json.loads((HERE / "targets.json").read_text())
TIER = TARGETS["tier"]
WAY = TARGETS["way"]
HOME = Path(os.environ.get("HOME", "/nowhere"))
MIB = 1 << 20
RWF_NOWAIT = 8

HELLO = {"type": "hello", "protocol": 1, "name": "hostile"}
PACKED_HELLO = b"\x83\xa4type\xa5hello\xa8protocol\x01\xa4name\xa7hostile"
FRAMED_HELLO = len(PACKED_HELLO).to_bytes(4, "big") + PACKED_HELLO


# --- telling what happened


def tell(text: str) -> None:
    os.write(2, text.encode("ascii", "backslashreplace") + b"\n")


def held(what: str) -> None:
    tell(f"held: {what}")


def escaped(what: str) -> None:
    tell(f"escaped: {what}")


def name_of(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno:
        return errno.errorcode.get(error.errno, str(error.errno))
    return f"{type(error).__name__}: {error}"[:200]


def refused(what: str, deed: Callable[[], Any]) -> bool:
    """Do what must not succeed."""
    try:
        got = deed()
    except (OSError, ValueError, MemoryError, OverflowError) as error:
        held(f"{what}: {name_of(error)}")
        return True
    escaped(f"{what}: {str(got)[:200]}")
    return False


def only_in(*tiers: str) -> None:
    """The second lock of deeds that would do harm outside: the test sends them nowhere else, and they go nowhere else."""
    if TIER not in tiers:
        tell(f"this is done in {' and '.join(tiers)} only, not in {TIER}")
        sys.exit(3)


def only_in_a_world_of_its_own() -> None:
    """The third lock: nothing but the processes of this sandbox may be in reach."""
    if os.readlink("/proc/self/ns/pid") == TARGETS["pid_namespace"]:
        escaped("the processes of the host")
        sys.exit(3)


# --- playing


def say(message: dict[str, Any]) -> None:
    say_bytes(json.dumps(message).encode() + b"\n")


def say_bytes(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def messages() -> Iterator[dict[str, Any]]:
    rest = b""
    while data := os.read(0, 65536):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            yield json.loads(line)


def fallback(message: dict[str, Any]) -> int:
    """The option that takes the fewest heads at once, the first of equals: what the referee plays for a bot that fails."""
    rows, heads = message["view"]["rows"], message["view"]["row_heads"]

    def cost(option: int) -> int:
        if message["kind"] == "row":
            return heads[option - 1]
        lower = [at for at, row in enumerate(rows) if row[-1] < option]
        if not lower:
            return min(heads)
        target = max(lower, key=lambda at: rows[at][-1])
        return heads[target] if len(rows[target]) == 5 else 0

    return min(message["options"], key=cost)


def answer(message: dict[str, Any]) -> None:
    say({"type": "choice", "id": message["id"], "option": fallback(message)})


def play(
    question: Callable[[int, dict[str, Any]], Any] = lambda number, message: None,
    hello: dict[str, Any] = HELLO,
    over: Callable[[], None] = lambda: None,
) -> None:
    """Be polite, but for `question`, which is called before each answer; if it returns something, there is no answer.

    `over` is called at the end of each match.
    """
    say(hello)
    number = 0
    for message in messages():
        if message["type"] == "decide":
            number += 1
            if not question(number, message):
                answer(message)
        elif message["type"] == "match_over":
            over()
        elif message["type"] == "bye":
            return


def pair(
    sender: Callable[[int], None], receiver: Callable[[int], None], over: Callable[[], None] = lambda: None
) -> None:
    """Two copies of one bot, who must not reach each other: seat 1 sends, seat 2 receives.

    Both are called with the number of the question. The turns keep them in step: what the sender did at its first question is done
    when the receiver gets its second one.
    """

    def question(number: int, message: dict[str, Any]) -> None:
        if message["kind"] == "card":
            (sender if message["view"]["seat"] == 1 else receiver)(message["view"]["turn"])

    play(question, over=over)


def listen_until_the_end(seconds: float = 5.0) -> None:
    """Say nothing more; be ended, or end by oneself after a while."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not os.read(0, 65536):
            return


# --- the system, beyond what Python offers

_NUMBERS = {
    "add_key": (248, 217),
    "keyctl": (250, 219),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "clone3": (435, 435),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "cachestat": (451, 451),
    "inotify_init1": (294, 26),
    "io_setup": (206, 0),
    "listmount": (458, 458),
    "memfd_secret": (447, 447),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "perf_event_open": (298, 241),
    "seccomp": (317, 277),
    "statmount": (457, 457),
    "sync": (162, 81),
    "syncfs": (306, 267),
    "userfaultfd": (323, 282),
}
"""Of the system calls, on x86_64 and aarch64."""


def libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def checked(result: int) -> int:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def syscall(name: str, *arguments: Any) -> int:
    """A system call by its name. Raises `OSError`."""
    whole = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    return checked(libc().syscall(ctypes.c_long(_NUMBERS[name][platform.machine() == "aarch64"]), *whole))


def children(count: int, life: Callable[[], Any]) -> list[int]:
    """Fork so many children, or as many as may be; each of them lives its life and ends."""
    pids: list[int] = []
    for _ in range(count):
        try:
            pid = os.fork()
        except OSError as error:
            tell(f"{len(pids)} children, then {name_of(error)}")
            break
        if not pid:
            try:
                life()
            finally:
                os._exit(0)
        pids.append(pid)
    return pids


def daemon(life: Callable[[], Any]) -> None:
    """A child that leaves parent, group and session."""
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    try:
        life()
    finally:
        os._exit(0)


def spin(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass
