"""The matches of a list as arrays for the ratings, a block at a time: a list may grow for days."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from bullring.ladder.rating.results import Results
from bullring.ladder.store.packed_row import numbers
from bullring.ladder.store.store import CountedMatch

GROUPS = 1 << 14
"""Groups of a block."""

KEPT = 80 << 20
"""Most bytes of blocks that are kept to be gone through again: two million matches of four seats."""


class _Block:
    def __init__(self) -> None:
        self.firsts: list[int] = []
        self.sizes: list[int] = []
        self.deals: list[int] = []
        self.bots, self.ranks, self.heads = bytearray(), bytearray(), bytearray()

    def take(self, match: CountedMatch) -> None:
        first, deals, bots, ranks, heads = match
        if self.firsts and self.firsts[-1] == first:
            # One more match of a group, whose results are kept in the order of its first match.
            self.sizes[-1] += 1
            here = numbers(bots)
            seats = [here.index(bot) for bot in numbers(bytes(self.bots[-len(bots) :]))]
            ranks = bytes(ranks[seat] for seat in seats)
            heads = b"".join(heads[4 * seat : 4 * seat + 4] for seat in seats)
        else:
            self.firsts.append(first)
            self.sizes.append(1)
            self.bots += bots
        self.deals.append(deals)
        self.ranks += ranks
        self.heads += heads

    def results(self, ids: Sequence[int], seats: int) -> Results:
        """As arrays. Raises `IndexError` or `ValueError` if there is a bot that `ids` does not have."""
        index = np.full(max(ids) + 1, -1, dtype=np.int16)
        index[list(ids)] = np.arange(len(ids))
        lineups = index[np.frombuffer(bytes(self.bots), dtype="<u4")].reshape(-1, seats)
        if lineups.min(initial=0) < 0:
            raise ValueError("matches of bots that are not here")
        return Results(
            bots=len(ids),
            lineups=lineups,
            sizes=np.array(self.sizes, dtype=np.int64),
            ranks=np.frombuffer(bytes(self.ranks), dtype=np.int8).reshape(-1, seats),
            heads=np.frombuffer(bytes(self.heads), dtype="<i4").reshape(-1, seats),
            deals=np.array(self.deals, dtype=np.int32),
        )


def blocks(matches: Iterable[CountedMatch], ids: Sequence[int], seats: int) -> Iterator[Results]:
    """Matches in which those of a group follow each other; `ids` has the ids of all bots, in the order of their numbers."""
    block = _Block()
    for match in matches:
        if len(block.firsts) >= GROUPS and block.firsts[-1] != match.first:
            yield block.results(ids, seats)
            block = _Block()
        block.take(match)
    if block.firsts:
        yield block.results(ids, seats)


def remembered(source: Callable[[], Iterable[Results]]) -> Callable[[], Iterator[Results]]:
    """The same blocks for as many passes as are wanted, read only once if they are few enough to be kept."""
    kept: list[Results] | None = None

    def once_more() -> Iterator[Results]:
        nonlocal kept
        if kept is not None:
            yield from kept
            return
        some: list[Results] = []
        size = 0
        for block in source():
            size += block.nbytes
            if size <= KEPT:
                some.append(block)
            else:
                some.clear()
            yield block
        if size <= KEPT:
            kept = some

    return once_more
