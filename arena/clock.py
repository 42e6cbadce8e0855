"""Limits of time, and the evidence for stalls of the host."""

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, fields
from math import inf

import trio

STALL_MARGIN = 0.05
"""Seconds. If the referee itself woke up later than this, its machine stood still, and that time is not the bot's."""

STALL_SHARE = 0.25
"""If more than this share of a bot's time was lost to stalls, nothing can be said of its time, and the match is void."""

_HEARTBEAT = 0.02
"""Seconds between two looks at the clock."""


class DurationError(ValueError):
    """A text is no duration."""


_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0}


def parse_duration(text: str) -> float:
    """Seconds of a text like "250ms", "1.5s" or "2m". Raises `DurationError`."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,6})?)(us|ms|s|m)", text.strip())
    if match is None:
        raise DurationError(f"a duration is a number with its unit, like 250ms, 1.5s or 2m, not {text[:40]!r}")
    return float(match[1]) * _UNITS[match[2]]


@dataclass(frozen=True)
class Limits:
    """How long a bot may take, in seconds."""

    start: float = 10.0
    """From the start of the process to its hello."""
    card: float = 1.0
    """For a decision of kind "card"."""
    row: float = 1.0
    """For a decision of kind "row"."""
    other: float = 1.0
    """For a decision of any other kind."""
    bank: float = 0.0
    """Reserve for the whole match: what exceeds a limit is taken from here."""
    tick: float = 0.0
    """What a turn brought is told at whole multiples of this after its question: so nobody learns how long others thought."""

    def of(self, kind: str) -> float:
        """The limit of a decision of this kind."""
        return self.card if kind == "card" else self.row if kind == "row" else self.other

    def microseconds(self) -> dict[str, int]:
        """All limits of a bot's time as the wire and the record write them."""
        return {
            f"{field.name}_us": round(getattr(self, field.name) * 1e6) for field in fields(self) if field.name != "tick"
        }


class Deadlines:
    """The deadlines for which the matches of this process are asleep.

    A loop full of busy matches comes round to a sleeping one only after all the others had their turn. So whichever match
    runs looks here, and wakes those whose time has come.
    """

    def __init__(self) -> None:
        self.earliest = inf
        """No sleeper is due before this time."""
        self._sleepers: dict[Callable[[], None], float] = {}

    def sleep(self, wake: Callable[[], None], deadline: float) -> None:
        """Have `wake` called soon after `deadline`, unless `awake` is called before."""
        self._sleepers[wake] = deadline
        if deadline < self.earliest:
            self.earliest = deadline

    def awake(self, wake: Callable[[], None]) -> None:
        """`wake` is not to be called any more."""
        self._sleepers.pop(wake, None)

    def look(self, now: float) -> None:
        """Wake all whose time has come."""
        for wake in [wake for wake, deadline in self._sleepers.items() if deadline <= now]:
            del self._sleepers[wake]
            wake()
        self.earliest = min(self._sleepers.values(), default=inf)


class StallWatch:
    """Notices when this process does not get to run: a busy or sleeping machine must not be blamed on a bot.

    `run` looks at the clock at short intervals; a look that comes late is a stall.
    """

    def __init__(self) -> None:
        self.deadlines = Deadlines()
        self._stalls: deque[tuple[float, float]] = deque(maxlen=256)

    async def run(self) -> None:
        """Watch until cancelled."""
        while True:
            due = trio.current_time() + _HEARTBEAT
            await trio.sleep_until(due)
            lag = trio.current_time() - due
            if lag > STALL_MARGIN:
                self._stalls.append((due, lag))

    def lost(self, since: float, deadline: float, now: float) -> float:
        """Seconds that the machine is known to have stood still between `since` and `now`.

        How late it is `now` for the `deadline` is evidence, too: the watch may not have had its turn yet.
        """
        noticed = sum([min(lag, due + lag - since) for due, lag in self._stalls if due + lag > since])
        late = now - deadline
        return max(noticed, late if late > STALL_MARGIN else 0.0)
