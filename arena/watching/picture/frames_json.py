"""Frames as JSON and back, for displays in other processes and for pages. Both ends are this program, so nothing is checked."""

from dataclasses import fields
from typing import Any, get_args

from bullring.arena.games.rules import board
from bullring.arena.watching.picture.picture import Frame, Line, Picture, SeatPicture
from bullring.arena.watching.picture.steps import Step

_KINDS: dict[str, type] = {
    kind.__name__: kind for kind in (Frame, Picture, SeatPicture, Line, *get_args(Step), *get_args(board.Part))
}
_KIND = "is"
"""The key that names the class of an object."""


def facts(value: Any) -> Any:
    """A frame, or a part of one, as JSON takes it: objects name their class under "is"."""
    if type(value).__name__ in _KINDS:
        return {
            _KIND: type(value).__name__,
            **{field.name: facts(getattr(value, field.name)) for field in fields(value)},
        }
    if isinstance(value, dict):
        return {key: facts(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [facts(item) for item in value]
    return value


def read(value: Any) -> Any:
    """Read what `facts` wrote, with tuples instead of lists."""
    if isinstance(value, dict):
        items = {key: read(item) for key, item in value.items() if key != _KIND}
        return _KINDS[value[_KIND]](**items) if _KIND in value else items
    if isinstance(value, list):
        return tuple(read(item) for item in value)
    return value
