"""How the bots of a list were confined, told below its standings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bullring.arena.games.rulebook.language import say
from bullring.arena.match.records.confinement import Confinement


@dataclass(frozen=True)
class Confinements:
    """The numbers of matches by how their bots were confined."""

    counts: Mapping[Confinement | None, int]
    """None: not recorded."""

    def said(self) -> str:
        """It, in a sentence, the usual one first; empty before the first match."""

        def how(one: Confinement | None) -> str:
            return say("promises.unknown") if one is None else one.said()

        ordered, total = sorted(self.counts.items(), key=lambda pair: -pair[1]), sum(self.counts.values())
        if len(ordered) < 2:
            return "".join(say("promises.all", count=total, how=how(one)) for one, _ in ordered)
        parts = [say("promises.some", count=count, all=total, how=how(one)) for one, count in ordered]
        return say("promises.end", parts="; ".join(parts))

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        matches = [
            {"sandbox": one and one.sandbox, "lacks": one and list(one.lacks), "matches": count}
            for one, count in self.counts.items()
        ]
        return {"matches": matches, "text": self.said()}
