"""A machine for classic BPF as the kernel runs it over struct seccomp_data, slow and strict."""

import struct
from collections.abc import Sequence

Instruction = tuple[int, int, int, int]
"""Operation, distance if true, distance if false, constant."""


class Malformed(Exception):
    """The kernel would not take the program, or it does what no filter should."""


def instructions(program: bytes) -> list[Instruction]:
    return list(struct.iter_unpack("<HBBI", program))


def call(audit: int, number: int, arguments: Sequence[int] = ()) -> bytes:
    """A call as the kernel shows it to a filter."""
    filled = [*arguments, *[0] * (6 - len(arguments))]
    return struct.pack("<IIQ6Q", number, audit, 0, *filled)


def run(program: Sequence[Instruction], seen: bytes) -> int:
    """The verdict of the program on a call."""
    accumulator = at = 0
    while True:
        if at >= len(program):
            raise Malformed("it runs out of its end")
        operation, true, false, constant = program[at]
        at += 1
        match operation:
            case 0x20:  # load a word
                if constant % 4 or constant + 4 > len(seen):
                    raise Malformed(f"it looks at {constant}")
                (accumulator,) = struct.unpack_from("<I", seen, constant)
            case 0x54:
                accumulator &= constant
            case 0x05:
                at += constant
            case 0x15:
                at += true if accumulator == constant else false
            case 0x25:
                at += true if accumulator > constant else false
            case 0x35:
                at += true if accumulator >= constant else false
            case 0x45:
                at += true if accumulator & constant else false
            case 0x06:
                return constant
            case _:
                raise Malformed(f"operation {operation:#x}")
