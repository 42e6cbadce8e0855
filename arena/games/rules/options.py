"""Options of a game: declared once; checking, display and documentation follow from the declaration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bullring.arena.games.rules.errors import OptionError

OptionValue = int | str | bool | None


@dataclass(frozen=True)
class OptionSpec:
    """One option of a game. Its texts say what it does."""

    name: str
    default: OptionValue
    choices: tuple[str, ...] = ()
    """The allowed words; empty for a number or a switch."""
    minimum: int = 1
    maximum: int = 100_000
    """The largest allowed number; both bounds are inclusive."""

    @property
    def type(self) -> str:
        """Either "choice", "bool" or "int"; an "int" whose default is None may stay unset."""
        if self.choices:
            return "choice"
        return "bool" if isinstance(self.default, bool) else "int"

    @property
    def expected(self) -> str:
        """The allowed values, in words."""
        if self.choices:
            return " or ".join(self.choices)
        if self.type == "bool":
            return "true or false"
        number = f"a whole number from {self.minimum} to {self.maximum}"
        return f"{number}, or none" if self.default is None else number

    def parse(self, value: object) -> OptionValue:
        """Check `value`, which has the option's type or is text from a command line. Raises `OptionError`."""
        if self.default is None and (value is None or (isinstance(value, str) and value.lower() in ("none", "null"))):
            return None
        if self.type == "choice" and value in self.choices:
            return str(value)
        if self.type == "bool":
            words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
            if isinstance(value, bool):
                return value
            if isinstance(value, str) and value.lower() in words:
                return words[value.lower()]
        if self.type == "int" and not isinstance(value, bool):
            number = value if isinstance(value, int) else _whole(value)
            if number is not None and self.minimum <= number <= self.maximum:
                return number
        raise OptionError(f"option {self.name} must be {self.expected}, not {str(value)[:40]!r}")

    def facts(self) -> dict[str, Any]:
        """The declaration for `bullring games --json`."""
        facts: dict[str, Any] = {"type": self.type, "default": self.default}
        if self.choices:
            facts["choices"] = list(self.choices)
        if self.type == "int":
            facts |= {"minimum": self.minimum, "maximum": self.maximum}
        return facts


def _whole(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 9:
        return int(value)
    return None


def resolve(specs: Sequence[OptionSpec], given: Mapping[str, object], game: str) -> dict[str, OptionValue]:
    """All options of a game, with `given` values in place of the defaults. Raises `OptionError`."""
    known = {spec.name: spec for spec in specs}
    for name in given:
        if name not in known:
            have = ", ".join(known) or "none"
            raise OptionError(f"{game} has no option {str(name)[:40]!r}; its options: {have}")
    return {name: spec.parse(given.get(name, spec.default)) for name, spec in known.items()}
