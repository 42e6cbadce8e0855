"""A sitting: the players by seat, and the rules for all of them. Stored beside the record, so that a match can go on."""

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bullring.arena.games.rulebook.language import say
from bullring.errors import UsageError

MAX_NAME = 64
"""Characters of a name."""


@dataclass(frozen=True)
class Chair:
    """A seat and its player: `Chair(name="Anna")` a person, `Chair(bot="@greedy")` a bot."""

    name: str = ""
    """The name of the person; of a bot, what it is called at this table, or empty for its own name."""
    bot: str = ""
    """The bot as people type it: @NAME, a folder or a command line; empty if a person sits here."""

    @property
    def person(self) -> bool:
        """Whether a person sits here."""
        return not self.bot


@dataclass(frozen=True)
class Sitting:
    """Everything that is settled before the first card. Raises `UsageError` if it is not possible."""

    chairs: tuple[Chair, ...]
    """By seat."""
    game: str = "standard"
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options of the game that differ from its defaults."""
    seed: str = ""
    """The seed of the deals; empty to draw one."""
    limit: float | None = None
    """Seconds that people have for a decision; None if no clock runs for them. When they are over, nothing happens, unless it
    `falls_back`."""
    falls_back: bool = False
    """Whether the referee moves for a person whose time is over."""
    times: tuple[str, ...] = ()
    """Limits of the bots, as `--time` takes them: "200ms", "card=1s"."""
    config: str = ""
    """A settings file, or empty."""
    tier: str = ""
    """The sandbox of the bots; empty for that of the settings."""
    allow_unsandboxed: bool = False
    freeze: bool | None = None
    folder: str = ""
    """The folder of the record; empty for `played`."""
    cwd: str = ""
    """The folder that relative paths of the bots start from; empty for the one in which it is started."""

    def __post_init__(self) -> None:
        if not self.people:
            raise UsageError(say("screens.refusals.nobody"))
        names = [chair.name for chair in self.chairs if chair.person]
        for name in names:
            if not name.strip() or len(name) > MAX_NAME or not name.isprintable():
                raise UsageError(say("screens.refusals.name", most=MAX_NAME, name=repr(name[:80])))
            if names.count(name) > 1:
                raise UsageError(say("screens.refusals.twice", name=repr(name)))
        if self.limit is not None and not 1 <= self.limit <= 3600:
            raise UsageError(say("screens.refusals.limit", limit=self.limit))
        if self.falls_back and self.limit is None:
            raise UsageError(say("screens.refusals.no_clock"))

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat, chair in enumerate(self.chairs) if chair.person)

    def facts(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "Sitting":
        """From JSON values. Raises `UsageError`."""
        try:
            chairs = tuple(Chair(**chair) for chair in facts["chairs"])
            return cls(**{**facts, "chairs": chairs, "times": tuple(facts["times"])})
        except (TypeError, KeyError, AttributeError) as error:
            raise UsageError(f"not a sitting of this version of bullring: {error}") from None


def played() -> Path:
    """The folder of people's records if there is no home: `$XDG_DATA_HOME/bullring/played`."""
    data = os.environ.get("XDG_DATA_HOME", "")
    return (Path(data) if data.startswith("/") else Path.home() / ".local" / "share") / "bullring" / "played"
