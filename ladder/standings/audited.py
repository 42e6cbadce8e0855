"""The audit of a home with what the standings keep in it: sums and ratings, which follow from the matches."""

from bullring.ladder.standings import conduct, ratings
from bullring.ladder.store.audit import Audit, audit
from bullring.ladder.store.home import Home
from bullring.ladder.store.progress import Tell, nobody
from bullring.ladder.store.store import Store

_REMEDY = "to make them anew: bullring ladder rebuild"


def audited(home: Home, store: Store, key: str | None = None, tell: Tell = nobody) -> Audit:
    """Verify all of a home, as `audit` does. Raises `StoreError`, `HostError`."""
    found = audit(home, store, key, tell)
    for name in conduct.damaged(store, tell):
        found.add(f"bot {name}", f"the sums of its conduct are not those of its matches; {_REMEDY}")
    for title in ratings.damaged(store, tell):
        found.add(f"list {title}", f"the stored ratings are not those of its matches; {_REMEDY}")
    return found
