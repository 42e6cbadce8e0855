"""What somebody wants to have made: a table, as it comes from outside, read strictly."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self, get_origin
from urllib.parse import parse_qs

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bullring.arena.games.rulebook.language import in_all, say
from bullring.arena.games.rules.registry import GAMES, find
from bullring.arena.watching.people.invitation import STANDARD, Invitation
from bullring.arena.watching.people.opponents import USUAL, Opponent
from bullring.arena.watching.people.sitting import Chair, Sitting
from bullring.errors import OptionError, UnknownGame, UsageError

Known = Callable[[], Sequence[Opponent]]
"""The bots that may be chosen now. No other ones can be: a stranger who names a program would have it run."""

AWAY = 60.0
"""Seconds that a seat without a clock has for each decision while nobody is there."""


@dataclass(frozen=True)
class Rules:
    """What a table allows."""

    hints: bool = True
    lessons: bool = True
    back: bool = True
    """Whether pages let people take a choice back before it is sent. No table can know."""
    limit: float | None = None
    """Seconds for a decision."""
    away: float = AWAY

    def facts(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)


class FromOutside(BaseModel):
    """Something that somebody says."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    @classmethod
    def of(cls, body: bytes, is_form: bool) -> Self:
        """From the body of a request: JSON, or a form. Raises `UsageError`."""
        try:
            facts = cls._of_form(body) if is_form else json.loads(body)
            json.dumps(facts, ensure_ascii=False).encode()  # no half characters
        except (ValueError, RecursionError):
            raise UsageError(say("screens.refusals.unreadable")) from None
        try:
            return cls.model_validate(facts)
        except ValidationError as error:
            raise UsageError(cls._mistake(error)) from None

    @classmethod
    def _mistake(cls, error: ValidationError) -> str:
        """The first mistake, in words."""
        first = min(error.errors(include_url=False), key=lambda each: each["type"] != "extra_forbidden")
        place, about = ".".join(map(str, first["loc"]))[:60], first.get("ctx", {})

        def said(key: str, **values: object) -> str:
            return say(f"screens.refusals.wishes.{key}", place=place, **values)

        match first["type"]:
            case "extra_forbidden":
                return said("unknown", known=", ".join(cls.model_fields))
            case "missing":
                return said("missing")
            case "literal_error":
                return said("one_of", known=about["expected"].replace(" or ", ", "))
            case "greater_than_equal":
                return said("least", bound=about["ge"])
            case "less_than_equal":
                return said("most", bound=about["le"])
            case "string_too_long" | "too_long":
                return said("long", bound=about["max_length"])
            case _:
                return said("other", known=cls._kind(first["loc"]))

    @classmethod
    def _kind(cls, place: Sequence[int | str]) -> str:
        """What is expected at a place, as JSON Schema calls it."""
        about = cls.model_json_schema()["properties"].get(place[0], {}) if place else {"type": "object"}
        kinds = [one.get("type", "") for one in about.get("anyOf", [about])]
        return ", ".join(kind for kind in kinds if kind != "null")

    @classmethod
    def _of_form(cls, body: bytes) -> dict[str, Any]:
        found = parse_qs(body.decode("ascii"), max_num_fields=100, errors="strict")
        lists = {name for name, about in cls.model_fields.items() if get_origin(about.annotation) is list}
        return {key: values if key in lists else values[-1] for key, values in found.items()}


class Claim(FromOutside):
    """A browser that wants a seat."""

    token: str
    name: str = ""


class Wish(FromOutside):
    """A table that somebody wants."""

    game: str | None = Field(None, max_length=40)
    options: dict[str, bool | int | str] = Field({}, max_length=20)
    seats: int | None = Field(None, ge=2, le=10)
    names: list[str] = Field([], max_length=10)
    open: int = Field(1, ge=1, le=10)
    bots: list[str] = Field([], max_length=10)
    level: Literal["easy", "medium", "hard"] | None = None
    time: float | None = Field(None, ge=5, le=600, allow_inf_nan=False)
    hints: bool = True
    lessons: bool = True
    back: bool = True

    @property
    def rules(self) -> Rules:
        """What the table allows."""
        return Rules(self.hints, self.lessons, self.back, self.time)

    def sitting(self, known: Known) -> Sitting:
        """Who sits where. Raises `BullringError` if that is not possible."""
        names = [*self.names]
        guests = (say("shared.guest") + f" {number}" for number in range(1, 100))
        while len(names) < self.open:
            names.append(next(name for name in guests if name not in self.names))
        invitation = Invitation(
            tuple(names), self._bots(known), self.game, self.options, self.seats, level=self.level or USUAL
        )
        return replace(self._settled(invitation), limit=self.time, falls_back=self.time is not None)

    @staticmethod
    def _settled(invitation: Invitation) -> Sitting:
        try:
            return invitation.settled()
        except UnknownGame:
            raise UsageError(
                say("screens.refusals.wishes.game", game=invitation.game, known=", ".join(GAMES))
            ) from None
        except OptionError:
            game = find(invitation.game or STANDARD)
            given = ", ".join(f"{key}={value}"[:60] for key, value in invitation.options.items())
            names = ", ".join(spec.name for spec in game.option_specs) or "–"
            raise UsageError(say("screens.refusals.wishes.options", game=game.id, given=given, known=names)) from None

    def _bots(self, known: Known) -> tuple[Chair, ...]:
        found: dict[str, Opponent] = {}
        for one in known() if self.bots else ():
            found.setdefault(called(one), one)
        for name in self.bots:
            if name not in found:
                raise UsageError(say("screens.refusals.no_opponent", name=name[:40]))
            if found[name].lacks:
                raise UsageError(f"{name}: {found[name].lacks}")
        return tuple(
            Chair(found[name].name if found[name].source == "ladder" else "", found[name].bot) for name in self.bots
        )


def called(opponent: Opponent) -> str:
    """The name by which an opponent is chosen from outside, where no path of this machine is shown."""
    return opponent.bot if opponent.source == "built-in" else f"@{opponent.name}"


def shown(opponent: Opponent) -> dict[str, Any]:
    """An opponent as JSON values for people outside."""
    facts = asdict(opponent)
    return {key: facts[key] for key in ("name", "rating", "error", "source")} | {
        "bot": called(opponent),
        "about": in_all(lambda: opponent.does),
        "lacks": in_all(lambda: opponent.lacks) if opponent.lacks else None,
    }
