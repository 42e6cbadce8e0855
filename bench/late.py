"""Summing up lateness, in the same way for the referee and for the floor."""

from collections.abc import Sequence


def lateness(late_us: Sequence[float]) -> dict[str, float]:
    """The number noticed, how many of them too early, and median, 99th percentile and worst in microseconds."""
    late = sorted(late_us)
    if not late:
        raise RuntimeError("no hung bot was noticed at all")
    last = len(late) - 1
    return {
        "noticed": len(late),
        "early": sum(us < 0 for us in late),
        "median_us": (late[last // 2] + late[(last + 1) // 2]) / 2,
        "p99_us": late[min(last, -(-99 * len(late) // 100) - 1)],
        "worst_us": late[last],
    }
