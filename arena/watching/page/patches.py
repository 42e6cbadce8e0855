"""Frames made small: a picture as JSON, and patches that make each picture of the one before.

A patch is one of

* ``[value]``: the new value,
* ``{key: patch, ...}``: the same object or list with some entries changed; a list may grow by the next index, or be cut to its
  new ``length``,
* ``n``: the same list without its entry number n.

The seats of a picture are columns (``{"score": [...], "left": [...]}``): most changes concern all seats at once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, get_args

from bullring.arena.watching.picture.frames_json import facts
from bullring.arena.watching.picture.picture import Picture, SeatPicture
from bullring.arena.watching.picture.steps import Step

_LEFT_OUT = {"seats", "fresh", "log", "kind", "waits", "purpose", "limit_us"}
_KEPT = tuple(field.name for field in fields(Picture) if field.name not in _LEFT_OUT)
_COLUMNS = tuple(field.name for field in fields(SeatPicture) if field.name not in ("name", "times"))

STEPS = {
    kind.__name__: tuple(field.name for field in fields(kind) if field.name not in ("board", "said", "answer", "text"))
    for kind in get_args(Step)
}
"""By the name of a step, its fields that pages get: the board is in the picture, and what it says is said in sentences."""


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
        self._before: Picture | None = None
        self._fresh: tuple[int, ...] = ()

    def pack(self, picture: Picture) -> Any:
        """The patch that makes this picture of the one before, of ``{}`` at first; None if nothing changed that pages show."""
        before, self._before = self._before, picture
        if before is None:
            seats = {name: [facts(_short(getattr(seat, name))) for seat in picture.seats] for name in _COLUMNS}
            return {**{name: [facts(getattr(picture, name))] for name in (*_KEPT, "fresh")}, "seats": [seats]}
        changed = _between(before, picture, _KEPT)
        if (fresh := self._patch_fresh(picture.fresh)) is not None:
            changed["fresh"] = fresh
        if before.seats is not picture.seats and (seats := _patch_seats(before.seats, picture.seats)):
            changed["seats"] = seats
        return changed or None

    def _patch_fresh(self, cards: tuple[int, ...]) -> Any:
        """It is a set: cards stay in the order of their arrival, so that most patches add one card."""
        before = self._fresh
        self._fresh = (
            *(card for card in before if card in cards),
            *(card for card in cards if card not in before),
        )
        return patch(before, self._fresh)


def _patch_seats(old: Sequence[SeatPicture], new: Sequence[SeatPicture]) -> dict[str, Any]:
    changed = [(at, *both) for at, both in enumerate(zip(old, new, strict=True)) if both[0] is not both[1]]
    patches: dict[str, Any] = {}
    for name in _COLUMNS:
        column = {
            str(at): made
            for at, before, now in changed
            if (made := patch(_short(getattr(before, name)), _short(getattr(now, name)))) is not None
        }
        if column:
            values = [_short(getattr(seat, name)) for seat in new]
            whole = len(column) > len(new) // 2 and all(isinstance(value, int | None) for value in values)
            patches[name] = [values] if whole else column
    return patches


def patch(old: Any, new: Any) -> Any:
    """The patch that makes `new` of `old`; None if they are equal."""
    if old is new or old == new:
        return None
    kind = type(new)
    if kind is type(old):
        if kind is tuple or kind is list:
            return _of_lists(old, new)
        if kind is dict:
            if old.keys() != new.keys():
                return [facts(new)]
            return {key: made for key, value in new.items() if (made := patch(old[key], value)) is not None}
        if is_dataclass(kind):
            return _between(old, new, [field.name for field in fields(kind)])
    return [facts(new)]


def _between(old: Any, new: Any, names: Iterable[str]) -> dict[str, Any]:
    """The patches of the fields with these names that have changed."""
    return {name: made for name in names if (made := patch(getattr(old, name), getattr(new, name))) is not None}


def _of_lists(old: Sequence[Any], new: Sequence[Any]) -> Any:
    if len(new) == len(old) - 1:
        at = next((at for at, value in enumerate(new) if value != old[at]), len(new))
        if new[at:] == old[at + 1 :]:
            return at
    if not old or not new:
        return [facts(new)]
    changed = {
        str(at): made
        for at, value in enumerate(new)
        if (made := patch(old[at], value) if at < len(old) else [facts(value)]) is not None
    }
    # Few entries of a long list are told one by one.
    flat = not isinstance(new[0], tuple | list) and not is_dataclass(new[0])
    if flat and (len(changed) > max(1, len(new) // 2) or len(new) < len(old)):
        return [facts(new)]
    if len(new) < len(old):
        changed["length"] = [len(new)]
    return changed


def _short(value: Any) -> Any:
    return int(value) if value is True or value is False else value
