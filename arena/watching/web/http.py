"""HTTP/1.1 alone, by Hypercorn and h11: what a connection may say, and what becomes of the rest."""

import h11
from hypercorn.protocol.events import Request
from hypercorn.protocol.h11 import STREAM_ID, H11Protocol
from hypercorn.protocol.http_stream import HTTPStream
from hypercorn.trio.task_group import TaskGroup
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.typing import ConnectionState
from hypercorn.utils import parse_socket_addr

LONGEST_HEAD = 8 << 10
"""Bytes of the longest head of a request."""


class Reading(h11.Connection):
    """The requests of a connection. After the last answer that is given, nothing is read: it would cut that answer off."""

    def receive_data(self, data: bytes) -> None:
        """Take what has come."""
        if self.their_state is not h11.MUST_CLOSE:
            super().receive_data(data)

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """What follows. Raises `h11.RemoteProtocolError` also for a head that came at once, and is too long."""
        if self.their_state is h11.MUST_CLOSE:
            return h11.NEED_DATA
        event = super().next_event()
        if isinstance(event, h11.Request):
            head = len(event.target) + sum(len(name) + len(value) for name, value in event.headers)
            if head > LONGEST_HEAD:
                raise h11.RemoteProtocolError("the head is too long", error_status_hint=431)
        return event


class Protocol(H11Protocol):
    """Hypercorn's HTTP/1.1, which never becomes HTTP/2: a proxy speaks that with browsers, and this with us. Nor does it become a
    WebSocket here: a table does that (`seats.connect`)."""

    async def _check_protocol(self, event: h11.Request) -> None:
        """Pass over the wish for another protocol, as the standard allows (RFC 9110, 7.8)."""

    async def _create_stream(self, request: h11.Request) -> None:
        about = (self.app, self.config, self.context, self.task_group, self.ssl, self.client, self.server)
        self.stream = HTTPStream(*about, self.stream_send, STREAM_ID)
        method, version = request.method.decode("ascii").upper(), request.http_version.decode()
        headers, state = list(request.headers), self.connection_state
        await self.stream.handle(Request(STREAM_ID, headers, version, method, request.target, state))
        self.keep_alive_requests += 1


class Speaker(TCPServer):
    """Speaks HTTP on a connection."""

    async def run(self) -> None:
        """Answer until it is closed."""
        socket = self.stream.socket
        try:
            client = parse_socket_addr(socket.family, socket.getpeername())
            server = parse_socket_addr(socket.family, socket.getsockname())
            async with TaskGroup() as group:
                self._task_group = group
                about = (self.app, self.config, self.context, group, ConnectionState(self.state), False, client, server)
                protocol = Protocol(*about, self.protocol_send)
                protocol.connection = Reading(h11.SERVER, max_incomplete_event_size=LONGEST_HEAD)
                self.protocol = protocol  # type: ignore[assignment]  # it has all that is asked of the wrapper of both
                await self.idle_task.restart(group, self._idle_timeout)
                await self._read_data()
        except OSError:  # it has left
            pass
        finally:
            await self._close()
