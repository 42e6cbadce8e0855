"""Counts while it is frozen: by code in the memory of its first process, by a thread beside one that waits in vfork, by a chain of
processes, each in a session of its own. Bound: five seconds, and a number of rounds for the code.
"""

import ctypes
import mmap
import os
import platform
import signal
import struct
import threading
import time

from hostile import WAY, answer, escaped, held, name_of, only_in_a_world_of_its_own, play

CODE = {
    # mov rbx, 1 << 36; again: inc qword [rsp-0x4000]; mov eax, 24; syscall; dec rbx; jnz again; mov eax, 60; xor edi, edi; syscall
    "x86_64": "48bb0000000010000000 48ff842400c0ffff b818000000 0f05 48ffcb 75ec b83c000000 31ff 0f05",
    # mov x2, 1 << 36; sub x3, sp, 0x4000; again: ldr x1, [x3]; add x1, x1, 1; str x1, [x3]; mov x8, 124; svc 0; subs x2, x2, 1;
    # b.ne again; mov x8, 93; mov x0, 0; svc 0
    "aarch64": "0202c0d2 e31340d1 610040f9 21040091 610000f9 880f80d2 010000d4 420400f1 41ffff54 a80b80d2 000080d2 010000d4",
}
"""It counts in the quadword at `BELOW` the stack pointer, which frames of signals do not reach, and yields the processor
to the player each time."""

BELOW = 0x4000

CLONE = {"x86_64": 56, "aarch64": 220}
CLONE_VFORK = 0x4000
DEADLINE = time.monotonic() + 5
FEW = 5
"""Counts before it is frozen."""

SECOND = mmap.mmap(-1, 4096)


def count():
    """Count until the deadline, in memory that is shared with the player, and leave it the processor in between."""
    while time.monotonic() < DEADLINE:
        step()
        time.sleep(0.0005)


def step():
    SECOND[:8] = struct.pack("=Q", struct.unpack("=Q", SECOND[:8])[0] + 1)


def in_the_first_process():
    *_, stack, place = (int(word, 16) for word in open("/proc/1/syscall").read().split())
    memory = open("/proc/1/mem", "r+b", 0)
    memory.seek(place)
    memory.write(bytes.fromhex(CODE[platform.machine()]))
    if not os.fork():
        os.fork()
        os._exit(0)  # the orphan wakes the first process

    def counted():
        memory.seek(stack - BELOW)
        return struct.unpack("=Q", memory.read(8))[0]

    return counted


def beside_vfork():
    if not os.fork():
        child = os.getpid()
        threading.Thread(target=count, daemon=True).start()
        ctypes.CDLL(None).syscall(CLONE[platform.machine()], CLONE_VFORK | signal.SIGCHLD, 0, 0, 0, 0)
        while os.getpid() != child and time.monotonic() < DEADLINE:
            time.sleep(0.1)
        os._exit(0)
    return in_shared_memory


def by_a_chain():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    if not os.fork():
        while time.monotonic() < DEADLINE:
            os.setsid()
            step()
            if os.fork():
                os._exit(0)
        os._exit(0)
    return in_shared_memory


def in_shared_memory():
    return struct.unpack("=Q", SECOND[:8])[0]


WAYS = {"first process": in_the_first_process, "vfork": beside_vfork, "chain": by_a_chain}

only_in_a_world_of_its_own()
try:
    counted = WAYS[WAY]()
except OSError as error:
    held(f"{WAY}: {name_of(error)}")
    counted = None
state = {"since": None, "frozen": [], "free": 0.0, "count": 0}


def question(number, message):
    if counted is None:
        return False
    now, count = time.monotonic(), counted()
    if state["since"] is not None and now - state["since"][0] > 0.02:
        state["frozen"].append((count - state["since"][1] - FEW) / (now - state["since"][0]))
    time.sleep(0.005)
    state["free"] += time.monotonic() - now
    state["count"] += counted() - count
    # Taken before the answer goes: right after it, this may be frozen before it can look at a clock.
    state["since"] = time.monotonic(), counted()
    answer(message)
    return True


def over():
    if counted is not None:
        free, most = (
            state["count"] / state["free"],
            sorted(state["frozen"])[-2],
        )  # the referee itself may once be held up
        tell = escaped if most > free / 2 else held
        tell(f"{WAY}: counted up to {most:.0f} a second in others' time, {free:.0f} in its own")


play(question, over=over)
