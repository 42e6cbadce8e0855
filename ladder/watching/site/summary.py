"""A bot in a list, in a few sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

from bullring.arena.games.rulebook.language import spoken
from bullring.arena.watching.display.elo import provisional
from bullring.ladder.standings.columns import Row, rating_text
from bullring.ladder.watching.site.pairs import Pair
from bullring.ladder.watching.site.profiles import FEW
from bullring.ladder.watching.site.words import isolated


@dataclass(frozen=True)
class Summary:
    """What is told of a bot in a list."""

    row: Row
    placed: int
    """Bots with a place."""
    seats: int
    rivals: Sequence[Pair]

    def said(self) -> str:
        """It, in sentences; empty before its first match."""
        row = self.row
        if not row.matches:
            return ""

        def say(key: str, **figures: object) -> str:
            return spoken().say(f"site.summary.{key}", **figures)

        where = "unplaced" if row.place is None else "placed"
        open_ = "_open" if row.error is None else "_provisional" if provisional(row.error) else ""
        told = [
            say(
                f"{where}{open_}",
                bot=isolated(row.bot),
                place=row.place or 0,
                count=self.placed,
                rating=rating_text(row) if open_ else row.rating or 0.0,
                error=row.error or 0.0,
            )
        ]
        told.append(say("won", count=row.matches, wins=100 * (row.wins or 0.0), even=100 / self.seats))
        if row.heads is not None:
            away = row.heads_v_average
            key = "heads" if away is None else "fewer" if away < 0 else "more"
            told.append(say(key, heads=row.heads, away=abs(away or 0.0)))
        known = sorted((pair for pair in self.rivals if pair.matches >= FEW), key=lambda pair: pair.share or 0.0)
        if len(known) > 1:
            worst, best = known[0], known[-1]
            shares = {"share": 100 * (best.share or 0.0), "low": 100 * (worst.share or 0.0)}
            told.append(say("rivals", best=isolated(best.other), worst=isolated(worst.other), **shares))
        if row.median_ms is not None:
            told.append(say("time", ms=row.median_ms))
        if row.matches < FEW:
            told.append(say("few", count=row.matches))
        return " ".join(told)
