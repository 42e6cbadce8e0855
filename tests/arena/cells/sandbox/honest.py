"""The things that honest programs do, in a cell; `--sockets` if they may. Says "fine" when all of it worked."""

import asyncio
import fcntl
import mmap
import multiprocessing
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def square(number: int) -> int:
    return number * number


async def nap() -> int:
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "print(6)", stdout=subprocess.PIPE)
    out, _ = await process.communicate()
    await asyncio.sleep(0.001)
    return int(out)


def write_files() -> None:
    with multiprocessing.get_context("fork").Pool(2) as workers:  # its locks are files in /dev/shm
        assert workers.map(square, range(3)) == [0, 1, 4]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "notes")
        path.write_text("a card")
        path.rename(Path(folder, "kept"))
        Path(folder, "touched").touch()
        assert Path(folder, "touched").read_text() == ""
        with Path(folder, "kept").open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
            assert mapped[:6] == b"a card"
            os.fsync(file.fileno())
            flags = fcntl.fcntl(file, fcntl.F_GETFL)
            fcntl.fcntl(file, fcntl.F_SETFL, flags | os.O_NONBLOCK)
            assert fcntl.fcntl(file, fcntl.F_GETFD) == fcntl.FD_CLOEXEC
            assert fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, 40) >= 40


def main() -> None:
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(square, range(4))) == [0, 1, 4, 9]
    assert (
        subprocess.run(["/bin/sh", "-c", "echo $((6 * 7))"], capture_output=True, text=True, check=True).stdout
        == "42\n"
    )
    assert asyncio.run(nap()) == 6

    read, write = os.pipe()
    with select.epoll() as poll:
        poll.register(read, select.EPOLLIN)
        os.write(write, b"x")
        assert poll.poll(1)
    one, other = socket.socketpair()
    with one, other:
        one.sendall(b"y")
        assert other.recv(1) == b"y"

    rung = threading.Event()
    signal.signal(signal.SIGALRM, lambda *_: rung.set())
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(0.05)
    assert rung.is_set()
    assert os.sched_getaffinity(0)
    assert resource.getrlimit(resource.RLIMIT_NOFILE)
    assert os.getpriority(os.PRIO_PROCESS, 0) is not None
    time.clock_gettime(time.CLOCK_MONOTONIC)

    if "--files" in sys.argv:
        write_files()
    if "--sockets" in sys.argv:
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).close()
    print("fine")


if __name__ == "__main__":
    main()
