"""The shuffle: a documented algorithm that any language can reproduce, so that every deal can be verified.

The random numbers of deal ``d`` are a stream of bytes: the concatenated SHA-256 digests of the ASCII texts
``bullring 1 deal <d> <block> <seed>`` for ``block`` = 0, 1, 2, ... The stream is read two bytes at a time as big-endian
integers ``x`` (0..65535). To draw a number below ``m``, discard ``x`` and read on while ``x >= 65536 - 65536 % m``; then
the number is ``x % m``.

The deck, in the order before the shuffle, is shuffled from the front (Fisher and Yates): for ``i`` = 0, 1, 2, ... swap the card at
``i`` with the card at ``i + draw(len(deck) - i)``. The first ``count`` cards are the deal, so drawing may stop there.
"""

from collections.abc import Sequence
from hashlib import sha256
from struct import Struct

_SIXTEEN = Struct(">16H").unpack
_BELOW = (0, *(65536 - 65536 % m for m in range(1, 1025)))
"""Exclusive upper bound of x for each m: below it, every remainder modulo m is equally frequent."""


def shuffled(deck: Sequence[int], count: int, seed: str, deal: int) -> list[int]:
    """The first `count` cards of `deck`, shuffled for deal number `deal` (from 1) of the match with this `seed`."""
    cards = list(deck)
    size = len(cards)
    if not 0 <= count <= size < len(_BELOW):
        raise ValueError(f"cannot deal {count} cards from a deck of {size}")
    text = seed.encode("ascii")
    i = block = 0
    while i < count:
        for x in _SIXTEEN(sha256(b"bullring 1 deal %d %d %b" % (deal, block, text)).digest()):
            m = size - i
            if x < _BELOW[m]:
                j = i + x % m
                cards[i], cards[j] = cards[j], cards[i]
                i += 1
                if i == count:
                    break
        block += 1
    return cards[:count]
