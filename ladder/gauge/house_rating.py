"""Where the bots of a home stand against the house: a rating of its own, beside that of the ladder."""

from typing import NamedTuple

from bullring.arena.games.rules.registry import find
from bullring.ladder.gauge.file import Entrant, Kept
from bullring.ladder.gauge.score import Score
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import BotRow, ListRow


class Standing(NamedTuple):
    """What is known of a version of a bot against the house."""

    elo: float
    """The adjusted Elo difference to the house; infinite if the bot is ahead of all seats, or of none."""
    error: float
    """Half of its 95 % interval, in Elo; inf if the results do not bound it."""


def standings(home: Home, list_: ListRow, bots: list[BotRow]) -> dict[str, Standing]:
    """What is known of these versions at the table of a list, by their labels; without those that have not been gauged.

    Raises `LadderError` if the file of the gauges is damaged or cannot be read.
    """
    kept = Kept.at_home(home, find(list_.game)(list_.seats, list_.options), read_only=True)
    if kept is None:
        return {}
    scores = [Score(row.name, kept.of(Entrant(row.name, row.contents.hash))) for row in bots]
    return {score.name: Standing(score.elo.value, score.elo.half) for score in scores if score.samples}
