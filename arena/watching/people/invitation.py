"""An invitation: players and game as far as they are settled. `settled` fills in the rest and makes a sitting."""

import json
import os
import pwd
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bullring.arena.games.rulebook.language import say
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.options import OptionValue
from bullring.arena.games.rules.registry import find
from bullring.arena.watching.people.how import How
from bullring.arena.watching.people.opponents import USUAL, level
from bullring.arena.watching.people.sitting import MAX_NAME, Chair, Sitting, played
from bullring.errors import BullringError, OptionError, SeatsError

ONLINE, STANDARD, TACTICS = "online", "standard", "tactics"
"""The games that are meant where none is named."""

USUAL_SEATS = 4
"""Seats of a table if nothing else is asked for."""


@dataclass(frozen=True)
class Invitation:
    """Players and game. Fields that are open are None or empty."""

    people: tuple[str, ...] = ()
    bots: tuple[Chair, ...] = ()
    game: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    seats: int | None = None
    tactics: bool = False
    """Whether to play with as many cards as are needed, all of which are known."""
    level: str = USUAL
    """The level of opponents that nobody names."""

    def settled(self) -> Sitting:
        """The sitting, with open fields filled in. Raises `UsageError`.

        Without a game, it is the online one at a table of four, and the standard game at any other. Empty seats are taken by
        opponents of the `level`. The order is that in which people and bots were named, people first.
        """
        game = self._game()
        seats = self._seats(game)
        missing = seats - len(self.people) - len(self.bots)
        added = tuple(Chair(bot=bot) for bot in level(self.level, missing))
        options = self._options(game)
        rules = game(seats, options)
        given = {name: rules.options[name] for name in options}
        chairs = (*(Chair(name) for name in self.people), *self.bots, *added)
        return Sitting(chairs, game.id, given)

    def _game(self) -> type[Game[Any]]:
        if self.game is not None:
            game = find(self.game)
            return find(TACTICS) if self.tactics and game.id == STANDARD else game
        named = len(self.people) + len(self.bots)
        seats = self.seats or (named if self.bots or named > USUAL_SEATS else USUAL_SEATS)
        if max(seats, named) == USUAL_SEATS and set(self.options) <= {spec.name for spec in find(ONLINE).option_specs}:
            return find(ONLINE)
        return find(TACTICS if self.tactics else STANDARD)

    def _seats(self, game: type[Game[Any]]) -> int:
        low, high = game.seat_range
        named = len(self.people) + len(self.bots)
        wanted = f"{low}" if low == high else say("shared.span", low=low, high=high)
        if named > high:
            raise SeatsError(say("screens.refusals.crowded", game=game.id, wanted=wanted, named=named))
        if self.seats is not None:
            if not low <= self.seats <= high:
                raise SeatsError(say("screens.refusals.seats", game=game.id, wanted=wanted, seats=self.seats))
            if self.seats < named:
                raise SeatsError(say("screens.refusals.too_few", named=named, seats=self.seats))
            return self.seats
        return max(low, min(high, named if self.bots or named > USUAL_SEATS else max(named, USUAL_SEATS)))

    def _options(self, game: type[Game[Any]]) -> dict[str, object]:
        options = dict(self.options)
        if self.tactics and game.id != TACTICS:
            if "tactics" not in {spec.name for spec in game.option_specs}:
                raise OptionError(say("screens.refusals.tactics", game=game.id))
            options["tactics"] = True
        return options


def usual_name() -> str:
    """A name for a person who gave none: the first name of the account's owner, or else the account's name, or else a word."""
    with suppress(KeyError):
        entry = pwd.getpwuid(os.getuid())
        first = entry.pw_gecos.split(",")[0].partition(" ")[0] or entry.pw_name
        name = first[:1].upper() + first[1:]
        if name.isprintable() and name.strip() and name != "Root":
            return name[:MAX_NAME]
    return say("shared.guest")


@dataclass(frozen=True)
class Remembered:
    """The last table and how it was played at, with which the next one begins."""

    people: tuple[str, ...] = ()
    bots: tuple[Chair, ...] = ()
    game: str = ONLINE
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    limit: float | None = None
    """Seconds of people for a decision, as in a `Sitting`."""
    falls_back: bool = False
    how: How = field(default_factory=How)

    @classmethod
    def of(cls, sitting: Sitting, how: How) -> "Remembered":
        """The part of a sitting that is remembered."""
        people = tuple(chair.name for chair in sitting.chairs if chair.person)
        bots = tuple(chair for chair in sitting.chairs if not chair.person)
        return cls(people, bots, sitting.game, sitting.options, sitting.limit, sitting.falls_back, how)

    def keep(self) -> None:
        """Write it down. Where that is not possible, the next table begins with the defaults."""
        place = _place()
        with suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            new = place.with_suffix(f".{os.getpid()}")
            new.write_text(json.dumps(asdict(self)), "utf-8")
            new.replace(place)

    @classmethod
    def read(cls) -> "Remembered":
        """The last table; the defaults if none is remembered, or if it is no longer possible."""
        with suppress(OSError, ValueError, TypeError, KeyError, AttributeError, BullringError):
            facts = json.loads(_place().read_text("utf-8"))
            people, bots = tuple(facts.pop("people")), tuple(Chair(**bot) for bot in facts.pop("bots"))
            found = cls(people, bots, how=How.of(facts.pop("how", {})), **facts)
            chairs = (*(Chair(name) for name in people), *bots)
            find(found.game)(len(chairs), found.options)
            Sitting(chairs, limit=found.limit, falls_back=found.falls_back)
            return found
        return cls()

    @property
    def person(self) -> str:
        """The first person of the last table."""
        return self.people[0] if self.people else usual_name()


def _place() -> Path:
    return played().parent / "last-table.json"
