"""Two processes take memory, each less than the cap, and check that the other still has it. Run by `arena.cells.sandbox.proof`."""

import os
import sys

SIZE = int(sys.argv[1])


def take():
    data = bytearray(SIZE)
    for at in range(0, SIZE, 4096):
        data[at] = 1
    return data


def hear(end):
    if not os.read(end, 1):
        sys.exit("the other process is gone")


def main():
    (ours, theirs), (asked, ask) = os.pipe(), os.pipe()
    if os.fork() == 0:
        os.close(ours)
        os.close(ask)
        data = take()
        os.write(theirs, b"x")
        hear(asked)
        os.write(theirs, data[:1])
        hear(asked)
    else:
        os.close(theirs)
        os.close(asked)
        hear(ours)
        data = take()
        os.write(ask, b"x")
        hear(ours)
        print("both have it", flush=True)
        sys.stdin.read()
        os.write(ask, data[:1])


main()
