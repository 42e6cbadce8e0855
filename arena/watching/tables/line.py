"""The connection of a browser to its seat: a WebSocket on a socket that the server has handed over."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import Any

from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    CloseConnection,
    Event,
    Ping,
    RejectConnection,
    Request,
    TextMessage,
)
from wsproto.utilities import ProtocolError

LONGEST = 1 << 12
"""Characters of the longest message of a browser."""

UNSENT = 1 << 19
"""Bytes that may wait for a browser. One that is further behind is cut off, and finds everything when it comes back."""

BEAT = 20.0
"""Seconds between two pings."""

SILENCE = 50.0
"""Seconds after which a browser that answers no ping is taken for gone."""

A_SECOND, BURST = 10.0, 40.0
"""Frames that a browser may send each second, and at once: also those that say nothing."""

CLOSING = 5.0
"""Seconds for the last messages of a match to be taken."""

OVER, UNREADABLE, TOO_MANY, TOO_LONG, REPLACED = 1000, 1003, 1008, 1009, 4001
"""Why a connection is closed, as browsers are told: the match is over for this seat; a message is no JSON, one too many, or too
long; another connection of the seat has replaced this one."""


class Line:
    """A connection. Made by `greeted`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, protocol: WSConnection) -> None:
        self._reader = reader
        self._writer = writer
        self._protocol = protocol
        self._gone = False
        self._heard = self._now()
        self._spent = 0.0
        """The messages that count against `BURST`."""
        self._spent_at = self._heard

    @classmethod
    async def greeted(cls, fd: int, head: bytes, *, welcome: bool) -> "Line | None":
        """The connection of this descriptor, whose request the server has read; None if it is not welcome, and was told so."""
        reader, writer = await asyncio.open_connection(sock=socket.socket(fileno=fd), limit=1 << 16)
        protocol = WSConnection(ConnectionType.SERVER)
        line = cls(reader, writer, protocol)
        try:
            protocol.receive_data(head)
            asked = next(protocol.events(), None)
        except (ProtocolError, ValueError):
            asked = None
        if not isinstance(asked, Request):  # the server lets no such request through
            line.cut()
            return None
        if not welcome:
            line._write(RejectConnection(status_code=403, headers=[(b"connection", b"close")]))
            line._end()
            return None
        line._write(AcceptConnection())
        return line

    def gone(self) -> bool:
        """Whether it was closed."""
        return self._gone or self._writer.transport.is_closing()

    def send(self, **message: Any) -> None:
        """Send a message. Never waits."""
        self._write(TextMessage(json.dumps(message, separators=(",", ":"))))

    def close(self, code: int) -> None:
        """Close it, and say why."""
        if not self.gone():
            self._write(CloseConnection(code))
            self._end(at_once=code != OVER)

    def cut(self) -> None:
        """Close it at once, whatever has not been sent."""
        self._gone = True
        self._writer.transport.abort()

    async def messages(self) -> AsyncIterator[dict[str, Any]]:
        """What the browser says, until the connection is closed, by whomever."""
        text = ""
        while not self.gone():
            try:
                async with asyncio.timeout(BEAT):
                    data = await self._reader.read(1 << 16)
            except TimeoutError:
                if self._now() - self._heard > SILENCE:
                    self.cut()
                else:
                    self._write(Ping())
                continue
            except OSError:
                data = b""
            if not data:
                self.cut()
                return
            self._heard = self._now()
            try:
                self._protocol.receive_data(data)
            except ProtocolError:
                self.cut()
                return
            for event in self._events():
                if getattr(event, "frame_finished", True) and self._is_one_too_many():
                    self.close(TOO_MANY)
                    return
                match event:
                    case Ping():
                        self._write(event.response())
                    case CloseConnection():
                        with suppress(ProtocolError):  # both have closed it
                            self._write(event.response())
                        self._end(at_once=True)
                    case TextMessage():
                        text += event.data
                        if len(text) > LONGEST:
                            self.close(TOO_LONG)
                        elif event.message_finished:
                            whole, text = text, ""
                            message = self._read(whole)
                            if message is not None:
                                yield message
                    case _ if hasattr(event, "message_finished"):  # bytes
                        self.close(UNREADABLE)
                if self.gone():
                    return

    def _events(self) -> Iterator[Event]:
        """What has come, read one by one: a piece of 64 KiB may have ten thousand frames."""
        try:
            yield from self._protocol.events()
        except ProtocolError:
            self.cut()

    def _is_one_too_many(self) -> bool:
        now = self._now()
        self._spent = max(0.0, self._spent - (now - self._spent_at) * A_SECOND) + 1
        self._spent_at = now
        return self._spent > BURST

    def _read(self, text: str) -> dict[str, Any] | None:
        """A message, unless it is none."""
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            self.close(UNREADABLE)
            return None
        return message

    def _write(self, event: Event) -> None:
        if self.gone():
            return
        self._writer.write(self._protocol.send(event))
        if self._writer.transport.get_write_buffer_size() > UNSENT:  # also of answers to its pings
            self.cut()

    def _end(self, *, at_once: bool = False) -> None:
        """Close it once what was written has been sent: whoever does not take it in time, or at once, has lost it."""
        self._gone = True
        self._writer.close()
        transport = self._writer.transport
        if at_once and transport.get_write_buffer_size():
            transport.abort()
        else:
            asyncio.get_running_loop().call_later(CLOSING, transport.abort)

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()
