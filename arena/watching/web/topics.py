"""What viewers follow: topics, whose events are encoded once for all viewers."""

import gzip
import json
import time
from base64 import b64encode
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Protocol

KEPT = 256
"""Pieces of the front that are kept for viewers who come back."""

SHORT = 1 << 15
"""Bytes up to which viewers who come back are told what they have missed; of more, the state if it is shorter."""


def event(kind: str, data: str, id: str = "") -> bytes:
    """An event as it is sent. `data` is one line."""
    head = f"id: {id}\n" if id else ""
    return f"{head}event: {kind}\ndata: {data}\n\n".encode()


def packed(text: str) -> str:
    """A long text, most of which is alike, as one word: in Base64, compressed by gzip."""
    return b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode()


class Follower(Protocol):
    """Whoever follows a topic."""

    def push(self, piece: bytes) -> None:
        """Take the next events. Never waits."""

    def finish(self) -> None:
        """Take the news that nothing more will come."""


class Topic:
    """Something to be followed."""

    def __init__(self) -> None:
        self.over = False
        """Whether nothing more will come."""
        self._followers: set[Follower] = set()
        self._kept: dict[int, bytes] = {}
        """What those are told who come back, by how many pieces they have missed, until something happens."""

    def __len__(self) -> int:
        """The number of its followers."""
        return len(self._followers)

    def state(self) -> bytes:
        """All that a newcomer has to know. The same object for all, as long as nothing has happened."""
        raise NotImplementedError

    def missed(self, id: str) -> int | None:
        """How many pieces have come since the event with this id; None if that is not known any more."""
        raise NotImplementedError

    def last(self, count: int) -> bytes:
        """So many pieces, the last ones."""
        raise NotImplementedError

    def now(self) -> bytes:
        """What holds beside that at this moment."""
        return b""

    def join(self, follower: Follower, id: str) -> None:
        """Tell a follower what has happened since the event with this id, or everything, and from now on whatever happens."""
        follower.push(self._since(id))
        if now := self.now():
            follower.push(now)
        if self.over:
            follower.finish()
        else:
            self._followers.add(follower)

    def _since(self, id: str) -> bytes:
        """What has happened since the event with this id, or everything. Made once for all who come back to the same moment."""
        missed = self.missed(id)
        if missed is None:
            return self.state()
        if missed not in self._kept:
            found = self.last(missed)
            self._kept[missed] = found if len(found) <= SHORT else min(found, self.state(), key=len)
        return self._kept[missed]

    def leave(self, follower: Follower) -> None:
        """Tell it nothing more."""
        self._followers.discard(follower)

    def end(self) -> None:
        """Nothing more will come."""
        self.over = True
        for one in self._followers:
            one.finish()
        self._followers.clear()

    def _tell(self, piece: bytes) -> None:
        self._kept.clear()
        for one in [*self._followers] if piece else ():
            one.push(piece)


class Table(Topic):
    """A match, of which every frame is kept. The id of a frame is its number, from 1, which follows from the record."""

    def __init__(self, head: str = "") -> None:
        """`head` is what is known before the first frame, as a JSON object; empty of a match that has not begun."""
        super().__init__()
        self._head = head
        self._waiting = b""
        """Who is missing at a table of people before its match has begun."""
        self._frames: list[str] = []
        self._clock: tuple[float, dict[str, object]] | None = None
        """When seats were asked, and which; None if nobody thinks."""
        self._end = b""
        self._state: tuple[int, bytes] = (-1, b"")
        """What newcomers are told, with the number of frames that it was made of."""

    def wait(self, data: str) -> None:
        """The match waits for people; `data` tells who is missing."""
        self._waiting = event("waiting", data)
        self._tell(self._waiting)

    def begin(self, head: str, frames: Sequence[str], clock: dict[str, object] | None) -> None:
        """The match has begun."""
        self._head, self._frames = head, [*frames]
        self._time(clock)
        self._tell(self.state() + self.now())

    def state(self) -> bytes:
        if not self._head:
            return self._waiting
        if self._state[0] != len(self._frames):
            data = packed(f'{self._head[:-1]},"frames":[{",".join(self._frames)}]}}')
            self._state = len(self._frames), event("match", data, str(len(self._frames)))
        return self._state[1]

    def missed(self, id: str) -> int | None:
        if not (id.isascii() and id.isdigit() and len(id) < 10 and int(id) <= len(self._frames)):
            return None
        return len(self._frames) - int(id)

    def last(self, count: int) -> bytes:
        first = len(self._frames) - count
        return b"".join(
            event("frame", data, str(number)) for number, data in enumerate(self._frames[first:], first + 1)
        )

    def now(self) -> bytes:
        return self._ticking() + self._end

    def add(self, frames: Sequence[str], clock: dict[str, object] | None) -> None:
        """Take frames as JSON. `clock` has the "seats" that think from now on, and their "limit"."""
        self._frames += frames
        self._time(clock)
        self._tell(self.last(len(frames)) + self.now())

    def close(self, data: str) -> None:
        """The match is over; `data` tells how."""
        self._clock = None
        self._end = event("end", data)
        self._tell(self._end)
        self.end()

    def _time(self, clock: dict[str, object] | None) -> None:
        self._clock = None if clock is None else (time.monotonic(), clock)

    def _ticking(self) -> bytes:
        if self._clock is None:
            return b""
        began, clock = self._clock
        used = round(time.monotonic() - began, 2)
        return event("clock", json.dumps({**clock, "seats": dict.fromkeys(clock["seats"], used)}))  # type: ignore[call-overload]


class Front(Topic):
    """A page of news, of which the newest of each kind counts, and of some kinds the last ones."""

    def __init__(self) -> None:
        super().__init__()
        self._epoch = f"{time.time_ns():x}"
        """Ids of an earlier server are not ours."""
        self._number = 0
        self._pieces: deque[bytes] = deque(maxlen=KEPT)
        self._news: dict[str, deque[bytes]] = {}
        self._state = b""
        """What newcomers are told; empty if it has to be made anew."""

    def state(self) -> bytes:
        if not self._state:
            news = b"".join(one for kind in self._news.values() for one in kind)
            self._state = event("state", "{}") + news + self._done()
        return self._state

    def missed(self, id: str) -> int | None:
        epoch, _, number = id.partition(".")
        if epoch != self._epoch or not (number.isascii() and number.isdigit() and len(number) < 20):
            return None
        missed = self._number - int(number)
        return missed if 0 <= missed <= len(self._pieces) else None

    def last(self, count: int) -> bytes:
        return b"".join([*self._pieces][len(self._pieces) - count :])

    def add(self, news: Sequence[tuple[str, str]], kept: Mapping[str, int]) -> None:
        """Take news: pairs of kind and JSON. `kept` says of which kinds not only the newest is kept for newcomers, but how many."""
        written = []
        for kind, data in news:
            one = event(kind, data)
            self._news.setdefault(kind, deque(maxlen=kept.get(kind, 1))).append(one)
            written.append(one)
        self._number += 1
        self._state = b""
        piece = b"".join(written) + self._done()
        self._pieces.append(piece)
        self._tell(piece)

    def _done(self) -> bytes:
        return event("now", "{}", f"{self._epoch}.{self._number}")
