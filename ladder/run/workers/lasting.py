"""How long matches last, learnt from those that have ended: by the bots that play them, and by how busy the machine is."""

from collections.abc import Sequence

from bullring.ladder.run.workers.messages import Match, Outcome

_WEIGHT = 1 / 4
"""The weight of a bot's last match."""

_KEPT = 7 / 8
"""What an earlier match still counts, when the next one has ended, in what matches last for each second of waiting."""


class Lasting:
    """The matches of a referee process."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        """For how long each bot is waited for in a match, by name: a mean over its last ones."""
        self._waited = self._took = 0.0
        """The seconds of waiting for bots in the last matches, and those from their beginning to their end: bots of a table may
        think at the same time, or queue for a core. Long matches count most, as they should."""

    def learn(self, matches: Sequence[Match], outcomes: Sequence[Outcome], took: float) -> None:
        """Add the matches of an order, which took so many seconds together."""
        self._waited *= _KEPT
        self._took = _KEPT * self._took + took
        for match, outcome in zip(matches, outcomes, strict=False):
            for bot, seat in zip(match.bots, outcome.seats, strict=True):
                seconds = seat.wall_us / 1e6
                self._waited += seconds
                before = self._seconds.get(bot.name, seconds)
                self._seconds[bot.name] = before + _WEIGHT * (seconds - before)

    def expected(self, matches: Sequence[Match]) -> float:
        """The seconds that these matches will take, one after the other. Bots that have not played here count as instant."""
        waiting = sum(self._seconds.get(bot.name, 0.0) for match in matches for bot in match.bots)
        return waiting * self._took / self._waited if self._waited else 0.0
