"""How the bots of a match were confined: the tier of the sandbox, and the promises that it did not keep in full."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import spoken


@dataclass(frozen=True)
class Confinement:
    """The confinement of the bots of a match, as its record tells."""

    sandbox: str
    lacks: tuple[str, ...]
    """The names of the promises (`arena.cells.sandbox.promises`)."""

    @classmethod
    def of(cls, head: Mapping[str, Any]) -> "Confinement | None":
        """That of a record with this first line; None if it does not tell."""
        sandbox, lacks = head.get("sandbox"), head.get("lacks")
        if not isinstance(lacks, list) or not all(type(each) is str and "," not in each for each in (sandbox, *lacks)):
            return None
        return cls(str(sandbox), tuple(lacks))

    @classmethod
    def parse(cls, text: str | None) -> "Confinement | None":
        """That which a store keeps as this text."""
        if text is None:
            return None
        sandbox, *lacks = text.split(",")
        return cls(sandbox, tuple(lacks))

    def __str__(self) -> str:
        return ",".join((self.sandbox, *self.lacks))

    def said(self) -> str:
        """It, in a few words: "sandbox bwrap, every promise but memory", "without a sandbox"."""
        language = spoken()
        if self.sandbox == "none":
            return language.say("promises.none")
        names = [language.find(f"promises.names.{name}") or harmless(name, 64) for name in self.lacks]
        key = "but" if names else "every"
        return language.say(f"promises.{key}", sandbox=harmless(self.sandbox, 64), promises=language.listed(names))
