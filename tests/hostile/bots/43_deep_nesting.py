"""Nests lists in lists, 100000 deep: who reads them with a function that calls itself is lost. Bound: 100 kB."""

import os

from hostile import HELLO, PACKED_HELLO, WAY, listen_until_the_end, say, say_bytes

if WAY == "msgpack":
    say_bytes(PACKED_HELLO)
    nested = b"\x81\xa6option" + b"\x91" * 100_000
else:
    say(HELLO)
    # The short one keeps within the size of a message, so that its depth alone is judged.
    nested = b'{"option":' + b"[" * (1000 if WAY == "short" else 100_000) + b"\n"
os.read(0, 65536)
while nested:
    try:
        nested = nested[os.write(1, nested) :]
    except BrokenPipeError:
        break
    if WAY == "short":
        # A strike each: three of them.
        os.read(0, 65536)
        say_bytes(b'{"option":' + b"[" * 1000 + b"\n")
        os.read(0, 65536)
        say_bytes(b'{"option":' + b"[" * 1000 + b"\n")
listen_until_the_end()
