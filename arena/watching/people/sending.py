"""When the choice of a person is sent: the referee takes none back, so a person can do that only before."""

from enum import StrEnum

HOLD = 1.5
"""Seconds for which a choice is held, and can be taken back."""

RESERVE = 0.25
"""Seconds before the end of the time at which a held choice is sent: a busy machine must not make it late."""


class Send(StrEnum):
    """When a choice is sent."""

    HELD = "held"
    """After `HOLD` seconds, or as soon as the person says so."""
    CONFIRMED = "confirmed"
    """When the person says so."""
    AT_ONCE = "at-once"

    def seconds(self, left: float | None, *, falls_back: bool) -> float | None:
        """The seconds after which a choice made now is sent by itself; None if only the person sends it.

        `left` is what the clock shows, if one runs. No choice is late because it was held; and where the referee would move for a
        person whose time is over, what the person has chosen is sent instead.
        """
        hold = {Send.HELD: HOLD, Send.CONFIRMED: None, Send.AT_ONCE: 0.0}[self]
        if left is None or left <= 0 or (hold is None and not falls_back):
            return hold
        end = max(0.0, left - RESERVE)
        return end if hold is None else min(hold, end)
