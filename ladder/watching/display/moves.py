"""Changes of places in the standings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.ladder.standings.columns import Row


@dataclass(frozen=True)
class Move:
    """A bot that has got another place."""

    bot: str
    before: int
    now: int

    def drawn(self) -> Text:
        """The move in a few words."""
        up = self.now < self.before
        told = f"{harmless(self.bot, 16)} {self.before} → {self.now}"
        return Text.assemble(("▲ " if up else "▼ ", "green" if up else "red"), (told, "not bold"))


def moves(before: Sequence[Row], after: Sequence[Row]) -> Iterator[Move]:
    """The bots whose places have changed, the last place first."""
    old = {row.bot: row.settled for row in before}
    for row in reversed(after):
        place = old.get(row.bot)
        if place is not None and row.settled is not None and place != row.settled:
            yield Move(row.bot, place, row.settled)
