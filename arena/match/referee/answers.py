"""What an answer means: one of the options, or none of them."""

from collections.abc import Sequence

from bullring.arena.games.rules.game import Option
from bullring.protocol.said import Index
from bullring.protocol.said import Option as WireOption


def meant(answer: WireOption | Index, options: Sequence[Option]) -> Option | None:
    """The option that an answer names, or whose position it gives; None if there is none."""
    if type(answer) is Index:
        return options[answer.position] if answer.position < len(options) else None
    option = tuple(answer) if isinstance(answer, list) else answer
    return option if option in options else None  # type: ignore[return-value]  # an index was dealt with above


def with_hint(got: str, hint: str) -> str:
    """What came, followed by what its author has probably done."""
    return f"{got} ({hint})" if hint else got
