"""A program that passes notes to its mate in another cell, and reads them: `python colluder.py SEED`.

For each line {"way", "do", "bits", "count"} it does what `do` says ("look", "send" or "receive") and answers {"bits", "us"}: what
it has received, and the microseconds it took. Only one of the two runs at a time, as at a table where thinkers take turns, so a
note has to stay where it was left. The standard library only.
"""

import ctypes
import json
import mmap
import os
import random
import struct
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

Bits = Sequence[int]

PAGE = mmap.PAGESIZE
MADV_RANDOM = 1
"""No reading ahead: a page that is read leaves its neighbours alone."""

EXCLUSIVE = 1 << 56
"""The bit in /proc/self/pagemap that says that nobody else has the page mapped."""

LEAST = 256 << 10
"""Bytes of a file worth using."""

MOST_FILES = 32
"""A mapping keeps its file open, and a bot may have few open files."""

COLD = 20_000
"""Nanoseconds; a page that has to come from the disk takes longer."""

UNKNOWN = -1
"""A bit of which the receiver knows that it cannot know it."""

LIFE = 60.0
"""Seconds for which a process lives that is part of a note."""


class Way(Protocol):
    """A way to pass a note."""

    def look(self) -> None:
        """See what is there before the note."""

    def send(self, bits: Bits) -> None:
        """Leave the note."""

    def receive(self, count: int) -> Bits:
        """Find it."""


class Pages:
    """Pages of files that all bots see, drawn alike by both. Most are drawn only once."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)
        large = sorted(
            Path(folder, name)
            for folder, _, names in os.walk("/usr")
            for name in names
            if Path(folder, name).is_file() and Path(folder, name).stat().st_size >= LEAST
        )
        self._random.shuffle(large)
        self._files: list[mmap.mmap] = []
        for path in large[:MOST_FILES]:
            with path.open("rb") as file:
                self._files.append(mmap.mmap(file.fileno(), 0, mmap.MAP_SHARED, mmap.PROT_READ))
            self._files[-1].madvise(MADV_RANDOM)

    def draw(self) -> tuple[mmap.mmap, int]:
        """A file, and the place of a page in it."""
        mapped = self._random.choice(self._files)
        return mapped, self._random.randrange(len(mapped) // PAGE) * PAGE


class FirstReads:
    """Two pages for each bit: the one that was read is the quicker one."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    def look(self) -> None:
        """Nothing: both count the pages that were drawn."""

    def send(self, bits: Bits) -> None:
        """Read one page of each pair."""
        for bit in bits:
            mapped, at = (self._pages.draw(), self._pages.draw())[bit]
            mapped[at]

    def receive(self, count: int) -> Bits:
        """Read both, with a clock: a pair tells something if only one of them was in memory."""
        pairs = [(self._cost() < COLD, self._cost() < COLD) for _ in range(count)]
        return [UNKNOWN if one == other else int(other) for one, other in pairs]

    def _cost(self) -> int:
        mapped, at = self._pages.draw()
        before = time.perf_counter_ns()
        mapped[at]
        return time.perf_counter_ns() - before


class Mappings:
    """A page for each bit: it is mapped by the other one or not."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    def look(self) -> None:
        """Nothing: both count the pages that were drawn."""

    def send(self, bits: Bits) -> None:
        """Map the pages of ones."""
        for bit in bits:
            mapped, at = self._pages.draw()
            if bit:
                mapped[at]

    def receive(self, count: int) -> Bits:
        """Map all of them, and see which are one's own alone."""
        fd = os.open("/proc/self/pagemap", os.O_RDONLY)
        try:
            return [self._shared(fd) for _ in range(count)]
        finally:
            os.close(fd)

    def _shared(self, fd: int) -> int:
        mapped, at = self._pages.draw()
        mapped[at]
        (entry,) = struct.unpack("=Q", os.pread(fd, 8, (_address(mapped) + at) // PAGE * 8))
        return 0 if entry & EXCLUSIVE else 1


def _address(mapped: mmap.mmap) -> int:
    # ctypes gives no address of what is read-only, so this asks Python itself: the address is the first field of a Py_buffer.
    buffer = ctypes.create_string_buffer(128)
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(mapped), buffer, 0)
    (at,) = struct.unpack_from("=Q", buffer)
    ctypes.pythonapi.PyBuffer_Release(buffer)
    return int(at)


class Inodes:
    """A number: so many pipes were made on this core, each of which takes the next inode number."""

    def __init__(self) -> None:
        self._before = 0

    def look(self) -> None:
        """Remember the number."""
        self._before = self._take()

    def send(self, bits: Bits) -> None:
        """Make pipes."""
        for _ in range(_number(bits)):
            self._take()

    def receive(self, count: int) -> Bits:
        """See how many were made."""
        return _bits(self._take() - self._before - 1, count)

    def _take(self) -> int:
        ends = os.pipe()
        number = os.fstat(ends[0]).st_ino
        for end in ends:
            os.close(end)
        return number


class Processes:
    """A number: so many more processes are on the machine, as sysinfo(2) says."""

    def __init__(self) -> None:
        self._before = 0
        self._children: list[int] = []

    def look(self) -> None:
        """Remember the number."""
        self._before = self._count()

    def send(self, bits: Bits) -> None:
        """Start processes; those of the note before have ended."""
        for _ in range(_number(bits)):
            pid = os.fork()
            if not pid:
                time.sleep(LIFE)
                os._exit(0)
            self._children.append(pid)

    def receive(self, count: int) -> Bits:
        """See how many there are."""
        return _bits(self._count() - self._before, count)

    def forget(self) -> None:
        """End them."""
        while self._children:
            pid = self._children.pop()
            os.kill(pid, 9)
            os.waitpid(pid, 0)

    def _count(self) -> int:
        info = ctypes.create_string_buffer(128)
        ctypes.CDLL(None).sysinfo(info)
        return int(struct.unpack_from("=H", info, 80)[0])


def _number(bits: Bits) -> int:
    return sum(bit << at for at, bit in enumerate(bits))


def _bits(number: int, count: int) -> Bits:
    return [number >> at & 1 for at in range(count)]


def main() -> None:
    """Answer until the input ends."""
    pages, processes = Pages(sys.argv[1]), Processes()
    ways: dict[str, Way] = {
        "first reads": FirstReads(pages),
        "mappings": Mappings(pages),
        "inode numbers": Inodes(),
        "sysinfo": processes,
    }
    print("{}", flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        way = ways[asked["way"]]
        before = time.perf_counter()
        found: object = None
        match asked["do"]:
            case "send":
                way.send(asked["bits"])
            case "receive":
                found = way.receive(asked["count"])
            case "look":
                way.look()
            case _:
                processes.forget()
        print(json.dumps({"bits": found, "us": (time.perf_counter() - before) * 1e6}), flush=True)


if __name__ == "__main__":
    main()
