"""How people want to play: the manner of a table, whatever is played there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from bullring.arena.games.rulebook.language import LANGUAGES
from bullring.arena.watching.people.sending import Send


@dataclass(frozen=True)
class How:
    """Wishes of the people at a table. They change nothing for the bots."""

    language: str = ""
    """The code of the language; empty for that of the locale."""
    hint: bool = False
    teach: bool = False
    send: Send = Send.HELD
    pace: float | None = None
    """Seconds of a step; None for the usual time."""

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Self:
        """From JSON values. Raises `ValueError` or `TypeError` if they are none."""
        how = cls(**{**facts, "send": Send(facts.get("send", Send.HELD))})
        if how.language and how.language not in LANGUAGES:
            raise ValueError(f"there is no language {how.language!r}")
        if how.pace is not None and not how.pace >= 0:
            raise ValueError(f"a step takes 0 s or more, not {how.pace!r}")
        return how
