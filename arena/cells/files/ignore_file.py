"""Ignore files, which leave files of a folder out. The patterns are strangers', so none may take long."""

import re
from collections.abc import Sequence
from fnmatch import translate

from bullring.errors import FilesError

MOST_PATTERNS = 200


class Ignoring:
    """The patterns of an ignore file, in Docker's dialect.

    The last pattern that matches a path or a folder above it decides, and those with a ! bring back what earlier ones left out.
    """

    def __init__(self, text: str, name: str) -> None:
        """`name` is that of the ignore file. Raises `FilesError` if there are too many patterns."""
        self._rules = [_Rule(line.strip()) for line in text.splitlines() if line.strip() and not line.startswith("#")]
        if len(self._rules) > MOST_PATTERNS:
            raise FilesError(f"the {name} has more than {MOST_PATTERNS} patterns; use fewer")

    def leaves_out(self, path: str) -> bool:
        """Whether a path, relative to the folder, is left out."""
        parts = path.split("/")
        return next((not rule.brings_back for rule in reversed(self._rules) if rule.matches(parts)), False)

    def skips(self, path: str, *, is_folder: bool) -> bool:
        """Whether a path is left out, and if it is a folder, nothing in it can be brought back."""
        parts = path.split("/")
        if not self.leaves_out(path):
            return False
        return not (is_folder and any(rule.brings_back and rule.reaches_below(parts) for rule in self._rules))


class _Rule:
    """One pattern. A path is matched part by part, so that no pattern takes long."""

    def __init__(self, pattern: str) -> None:
        self.brings_back = pattern.startswith("!")
        parts = [part for part in pattern.removeprefix("!").strip().split("/") if part not in ("", ".")]
        self._parts = [None if part == "**" else re.compile(translate(part.replace("[^", "[!"))) for part in parts]

    def matches(self, path: Sequence[str]) -> bool:
        """Whether the pattern matches the path or a folder above it."""
        end = len(self._parts)
        return any(end in places for places in self._walked(path))

    def reaches_below(self, path: Sequence[str]) -> bool:
        """Whether the pattern may match something in a folder with this path."""
        *_, places = self._walked(path)
        return bool(places)

    def _walked(self, path: Sequence[str]) -> list[set[int]]:
        """The places in the pattern that may come next, before and after each part of the path."""
        walked = [self._onward({0})]
        for part in path:
            after = {next for place in walked[-1] if (next := self._after(place, part)) is not None}
            walked.append(self._onward(after))
        return walked

    def _after(self, place: int, part: str) -> int | None:
        if place == len(self._parts):
            return None
        pattern = self._parts[place]
        if pattern is None:
            return place
        return place + 1 if pattern.match(part) else None

    def _onward(self, places: set[int]) -> set[int]:
        """Add the places behind each **, which may match nothing."""
        found = set(places)
        for place in range(len(self._parts)):
            if place in found and self._parts[place] is None:
                found.add(place + 1)
        return found
