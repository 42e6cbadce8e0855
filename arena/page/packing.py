"""Frames made small: a picture as JSON, and patches that make each picture of the one before.

A patch is one of

* ``[value]``: the new value,
* ``{key: patch, ...}``: the same object or list with some entries changed; a list may grow by the next index, or be cut to its
  new ``length``,
* ``n``: the same list without its entry number n.

The seats of a picture are columns (``{"score": [...], "left": [...]}``): most changes concern all seats at once.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_args

from bullring.arena.picture.facts import facts
from bullring.arena.picture.picture import Picture, SeatPicture
from bullring.arena.picture.steps import Step

_LEFT_OUT = {"seats", "log", "kind", "waits", "purpose", "limit_us"}
_KEPT = tuple(field.name for field in fields(Picture) if field.name not in _LEFT_OUT)
_COLUMNS = tuple(field.name for field in fields(SeatPicture) if field.name not in ("name", "times"))

STEPS = {
    kind.__name__: tuple(field.name for field in fields(kind) if field.name not in ("board", "said", "text", "german"))
    for kind in get_args(Step)
}
"""By the name of a step, its fields that pages get: the board is in the picture, and what it says is said in sentences."""

_MISSING: Any = object()
"""What a new entry of a list is compared with."""


def packed_step(step: Step) -> list[Any]:
    """A step as its name and its `STEPS`, without the empty ones at the end."""
    name = type(step).__name__
    values = [name, *(facts(getattr(step, field)) for field in STEPS[name])]
    while values[-1] in (None, False):
        values.pop()
    return values


class Packer:
    """Packs pictures one after the other."""

    def __init__(self) -> None:
        self._before: dict[str, Any] = {}
        self._seats: tuple[SeatPicture, ...] = ()
        self._fresh: tuple[int, ...] = ()

    def pack(self, picture: Picture) -> Any:
        """The patch that makes this picture of the one packed before; of ``{}`` at first."""
        now = {name: getattr(picture, name) for name in _KEPT}
        # It is a set: cards stay in the order of their arrival, so that most patches add one card.
        known = set(self._fresh)
        self._fresh = (
            *(card for card in self._fresh if card in picture.fresh),
            *(card for card in picture.fresh if card not in known),
        )
        now["fresh"] = self._fresh
        if picture.seats is self._seats:
            now["seats"] = self._before["seats"]
        else:
            now["seats"] = {name: tuple(_short(getattr(seat, name)) for seat in picture.seats) for name in _COLUMNS}
            self._seats = picture.seats
        before, self._before = self._before, now
        return patch(before, now) if before else {name: [facts(value)] for name, value in now.items()}


def patch(old: Any, new: Any) -> Any:
    """The patch that makes `new` of `old`; None if they are equal."""
    if old is new:
        return None
    if type(old) is type(new) and old is not None:
        if isinstance(new, Mapping):
            return _inside(old, new) if old.keys() == new.keys() else [facts(new)]
        if is_dataclass(new):
            names = [field.name for field in fields(new)]
            return _inside({name: getattr(old, name) for name in names}, {name: getattr(new, name) for name in names})
        if isinstance(new, tuple | list):
            return _of_lists(old, new)
    return None if old == new else [facts(new)]


def _inside(old: Mapping[str, Any], new: Mapping[str, Any]) -> Any:
    changed = {key: made for key, value in new.items() if (made := patch(old[key], value)) is not None}
    return changed or None


def _of_lists(old: Any, new: Any) -> Any:
    if len(new) == len(old) - 1:
        at = next((at for at, value in enumerate(new) if value != old[at]), len(new))
        if new[at:] == old[at + 1 :]:
            return at
    if not old or not new:
        return None if len(new) == len(old) else [facts(new)]
    changed = {
        str(at): made
        for at, value in enumerate(new)
        if (made := patch(old[at] if at < len(old) else _MISSING, value)) is not None
    }
    flat = not isinstance(new[0], tuple | list) and not is_dataclass(new[0])
    if flat and (len(changed) > max(1, len(new) // 2) or len(new) < len(old)):
        return [facts(new)]
    if len(new) < len(old):
        changed["length"] = [len(new)]
    return changed or None


def _short(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value
