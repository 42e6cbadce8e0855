"""A seat of a table: who may sit there, who does, and what it is asked."""

import hmac
import secrets
from hashlib import sha256
from typing import Any

from bullring.arena.watching.tables.line import REPLACED, Line
from bullring.arena.watching.tables.match import Put

_BYTES = 24
"""Bytes of a token, and of a cookie."""


class Key:
    """A secret that somebody else keeps: here only its hash is known."""

    def __init__(self) -> None:
        self._hash = b""

    @property
    def given(self) -> bool:
        """Whether somebody has it."""
        return bool(self._hash)

    def give(self) -> str:
        """A new one."""
        text = secrets.token_urlsafe(_BYTES)
        self._hash = _hash(text)
        return text

    def fits(self, text: str) -> bool:
        """Whether this is it. Takes as long for every text."""
        return hmac.compare_digest(self._hash, _hash(text)) and self.given


class Seat:
    """A seat of a person."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.token = Key()
        """Who has it may take the seat."""
        self.cookie = Key()
        """The browser that has it has taken the seat."""
        self.line: Line | None = None
        """The connection of the browser, while there is one."""
        self.came = False
        """Whether it has ever been there."""
        self.left = False
        """Whether the person has left for good. They may come back."""
        self.since = 0.0
        """When nobody was there any more, on the clock of the loop."""
        self.put: Put | None = None
        """The question that waits for an answer."""
        self.answered: Put | None = None
        """The last one that was answered."""
        self.asked = 0.0
        """When it came, on the clock of the loop."""
        self.hand: list[int] = []
        """Its cards, as far as it is known: those of its last question without what it has chosen."""
        self.hint: tuple[int, dict[str, Any]] | None = None
        """The id of the question about which a hint was given, and the hint."""
        self.hinting = False

    @property
    def here(self) -> bool:
        """Whether the browser is connected."""
        return self.line is not None

    def send(self, is_: str, **message: Any) -> None:
        """Tell the browser something, if it is there."""
        if self.line is not None:
            self.line.send(**{"is": is_, **message})

    def connect(self, line: Line) -> None:
        """Take this connection instead of the one before."""
        before, self.line = self.line, line
        self.came, self.left = True, False
        if before is not None:
            before.close(REPLACED)


def _hash(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
