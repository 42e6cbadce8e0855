"""Whether a bot makes its tables wait, and how much of a core they take meanwhile, learnt from its last matches."""

from collections import deque
from collections.abc import Callable, Collection

QUICK_US = 2000.0
"""Microseconds by which the mean time of a quick bot for a decision may exceed that of the quickest at its table. The time of that
one is the machine's, and may pass once more, as it varies much beside other loads. Anything else that a bot asks for, such as a
process for each match, counts as if it had thought as long."""

QUICK_MEAN_US = 100_000.0
"""Largest mean time of a quick bot, however slow the others were."""

SLOW_US = 100_000.0
"""If it exceeds that of the quickest by more than this, one match is enough to call a bot slow."""

REMEMBERED = 8
"""Last matches that count."""

KEPT = 63 / 64
"""The part of what was learnt of costs that a further match leaves: many count, because a bot is seldom weighed
(`pool.WEIGH_EVERY`), and at first with its start."""

REFEREE = 0.003
"""Seconds that a referee process computes for a match."""

TURN = 0.0002
"""If all bots of a table together compute less than this for a turn, in seconds, they leave each other's caches warm."""

LEAST = 1 / 8
"""Largest load of tables of such bots, which are played side by side to spare ways between processes, and of bots that wait."""


class Pace:
    """The pace of a bot. It is slow if one of its last matches was very slow, or half of them, and at least two, were not quick."""

    def __init__(self) -> None:
        self._last: deque[bool | None] = deque(maxlen=REMEMBERED)
        """Its last matches: quick (True), not quick (False), very slow (None)."""
        self._matches = self._decisions = self._seconds = self._used = 0.0
        """Sums in which the last matches count most: one each, its decisions, for how long it was waited for, what it computed."""
        # Attributes, because a referee process asks for them much more often than they change.
        self.known = False
        """Whether it has played."""
        self.quick = True
        """Whether others do not have to wait for it. A bot that is not known counts as quick."""
        self.seconds = 0.0
        """For how long it is waited for in a match."""
        self.used = 0.0
        """For how long it computes in a match: at most while it is waited for, as a start may be in the account."""
        self.turn = 0.0
        """For how long it computes in a turn, in seconds."""

    def learn(self, wall_us: int, cpu_us: int, least_us: int, decisions: int) -> None:
        """Add a match: the time for which it was waited for, the processor time that it was found to have used, the least time for
        which one at the table was waited for, and how often it was asked."""
        asked = max(1, decisions)
        mean, least = wall_us / asked, least_us / asked
        own = mean - least
        self._last.append(None if own > SLOW_US else own <= max(QUICK_US, least) and mean <= QUICK_MEAN_US)
        self._matches = KEPT * self._matches + 1
        self._decisions = KEPT * self._decisions + decisions
        self._seconds = KEPT * self._seconds + wall_us / 1e6
        self._used = KEPT * self._used + cpu_us / 1e6
        self.known = True
        slow = self._last.count(False)
        self.quick = None not in self._last and (slow < 2 or 2 * slow < len(self._last))
        self.seconds = self._seconds / self._matches
        used = min(self._used, self._seconds)
        self.used, self.turn = used / self._matches, used / max(1.0, self._decisions)


def core_seconds(paces: Collection[Pace]) -> float:
    """The seconds for which a table of these bots keeps a core busy."""
    return REFEREE + sum(pace.used for pace in paces)


def load(paces: Collection[Pace]) -> float:
    """The part of a core that a table of these bots takes while it is played; 1 as long as one of them is not known."""
    own, waited, turn = REFEREE, 0.0, 0.0
    for pace in paces:
        if not pace.known:
            return 1.0
        own += pace.used
        waited = max(waited, pace.seconds - pace.used)
        turn += pace.turn
    part = own / (own + waited)
    return min(part, LEAST) if turn < TURN else part


def room_beside(others: Collection[float]) -> Callable[[float], bool]:
    """Tells whether a table with some load may be played on a core beside others with theirs: half of it fits.

    Tables of bots that compute have a core between them, and so have those that hardly take any.
    """
    little = sum([other for other in others if other <= LEAST])
    much = sum(others) - little
    return lambda own: (much if own > LEAST else little) + own / 2 <= 1.0
