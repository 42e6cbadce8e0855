"""Floods its stdout with what is no fault by itself: empty lines. Bound: 1 MiB."""

from hostile import MIB, play, say_bytes

play(lambda number, message: say_bytes(b"\n" * MIB))
