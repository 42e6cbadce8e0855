"""The Python API behind `import bullring`: playing, records, ladders, ratings; and a check of arguments that they share."""

import operator
from math import inf
from typing import SupportsIndex

from bullring.errors import SettingsError


def counting(name: str, value: SupportsIndex) -> int:
    """The value of the argument `name`, a whole number from 1. Raises `SettingsError` if it is anything else."""
    try:
        number = operator.index(value)
    except TypeError:
        number = 0
    if number < 1:
        raise SettingsError(f"{name} must be a whole number from 1, not {value!r}")
    return number


def positive(name: str, value: float | None) -> float | None:
    """The value of the argument `name`, a number above 0, or None. Raises `SettingsError` if it is another number."""
    if value is not None and not 0 < float(value) < inf:
        raise SettingsError(f"{name} must be a number above 0, not {value!r}")
    return value


__all__ = ["counting", "positive"]
