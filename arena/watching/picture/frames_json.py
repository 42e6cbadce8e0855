"""Frames as JSON and back, for displays in other processes and for pages. Both ends are this program, so nothing is checked."""

import json
from typing import Any, get_args

from bullring.arena.games.rules import board
from bullring.arena.watching.picture.picture import Frame, Line, Picture, SeatPicture
from bullring.arena.watching.picture.steps import Step

_KINDS: dict[str, type] = {
    kind.__name__: kind for kind in (Frame, Picture, SeatPicture, Line, *get_args(Step), *get_args(board.Part))
}
_KIND = "is"
"""The key that names the class of an object."""


def written(value: Any) -> str:
    """Frames, or parts of them, as JSON on one line: objects name their class under "is"."""
    return json.dumps(value, separators=(",", ":"), default=facts)


def facts(value: Any) -> dict[str, Any]:
    """The fields of a frame or of a part of one."""
    return {_KIND: type(value).__name__, **vars(value)}


def read(value: Any) -> Any:
    """Read parsed JSON of `written`, with tuples instead of lists."""
    if isinstance(value, dict):
        items = {key: read(item) for key, item in value.items() if key != _KIND}
        return _KINDS[value[_KIND]](**items) if _KIND in value else items
    if isinstance(value, list):
        return tuple(read(item) for item in value)
    return value
