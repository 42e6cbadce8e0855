"""Which files of a folder an ignore file leaves out. The patterns are strangers', so none may take long."""

import re
from collections.abc import Callable, Iterable
from fnmatch import translate

from bullring.errors import FilesError

MOST_PATTERNS = 200


def ignoring(text: str, name: str) -> Callable[[str], bool]:
    """Return whether a path, relative to the folder, is left out by the `text` of the ignore file `name`.

    Raises `FilesError` if there are too many patterns.

    As in Docker, the last pattern that matches a path or a folder above it decides, and those with a ! bring back what earlier ones
    left out. A folder may be left out as a whole only if there are none with a !.
    """
    rules = [_Rule(line.strip()) for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if len(rules) > MOST_PATTERNS:
        raise FilesError(f"the {name} has more than {MOST_PATTERNS} patterns; use fewer")

    def ignored(path: str) -> bool:
        parts = path.split("/")
        return next((not rule.brings_back for rule in reversed(rules) if rule.matches(parts)), False)

    return ignored


class _Rule:
    """One pattern. A path is matched part by part, so that no pattern takes long."""

    def __init__(self, pattern: str) -> None:
        self.brings_back = pattern.startswith("!")
        parts = [part for part in pattern.removeprefix("!").strip().split("/") if part not in ("", ".")]
        self._parts = [None if part == "**" else re.compile(translate(part.replace("[^", "[!"))) for part in parts]

    def matches(self, path: Iterable[str]) -> bool:
        """Whether the pattern matches the path or a folder above it."""
        places = self._onward({0})
        for part in path:
            if len(self._parts) in places:
                return True
            places = self._onward({next for place in places if (next := self._after(place, part)) is not None})
        return len(self._parts) in places

    def _after(self, place: int, part: str) -> int | None:
        pattern = self._parts[place]
        if pattern is None:
            return place
        return place + 1 if pattern.match(part) else None

    def _onward(self, places: set[int]) -> set[int]:
        """Add the places behind each **, which may stand for nothing."""
        found = set(places)
        for place in range(len(self._parts)):
            if place in found and self._parts[place] is None:
                found.add(place + 1)
        return found
