"""Claims what it never sends: an array of 100 million elements, a text or a frame of four gigabytes. Bound: 30 bytes."""

import os

from hostile import FRAMED_HELLO, PACKED_HELLO, WAY, listen_until_the_end, say_bytes

CLAIMS = {
    "array": b"\x83\xa4type\xa6choice\xa6option\xdd\x05\xf5\xe1\x00",
    "text": b"\x83\xa4type\xa6choice\xa6option\xdb\xff\xff\xff\xff",
    "map": b"\xdf\xff\xff\xff\xff",
    "frame": b"\xff\xff\xff\xff",
}

say_bytes(FRAMED_HELLO if WAY == "frame" else PACKED_HELLO)
os.read(0, 65536)
say_bytes(CLAIMS[WAY])
listen_until_the_end()
