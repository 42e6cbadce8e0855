"""What a run needs of whatever it plays for: standings, or the score of a duel."""

from collections.abc import Sequence
from typing import Protocol

from bullring.ladder.keeping.rows import GroupRow, MatchRow


class Scoreboard(Protocol):
    """Takes finished groups and says when enough were played."""

    def add(self, group: GroupRow, matches: list[MatchRow]) -> None:
        """Take a finished group."""

    def write(self) -> None:
        """Write what was added, within the change of the store that it belongs to."""

    def rating(self, bot: int) -> float | None:
        """The present rating of a bot."""

    def groups(self, bot: int) -> int:
        """Its finished groups."""

    def enough(self, bots: Sequence[int]) -> str | None:
        """Why no more need to be played, if these bots play; None if the run goes on."""

    def refresh(self, *, now: bool = False) -> None:
        """Rate anew if there is something new, and if the last time was not just now or it must be `now`."""
