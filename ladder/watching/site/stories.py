"""Matches that people may want to see, and what is told of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from statistics import fmean as mean

from bullring.arena.games.rulebook.language import spoken
from bullring.arena.games.rules.sayings import Heads
from bullring.ladder.store.store import Brief
from bullring.ladder.watching.site.words import isolated

NOTABLE = 3
"""Stories of each kind."""

UPSET = 100
"""Elo by which the others are rated higher, on average, where a bot that wins surprises."""


@dataclass(frozen=True)
class Story:
    """A match that is worth a look."""

    match: Brief
    kind: str
    """The key of what is told of it, and of the word for such matches."""
    names: Sequence[str]
    """The bots that it is about."""
    figure: int
    """What it is told for: Elo, heads or faults, by kind."""

    def said(self) -> str:
        """It, in a sentence without its full stop."""
        names = spoken().listed(isolated(name) for name in self.names)
        return spoken().say(
            f"site.stories.{self.kind}",
            count=self.figure if self.kind == "faulty" else len(self.names),
            names=names,
            heads=Heads(self.figure),
            figure=self.figure,
        )


def stories(
    matches: Sequence[Brief],
    names: Mapping[int, str],
    ratings: Mapping[int, float],
    faults: Mapping[tuple[int, int], Sequence[str]],
) -> Mapping[int, Story]:
    """The stories of a list by match, the best of each kind first; of a match, the first one that there is.

    `ratings` are those that are known, by bot, and `faults` are by match and bot.
    """
    counted = [match for match in matches if match.counted and len(match.bots) > 1]
    made: dict[int, list[int]] = {}
    for (match, bot), kinds in faults.items():
        made.setdefault(match, []).extend([bot] * len(kinds))

    def won(match: Brief) -> list[int]:
        return [bot for bot, rank in zip(match.bots, match.ranks, strict=True) if rank == 1]

    def upset(match: Brief) -> int:
        """The mean rating of the others less that of the winner."""
        best = won(match)
        if len(best) > 1 or any(bot not in ratings for bot in match.bots):
            return 0
        others = [ratings[bot] for bot in match.bots if bot != best[0]]
        by = round(sum(others) / len(others) - ratings[best[0]]) if others else 0
        return by if by >= UPSET else 0

    def margin(match: Brief) -> int:
        """By how much the winner is ahead, if that is much for such a match."""
        best, second, *_ = sorted(match.heads)
        return second - best if len(won(match)) == 1 and second - best > mean(match.heads) / 2 else 0

    def spread(match: Brief) -> int:
        return max(match.heads) - min(match.heads)

    def last(match: Brief) -> list[int]:
        return [bot for bot, heads in zip(match.bots, match.heads, strict=True) if heads == max(match.heads)]

    def most(match: Brief) -> int:
        """What the last one took, if that is much beside the others."""
        return max(match.heads) if max(match.heads) >= 2 * mean(match.heads) else 0

    def faulty(match: Brief) -> list[int]:
        return sorted(set(made.get(match.id, ())))

    def told(
        kind: str, about: Callable[[Brief], list[int]], of: Callable[[Brief], int], *, least: bool = False
    ) -> list[Story]:
        among = [match for match in counted if not least or of(match) <= mean(match.heads) / 2]
        best = nlargest(NOTABLE, among, key=lambda match: (-of(match) if least else of(match), match.id))
        found = [(match, of(match)) for match in best]
        return [
            Story(match, kind, [names[bot] for bot in about(match)], figure)
            for match, figure in found
            if figure > 0 or least
        ]

    found: dict[int, Story] = {}
    for story in (
        *told("upset", won, upset),
        *told("biggest", won, margin),
        *told("closest", won, spread, least=True),
        *told("highest", last, most),
        *told("faulty", faulty, lambda match: len(made.get(match.id, ()))),
    ):
        found.setdefault(story.match.id, story)
    return found
