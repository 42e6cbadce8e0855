"""Who can be compared with whom."""

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.scales import Floats

Marks = NDArray[np.bool_]


def reach(edges: Marks) -> Marks:
    """(K, K): whether a chain of edges leads from the first to the second; everybody reaches itself.

    With an edge from who scored to whom it scored against, the likelihood has a finite maximum just where two reach each other
    (Ford, 1957). With an edge between all who met, who reach each other can be compared at all.
    """
    found = edges | np.eye(len(edges), dtype=bool)
    while True:
        numbers = found.astype(np.float32)
        wider = numbers @ numbers > 0
        if np.array_equal(wider, found):
            return found
        found = wider


def parts(met: Floats) -> NDArray[np.intp]:
    """(K,): for each bot the lowest number of those it is connected with by any chain of matches."""
    return np.asarray(reach(met > 0).argmax(axis=1))
