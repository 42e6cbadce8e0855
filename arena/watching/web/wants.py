"""What a server wants of the feed of a ladder: matches that somebody asks for, and to be told more often while somebody watches.

The feed follows and writes nothing that nobody has asked for: beside quick bots that would be hundreds of matches a second. What
comes from here was said by strangers, so messages are short, and numbers are all that is in them.
"""

from collections.abc import Collection, Mapping

import trio

from bullring.arena.cells.processes.frames import offer
from bullring.arena.watching.web.topics import Topic

LOOK = 0.5
"""Seconds between two looks at who watches."""

LONGEST = 512
"""Bytes of the longest message."""

MOST_WATCHED = 32
"""Most matches that are named as watched."""

PATIENCE = 5.0
"""Seconds for an answer."""

MOST_WANTED = 32
"""Most matches that are waited for. Beyond that, the oldest are given up: what can be seen is there by then."""

DIGITS = 15
"""Digits of the longest number of a match."""


class Wants:
    """The way to the feed."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._asked: dict[str, trio.Event] = {}

    async def match(self, key: str) -> None:
        """Wait until a match can be seen, as a topic or a page, or the feed says that it cannot."""
        if not key.isdecimal() or len(key) > DIGITS:
            return
        asked = self._asked.get(key)
        if asked is None:
            if not offer(self._fd, "want", int(key)):
                return
            if len(self._asked) >= MOST_WANTED:
                self.answered(next(iter(self._asked)))
            asked = self._asked[key] = trio.Event()
        with trio.move_on_after(PATIENCE) as patience:
            await asked.wait()
        if patience.cancelled_caught and self._asked.get(key) is asked:
            self.answered(key)

    def answered(self, key: str) -> None:
        """The feed has answered, or does not."""
        asked = self._asked.pop(key, None)
        if asked is not None:
            asked.set()

    async def tell_who_watches(self, topics: Mapping[str, Topic]) -> None:
        """Tell the feed whether somebody watches, and which matches."""
        before: Collection[str] = ()
        while True:
            watched = sorted(key for key, topic in topics.items() if len(topic))
            if watched != before:
                matches = [int(key) for key in watched if key.isdecimal()]
                if offer(self._fd, "watched", bool(watched), matches[:MOST_WATCHED]):
                    before = watched
            await trio.sleep(LOOK)
