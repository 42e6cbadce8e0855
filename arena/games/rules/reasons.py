"""Reasons: what speaks for or against an option, as facts of the position.

A game declares its `Reasons`: facts that matter to whoever decides; their sentences are in its texts. They are made of the view of
the seat that is asked, so a reason knows no more than its player may. A sentence names no player, because it is read by the one who
decides and, later, by everybody else. `arena.study.reasons` puts them into words.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bullring.arena.games.rules.sayings import Value


@dataclass(frozen=True)
class Reason:
    """A fact about an option."""

    key: str
    """The key of its sentence among the reasons of the game."""
    values: Mapping[str, Value]
    """The values that fill its sentence; of two forms, the first one decides."""


class Reasons:
    """The reasons of a game. By default there are none."""

    def of(self, game: Any, view: Mapping[str, Any], kind: str, option: Any) -> Iterator[Reason]:
        """Yield the facts about one option of a decision, the weightiest first.

        `view` is what the seat was told, from `arena.games.rules.game.Game.view` or a message; `game` is that `Game`.
        """
        return iter(())

    def apart(
        self, game: Any, view: Mapping[str, Any], kind: str, option: Any, better: Any
    ) -> tuple[Sequence[Reason], Sequence[Reason]]:
        """The facts about an option and about a better one that tell the two apart: without those that both have."""
        own, other = (tuple(self.of(game, view, kind, one)) for one in (option, better))
        return [one for one in own if one not in other], [one for one in other if one not in own]
