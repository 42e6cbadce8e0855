"""A match that is followed for viewers: its public frames, as pages draw them."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bullring.arena.watching.page.page import frame_of, head_of, masked
from bullring.arena.watching.picture.frames_json import written
from bullring.arena.watching.picture.record_frames import Feed
from bullring.arena.watching.picture.steps import Asked, Ended

Tell = Callable[..., None]
"""Tells the server (`web.server`)."""


class Following:
    """Follows the record of a match under a key. What pages are told of it besides its frames is in `more`."""

    def __init__(
        self,
        key: str,
        path: Path,
        tell: Tell,
        elsewhere: Callable[[], Path | None] | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        self.key = key
        self.feed = Feed(path, elsewhere, through=masked)
        self.begun = False
        """Whether anything was told of it."""
        self.ended: Ended | None = None
        """How the match has ended."""
        self._tell = tell
        self._more = more or {}

    @property
    def lost(self) -> bool:
        """Whether it can be followed no further, and has not ended."""
        return self.feed.gone or self.feed.error is not None

    def look(self) -> None:
        """Tell what is new."""
        frames = self.feed.more()
        if not frames:
            return
        last = frames[-1]
        asked = last.step.seats if isinstance(last.step, Asked) else ()
        # The clock of people is that of their table, which a record does not tell.
        people = any(last.picture.seats[seat].person for seat in asked)
        limit = None if people else last.picture.limit_us
        clock = {"seats": [*map(str, asked)], "limit": None if limit is None else limit / 1e6} if asked else None
        news = [*map(written, map(frame_of, frames))], clock
        if not self.begun and self.feed.head is not None:
            self._tell("begin", self.key, written({**head_of(self.feed.head, frames[0].picture), **self._more}), *news)
            self.begun = True
        else:
            self._tell("frames", self.key, *news)
        if isinstance(last.step, Ended):
            self.ended = last.step

    def end(self, *, page: bool) -> None:
        """Tell how it has ended, and whether the page of its replay is there."""
        assert self.ended is not None
        facts = {"ranks": self.ended.ranks, "void": self.ended.void, "page": f"tables/{self.key}" if page else None}
        self._tell("end", self.key, json.dumps(facts))

    def close(self) -> None:
        """Follow it no longer. Those who watch can do so no more."""
        if self.begun:
            self._tell("gone", self.key)
        self.feed.close()
