"""Which images strangers may name: those that the operator allows. Images built for bots hold rivals' programs."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from bullring.errors import CellError


def refuse_others(names: Iterable[str], allowed: Iterable[str], where: str) -> None:
    """Raise `CellError` unless all images are allowed. `allowed` are names in which * stands for anything."""
    patterns = [_full(pattern) for pattern in allowed]
    for name in names:
        if not any(fnmatchcase(_full(name), pattern) for pattern in patterns):
            raise CellError(
                f"{where} names the image {name}, which bots may not use here; to allow it, add it to the list images under"
                f' [sandbox] in the settings file: images = ["{name}"]'
            )


def _full(name: str) -> str:
    """The name as Docker reads it: "debian" is "docker.io/library/debian:latest"."""
    for prefix in ("index.docker.io/", "docker.io/", "library/"):
        name = name.removeprefix(prefix)
    return name if any(mark in name.rpartition("/")[2] for mark in ":@*") else f"{name}:latest"
