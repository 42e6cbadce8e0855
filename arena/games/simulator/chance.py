"""Random numbers for kernels: the same ones compiled and plain, and as many independent streams as there are deals.

A stream is one number, the state of a multiply-with-carry generator with the base 2**32 (G. Marsaglia, "Random Number Generators",
2003; the multiplier is that of his KISS generators, the period about 2**60). A draw is the exclusive or of its two halves. All
steps fit a signed number of 64 bits, so Python and numba agree without wrapping.
"""

import numpy as np
from numpy.typing import NDArray

from .jit import helper, inlined

_MULTIPLIER = 698769069
_LOW = 0xFFFFFFFF


@inlined
def below(chance: NDArray[np.int64], count: int) -> int:
    """A number of 0..count-1; `chance` holds the stream. `count` is at most 2**30; the bias is at most count / 2**32."""
    state = chance[0]
    state = _MULTIPLIER * (state & _LOW) + (state >> 32)
    chance[0] = state
    return int((((state & _LOW) ^ (state >> 32)) * count) >> 32)


@inlined
def fraction(chance: NDArray[np.int64]) -> float:
    """A number of [0, 1), a multiple of 2**-30."""
    return below(chance, 1 << 30) / 1073741824.0


@helper
def shuffle(chance: NDArray[np.int64], cards: NDArray[np.int64], count: int) -> None:
    """Shuffle the first `count` places of `cards` from all of it."""
    size = len(cards)
    for at in range(count):
        other = at + below(chance, size - at)
        card = cards[at]
        cards[at] = cards[other]
        cards[other] = card


def streams(seed: int, first: int, count: int) -> NDArray[np.int64]:
    """The streams number first..first+count-1 of a seed (any whole number; it counts modulo 2**64).

    Number and seed are mixed by the finalizer of SplitMix64 (Steele, Lea and Flood, 2014), which needs arrays: they wrap silently.
    """
    mixed = np.arange(first, first + count, dtype=np.uint64)
    mixed += _mix(np.array([seed % 2**64], np.uint64))
    mixed = _mix(mixed)
    low = mixed & np.uint64(_LOW)
    high = (mixed >> np.uint64(32)) % np.uint64(_MULTIPLIER - 2) + np.uint64(1)  # neither 0 nor the other fixed point
    return (low | high << np.uint64(32)).astype(np.int64)


def _mix(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    numbers = (numbers + np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0x9E3779B97F4A7C15)
    numbers ^= numbers >> np.uint64(30)
    numbers *= np.uint64(0xBF58476D1CE4E5B9)
    numbers ^= numbers >> np.uint64(27)
    numbers *= np.uint64(0x94D049BB133111EB)
    numbers ^= numbers >> np.uint64(31)
    return numbers
