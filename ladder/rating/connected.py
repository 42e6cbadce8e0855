"""Connected components: the bots that can be compared with each other."""

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.scales import Floats

Marks = NDArray[np.bool_]


def reach(edges: Marks) -> Marks:
    """(K, K): whether a chain of edges leads from the first to the second; every bot reaches itself.

    With an edge from each bot to every bot it scored against, the likelihood of two bots has a finite maximum if and only if
    they reach each other (Ford, 1957). With an edge between bots that met, bots can be compared if they reach each other.
    """
    found = edges | np.eye(len(edges), dtype=bool)
    while True:
        numbers = found.astype(np.float32)
        wider = numbers @ numbers > 0
        if np.array_equal(wider, found):
            return found
        found = wider


def components(met: Floats) -> NDArray[np.intp]:
    """(K,): the connected component of each bot, named by the lowest bot number in it."""
    return np.asarray(reach(met > 0).argmax(axis=1))
