"""Says what is no message: in JSON lines bytes that are no text, in msgpack a byte that is nothing. Bound: three lines."""

from hostile import PACKED_HELLO, WAY, listen_until_the_end, os, play, say_bytes

GARBAGE = [b"\xc1\xc1\xc1\n", b'{"type":"choice","id":"\xff\xfe\xed\xa0\x80"}\n', bytes(range(128, 256)) + b"\n"]


def question(number, message):
    say_bytes(GARBAGE[number - 1])
    return True


if WAY == "json":
    play(question)
else:
    say_bytes(PACKED_HELLO)
    os.read(0, 65536)
    say_bytes(b"\xc1")
    listen_until_the_end()
