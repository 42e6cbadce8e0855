"""Tables of TOML files, declared as dataclasses: what each key takes, its meaning, and words for people about the first mistake.

Read by hand, because pydantic takes longer to import than all else that happens before the first bot of a match starts.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Mistake(Exception):
    """A value that a key does not take."""

    def __init__(self, said: str, *place: str) -> None:
        super().__init__(f"{'.'.join(place)}: {said}" if place else said)
        self.said = said
        self.place = place

    def inside(self, name: str) -> "Mistake":
        """The same, as it is called one table or list further out."""
        return Mistake(self.said, name, *self.place)


class Kind(Protocol):
    """What a key takes."""

    def read(self, value: Any) -> Any:
        """The value as it is kept. Raises `Mistake`."""


def key(kind: Kind, meaning: str = "", default: Any = MISSING) -> Any:
    """A key of a table: a field of a dataclass with keyword arguments alone. Without a default it is required."""
    return field(default=default, metadata={"kind": kind, "meaning": meaning})


def keys(model: Any) -> dict[str, Field[Any]]:
    """The keys of a declared table by name."""
    return {each.name: each for each in fields(model)}


def read_table(model: type[T], data: Mapping[str, Any]) -> T:
    """The contents of a table. Raises `Mistake` with the first mistake and its place: "limits: unknown key 'memory'...".

    Unknown keys come first: often one is the misspelt form of a missing key.
    """
    known, held = keys(model), {}
    for name in data:
        if name not in known:
            raise Mistake(_unknown(name, [*known]))
    for name, declared in known.items():
        if name in data:
            try:
                held[name] = declared.metadata["kind"].read(data[name])
            except Mistake as mistake:
                raise mistake.inside(name) from None
        elif declared.default is MISSING:
            raise Mistake(f"{name!r} is missing")
    return model(**held)


@dataclass(frozen=True)
class Text:
    """A text of that many characters, which matches the pattern as a whole."""

    least: int = 0
    most: int | None = None
    pattern: str = ""

    def read(self, value: Any) -> str:
        if not isinstance(value, str):
            raise wrong("must be a string", value)
        _check_length(len(value), self.least, self.most, "characters", value)
        if self.pattern and not re.fullmatch(self.pattern, value):
            raise wrong("has characters that are not allowed", value)
        return value


@dataclass(frozen=True)
class Whole:
    """A whole number from `least` to `most`."""

    least: int
    most: int

    def read(self, value: Any) -> int:
        if type(value) is not int:
            raise wrong("must be a whole number", value)
        check_bounds(value, self.least, self.most, value)
        return value


@dataclass(frozen=True)
class Flag:
    """True or false."""

    def read(self, value: Any) -> bool:
        if type(value) is not bool:
            raise wrong("must be true or false", value)
        return value


@dataclass(frozen=True)
class OneOf:
    """One of a few texts."""

    values: tuple[str, ...]

    def read(self, value: Any) -> str:
        if value not in self.values:
            *others, last = map(repr, self.values)
            raise wrong(f"must be {', '.join(others)} or {last}", value)
        return str(value)


@dataclass(frozen=True)
class Many:
    """A list of that many entries."""

    of: Kind
    least: int = 0
    most: int | None = None

    def read(self, value: Any) -> tuple[Any, ...]:
        if isinstance(value, str):
            raise wrong(f"must be a list, like {json.dumps(value.split())[:80]}", value)
        if not isinstance(value, list):
            raise wrong("must be a list", value)
        _check_length(len(value), self.least, self.most, "entries", value)
        held = []
        for place, each in enumerate(value):
            try:
                held.append(self.of.read(each))
            except Mistake as mistake:
                raise mistake.inside(str(place)) from None
        return tuple(held)


@dataclass(frozen=True)
class Table:
    """A table inside of another."""

    model: type[Any]

    def read(self, value: Any) -> Any:
        if not isinstance(value, dict):
            raise wrong("must be a table ([...] or {...})", value)
        return read_table(self.model, value)


def check_bounds(number: float, least: float, most: float, value: Any) -> None:
    """Raise `Mistake` about the value that means this number, unless it is from `least` to `most`."""
    if number < least:
        raise wrong(f"must be at least {least:g}", value)
    if number > most:
        raise wrong(f"must be at most {most:g}", value)


def wrong(said: str, value: Any) -> Mistake:
    """A mistake that names the value, unless that is long or empty."""
    shown = f", not {json.dumps(value)[:40]}" if isinstance(value, str | int | float) and value != "" else ""
    return Mistake(said + shown)


def _check_length(length: int, least: int, most: int | None, of: str, value: Any) -> None:
    if length < least:
        raise wrong("must not be empty" if least == 1 else f"must have at least {least} {of}", value)
    if most is not None and length > most:
        raise wrong(f"must have at most {most} {of}", value)


def _unknown(name: str, known: list[str]) -> str:
    from difflib import get_close_matches  # only where something is wrong

    close = get_close_matches(name, known, 1)
    return f"unknown key {name[:40]!r}" + (
        f" (did you mean {close[0]!r}?)" if close else f"; known: {', '.join(known)}"
    )
