"""The Python API behind `import bullring`: playing, records, ladders, ratings; and a check of arguments that they share."""

import operator
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


__all__ = ["counting"]
