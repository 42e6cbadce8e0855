"""Ratings of the bots of a home against the house, which the standings show beside those of the ladder."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from bullring.arena.games.rules.registry import find
from bullring.errors import LadderError
from bullring.ladder.standings.columns import Row
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import ListRow
from bullring.ladder.store.store import Store


def with_house(
    home: Home, store: Store, list_: ListRow, rows: Sequence[Row], told: Callable[[LadderError], None] | None = None
) -> list[Row]:
    """The rows of a list, each with its adjusted Elo against the house at this table if the bot was gauged there.

    A damaged file costs this column and not the standings; the error is `told`.
    """
    if not home.gauges.exists():
        return list(rows)
    from bullring.ladder.gauge.file import Entrant, Kept  # these import the simulator, which few homes need here
    from bullring.ladder.gauge.score import Score

    try:
        kept = Kept.at_home(home, find(list_.game)(list_.seats, list_.options), read_only=True)
        if kept is None:
            return list(rows)
        hashes = {bot.name: bot.contents.hash for bot in store.bots()}
        scores = [Score(row.bot, kept.of(Entrant(row.bot, hashes[row.bot]))) for row in rows]
    except LadderError as error:
        if told is not None:
            told(error)
        return list(rows)
    return [
        replace(row, house=(score.elo.value, score.elo.half)) if score.samples else row
        for row, score in zip(rows, scores, strict=True)
    ]
