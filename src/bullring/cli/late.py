"""Imports that a command needs to run, and not to say what it is: `--help` and completion do without them.

    with late():
        from bullring.arena.match.play import play_match

While the program looks a command up (`looking_up`), such a block only notes what it would import; `arrive` imports it before the
command runs. Everywhere else the block is as if it were not there. Type checkers and the laws read plain imports. The module
begins with ``from __future__ import annotations``, because its annotations name what has not arrived.

Python 3.15 has ``lazy from ... import`` (PEP 810), which will replace this module.
"""

import builtins
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

_looking = False
_modules: dict[str, dict[str, Any]] = {}
"""The names of each module that has imported something late, by its name."""


class _Late:
    """Stands for what a name will be once it has arrived; None: the module itself."""

    def __init__(self, module: str, name: str | None = None) -> None:
        self._module, self._name = module, name

    def __repr__(self) -> str:
        return f"<late: {self._module} {self._name or ''}>"

    def __call__(self, *args: Any, **named: Any) -> Any:
        raise RuntimeError(f"{self!r} is called before its command runs; import it above the block of `late`")

    def arrived(self) -> Any:
        if self._name is None:
            return __import__(self._module)
        return getattr(__import__(self._module, fromlist=[self._name]), self._name)


@contextmanager
def late() -> Iterator[None]:
    """The imports in this block wait until a command runs, if one is being looked up."""
    if not _looking:
        yield
        return
    importing = builtins.__import__
    builtins.__import__ = _note  # type: ignore[assignment]  # what it returns stands for a module
    try:
        yield
    finally:
        builtins.__import__ = importing


@contextmanager
def looking_up() -> Iterator[None]:
    """Inside, modules are imported to look a command up."""
    global _looking
    before, _looking = _looking, True
    try:
        yield
    finally:
        _looking = before


def arrive() -> None:
    """Import what was left for later. A name that was bound to something else since then, as tests do, keeps it."""
    for names in list(_modules.values()):
        for name, value in list(names.items()):
            if isinstance(value, _Late):
                names[name] = value.arrived()


def _note(
    module: str,
    names: Mapping[str, object] | None = None,
    local: Mapping[str, object] | None = None,
    wanted: Sequence[str] | None = (),
    level: int = 0,
) -> Any:
    """What ``import`` calls inside the block."""
    assert isinstance(names, dict)
    assert not level
    _modules[names["__name__"]] = names
    if wanted:
        return SimpleNamespace(**{name: _Late(module, name) for name in wanted})
    assert "." not in module
    return _Late(module)
