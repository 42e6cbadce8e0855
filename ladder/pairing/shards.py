"""Which bots a referee process plays with for a while, where there are more than it can keep running.

Starting a process takes longer than a match of instant bots. With 200 bots and line-ups drawn from all of them, nearly every
match would have to start some. So each referee process has a *shard*, `SIZE` of the bots, and line-ups for it are drawn from its
shard by the usual schedule. One bot after another is exchanged, as often as starting the new one takes no more than a fixed part
of the time: the one that has been in it longest leaves, and one is drawn from those in no shard, with probabilities proportional
to its uncertainty squared, as the schedule draws the first bot of a line-up.

This does not bias ratings. Who enters and who leaves depends on how often bots have played and never on a result; each bot stays
for as many exchanges as every other; and any two bots meet in the long run, because shards are never the same twice, so that all
ratings stay comparable. Ratings are estimated from who played whom, whatever the design was. Matches of similar bots become a
little rarer: the nearest of 48 are chosen instead of the nearest of all.
"""

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from random import Random

from bullring.ladder.pairing.schedule import Standing

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
        """Those longest in it first."""
        self._next = 0.0

    @property
    def bots(self) -> Collection[int]:
        """Its bots."""
        return self._bots

    def chosen(
        self, standings: Mapping[int, Standing], taken: Collection[int], start: float, now: float
    ) -> Mapping[int, Standing]:
        """Those of `standings` that may play now, after an exchange if it is time. All of them, if they are few.

        `taken` are the bots of other shards, and `start` is what starting a process takes, in seconds.
        """
        if len(standings) <= SIZE:
            self._bots.clear()
            return standings
        self._bots = deque(bot for bot in self._bots if bot in standings)
        outside = [bot for bot in standings if bot not in self._bots]
        if now >= self._next and len(self._bots) == SIZE:
            self._bots.popleft()
        if len(self._bots) < SIZE:
            self._next = now + SHARE * PROCESSES * start
            self._fill(standings, [bot for bot in outside if bot not in taken])
            self._fill(standings, outside)
        return {bot: standings[bot] for bot in self._bots}

    def _fill(self, standings: Mapping[int, Standing], bots: Sequence[int]) -> None:
        """Draw from these bots until the shard is full or there are no more."""
        free = [bot for bot in bots if bot not in self._bots]
        while free and len(self._bots) < SIZE:
            (bot,) = self._random.choices(free, [standings[bot].uncertainty ** 2 for bot in free])
            free.remove(bot)
            self._bots.append(bot)
