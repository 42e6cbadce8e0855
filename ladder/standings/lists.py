"""Which of the lists of a ladder is meant where nobody says."""

from bullring.ladder.store.rows import ListRow
from bullring.ladder.store.store import Store


def main_list(store: Store) -> ListRow | None:
    """The list with most rated matches, the oldest one of several; None if there is no list."""
    return max(store.lists(), key=lambda row: store.rated(row.id), default=None)
