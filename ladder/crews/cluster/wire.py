"""The messages between the programs of a cluster's run: arrays in msgpack, each behind its length in 4 bytes.

From the run to its bridge:

============================= ==========================================================================================
begin, facts                  the first message (`bridge.Beginning`)
order, referee, body          an order for a referee process, as `crews.messages` encodes it
============================= ==========================================================================================

From the bridge to the run:

============================= ==========================================================================================
joined, referee, name, speed  a referee process takes orders from now on
gone, referee, why            it is lost, with all orders that it has not answered
answer, referee, body         an answer of a referee process
told, kind, text, facts       something worth telling people
failed, text                  the bridge cannot go on, by a mistake of the user or of the machine
============================= ==========================================================================================

From the bridge to the host of a node:

============================= ==========================================================================================
begin, facts                  the first message (`host.Beginning`)
bot, facts, parcels           a bot that orders will name; parcels of its files follow if there are any
parcel, hash, data            a part of its files; an empty one is the last
order, referee, body          an order; its bots are those of this node's names
============================= ==========================================================================================

From the host to the bridge:

============================= ==========================================================================================
ready, facts                  what the node is (`host.About`)
joined, referee               it has a new referee process
gone, referee, why            one has died
answer, referee, body         an answer
beat                          it lives
failed, text                  the node cannot play
============================= ==========================================================================================

Referee processes have numbers: each its own in a run, and each its own on a node.
"""

import struct
from collections.abc import Iterator
from typing import Any

import msgpack

_HEAD = struct.Struct(">I")


def packed(*message: Any) -> bytes:
    """A message as it is sent."""
    body: bytes = msgpack.packb(message)
    return _HEAD.pack(len(body)) + body


class Buffer:
    """Takes bytes in pieces of any size, and gives the messages that they complete."""

    def __init__(self) -> None:
        self._came = bytearray()

    def feed(self, data: bytes) -> Iterator[list[Any]]:
        """Add bytes, and yield complete messages."""
        came = self._came
        came += data
        at = 0
        try:
            while len(came) - at >= _HEAD.size:
                (size,) = _HEAD.unpack_from(came, at)
                end = at + _HEAD.size + size
                if len(came) < end:
                    return
                body = bytes(came[at + _HEAD.size : end])
                at = end
                yield msgpack.unpackb(body, strict_map_key=False)
        finally:
            del came[:at]
