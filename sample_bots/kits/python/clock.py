"""The time left for the present decision.

A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
unless the welcome says `"clock": "wall"`.
"""

import time

_now = time.monotonic
_end = 0.0


def match_begins(welcome: dict) -> None:
    """Choose the clock of a match."""
    global _now
    _now = time.process_time if welcome.get("clock") == "core" else time.monotonic


def question_comes(decide: dict) -> None:
    """Start the clock of a question."""
    global _end
    _end = _now() + decide["time"]["limit_us"] / 1e6


def time_left() -> float:
    """Seconds that are left for the present decision, without the bank. Answer well before none is left."""
    return _end - _now()
