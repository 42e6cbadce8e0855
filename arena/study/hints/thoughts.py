"""A bot's thoughts about the options of one decision."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from bullring.arena.games.rules.game import Option


@dataclass(frozen=True)
class Thought:
    """A bot's thought about one option."""

    option: Option
    heads: float
    """The heads that the seat may expect from here to the end of the deal. In 11 nimmt!, those in its hand then."""
    error: float
    """The standard error of the difference to the best option; 0 for that one."""
    takes: float | None = None
    """How likely the seat takes heads in this turn, by the playouts; None where the bot does not say."""


@dataclass(frozen=True)
class Thoughts:
    """A bot's thoughts about the options of one decision."""

    by: str = ""
    """The name of the bot: "@strong". Empty if no bot knows the game or this kind of decision."""
    options: tuple[Thought, ...] = ()
    """In the order of the question. Empty if the bot has no numbers: it drafts by a rule."""
    best: Option | None = None
    """Its choice: the option with the fewest heads, if it has numbers."""
    playouts: int = 0
    """Playouts of each option to the end of the deal."""

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any], options: list[Any]) -> Self:
        """Thoughts as a bot writes them, about a question with these `options`."""
        found = tuple(Thought(_option(option), *values) for option, *values in facts["thoughts"])
        best = facts["best"]
        return cls(facts["by"], found, None if best is None else _option(options[best]), facts["playouts"])


def _option(option: Any) -> Option:
    return tuple(option) if isinstance(option, list) else option
