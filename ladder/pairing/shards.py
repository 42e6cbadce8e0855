"""Shards: the bots that a referee process plays with for a while, where there are more than it can keep running.

Starting a process takes longer than a match of instant bots. With 200 bots and line-ups drawn from all of them, nearly every
match would have to start some. So each referee process has a *shard*, `SIZE` of the bots, and line-ups for it are drawn from its
shard by the usual schedule. One bot after another is exchanged, as often as starting the new one takes no more than a fixed part
of the time: the one that has been in it longest leaves, and one is drawn from those in no shard, with probabilities in inverse
proportion to its matches, as the variance of its rating is.

This does not bias ratings. Who enters and who leaves depends on how often bots have played and never on a result; each bot stays
for as many exchanges as every other; and any two bots meet in the long run, because shards are never the same twice, so that all
ratings stay comparable. Ratings are estimated from who played whom, whatever the design was.
"""

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from random import Random

SIZE = 48
"""Bots of a shard: half of those that a referee process may keep running, as most play at several tables at a time."""

SHARE = 12
"""An exchange pays if it lasts this many times as long as starting the new bot's processes takes."""

PROCESSES = 2
"""Processes of a bot in a shard, about."""


class Shard:
    """The bots of one referee process. Times are in seconds, of any clock."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._bots: deque[int] = deque()
        """The ones that have been in it longest come first."""
        self._next = 0.0

    @property
    def bots(self) -> Collection[int]:
        """Its bots."""
        return self._bots

    def chosen(self, matches: Mapping[int, int], taken: Collection[int], start: float, now: float) -> Collection[int]:
        """The bots that may play now, after an exchange if it is time. All of them, if they are few.

        `matches` has how many each of them has played and is playing, `taken` are the bots of other shards, and `start` is what
        starting a process takes, in seconds.
        """
        if len(matches) <= SIZE:
            self._bots.clear()
            return matches.keys()
        self._bots = deque(bot for bot in self._bots if bot in matches)
        outside = [bot for bot in matches if bot not in self._bots]
        if now >= self._next and len(self._bots) == SIZE:
            self._bots.popleft()
        if len(self._bots) < SIZE:
            self._next = now + SHARE * PROCESSES * start
            self._fill(matches, [bot for bot in outside if bot not in taken])
            self._fill(matches, outside)
        return self._bots

    def _fill(self, matches: Mapping[int, int], bots: Sequence[int]) -> None:
        """Draw from these bots until the shard is full or there are no more."""
        free = [bot for bot in bots if bot not in self._bots]
        while free and len(self._bots) < SIZE:
            (bot,) = self._random.choices(free, [1 / (matches[bot] + 1) for bot in free])
            free.remove(bot)
            self._bots.append(bot)
