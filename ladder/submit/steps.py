"""The steps of a submission, for display and for `--json`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Step:
    """A step that is done. Its texts hold what strangers wrote, so they are not safe for a terminal."""

    name: str
    """"manifest", "files", "contents", "build", "check", "match" or "entered"."""
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    """The same for programs."""


Tell = Callable[[Step], None]
"""Called when a step is done."""
