"""When to bench a bot: it is at fault so often that its matches tell nothing and waste time."""

from collections import Counter

from bullring.ladder.store.store import Store

WINDOW = 20
"""Number of last matches examined."""
MOST_CLOSED = 5
"""A bot is benched if its seat was closed (it crashed or had three strikes) in this many of them."""
MOST_UNSTARTED = 2
"""A bot is benched if it failed to start, or sent no hello, this many times in a row: each costs everybody the start limit."""


def verdict(store: Store, bot: int, since: int) -> str | None:
    """Why to bench the bot, judged by its matches from match `since` on; None if it may go on."""
    recent = [seat for seat, _ in store.recent(bot, since, WINDOW)]
    if sum("start" in seat.faults for seat in recent[:MOST_UNSTARTED]) == MOST_UNSTARTED:
        return f"it did not start in its last {MOST_UNSTARTED} matches"
    closed = [seat.faults for seat in recent if seat.closed]
    if len(closed) >= MOST_CLOSED:
        kinds = Counter(kind for faults in closed for kind in faults)
        common = ", ".join(f"{kind} {count} times" for kind, count in kinds.most_common(3))
        return f"its seat was closed in {len(closed)} of its last {len(recent)} matches ({common})"
    return None
