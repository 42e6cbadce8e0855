"""When a bot is benched: it is at fault so often that its matches say nothing and cost everybody's time."""

from collections import Counter

from bullring.ladder.keeping.store import Store

WINDOW = 20
"""The last matches that are looked at."""
MOST_CLOSED = 5
"""In so many of them its seat was closed (it crashed, or had three strikes)."""
MOST_UNSTARTED = 2
"""So many in a row it did not even start, or said no hello: each costs everybody the start limit."""


def verdict(store: Store, bot: int, since: int) -> str | None:
    """Why the bot is to be benched, from its matches since a group; None if it may go on."""
    recent = store.recent_results(bot, since, WINDOW)
    unstarted = [faults for faults, _ in recent[:MOST_UNSTARTED] if "start" in faults.split(",")]
    if len(unstarted) == MOST_UNSTARTED:
        return f"it did not start in its last {MOST_UNSTARTED} matches"
    closed = [faults for faults, closed in recent if closed]
    if len(closed) >= MOST_CLOSED:
        kinds = Counter(kind for faults in closed for kind in faults.split(","))
        common = ", ".join(f"{kind} {count} times" for kind, count in kinds.most_common(3))
        return f"its seat was closed in {len(closed)} of its last {len(recent)} matches ({common})"
    return None
