"""Says in msgpack what libraries stumble over: times beyond all calendars, maps as keys, broken text. Bound: 40 bytes."""

import os

from hostile import FRAMED_HELLO, WAY, listen_until_the_end, say_bytes

ODD = {
    "time": b"\x82\xa4type\xa6choice\xa6option\xd7\xff" + b"\xff" * 8,
    "long time": b"\x82\xa4type\xa6choice\xa6option\xc7\x0c\xff" + b"\xff" * 12,
    "key": b"\x82\xa4type\xa6choice\x81\x01\x02\x03",
    "list as key": b"\x82\xa4type\xa6choice\x92\x01\x02\x03",
    "text": b"\x82\xa4type\xa6choice\xa6option\xa3\xff\xfe\xfd",
    "extension": b"\x82\xa4type\xa6choice\xa6option\xd4\x05\x00",
}

say_bytes(FRAMED_HELLO)
os.read(0, 65536)
# Framed, so that each one is a strike.
for _ in range(3):
    say_bytes(len(ODD[WAY]).to_bytes(4, "big") + ODD[WAY])
listen_until_the_end()
