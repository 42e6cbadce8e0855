"""What each option of a moment leads to, by a process of its own (`process`), so that a screen stays quick."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bullring.arena.cells.processes.child import Child
from bullring.arena.cells.processes.kinds import BRANCHES


class Forecast:
    """The mean heads of each option of a moment. Ask for news with `read`, which does not wait."""

    def __init__(self, record: Path, line: int, seat: int, party: str = "", options: Sequence[int] = ()) -> None:
        """Begin with the decision of `seat` in this line of a finished record. Raises `OSError`.

        With a `party`, as it tells itself, that plays on, from these options only, by their indices; otherwise the house does,
        from all.
        """
        self.options = options
        self.heads: Sequence[float] = ()
        """By option; empty as long as each was not played out."""
        self.errors: Sequence[float] = ()
        self.count = 0
        self.error: str | None = None
        """The reason why there are no numbers."""
        self.doing = ""
        """The bot that is being built."""
        self.going = 0
        """The playouts by the party that were begun, of `total`."""
        self.total = 0
        self.played: dict[str, Any] = {}
        """By the index of an option, the lines and the heads of the last playout by the party."""
        of_party = (json.dumps(list(options)), party) if party else ()
        self._child = Child(BRANCHES, str(record.absolute()), str(line), str(seat), *of_party)
        self._ear = self._child.ear()

    def read(self) -> bool:
        """Take the facts told since. Returns whether there were any."""
        told = False
        for _, facts in self._ear.now():
            told = True
            self.played |= facts.pop("played", {})
            vars(self).update(facts)
        if self._ear.closed and not self.count and self.error is None:
            told = True
            self.error = f"{BRANCHES.name} {self._child.wait()}"
        return told

    def close(self) -> None:
        """End the process."""
        self._child.end()
