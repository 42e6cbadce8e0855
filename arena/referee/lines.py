"""The lines to the players: sending never blocks, and all players are listened to together.

Their pipes are in one epoll, and trio waits for its descriptor.
"""

import select
from collections.abc import Iterator

import trio

from bullring.arena.referee.place import Place
from bullring.arena.seats.player import Player


class Lines:
    """The pipes of all players of the matches of a process."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._places: dict[int, Place] = {}
        """The place that each registered descriptor belongs to."""
        self._outboxes: dict[int, bytes] = {}
        """Bytes that did not fit into a pipe yet, by the descriptor to write them to."""

    def connect(self, place: Place, player: Player) -> None:
        """Listen to a player."""
        self._places[player.cell.read_fd] = place
        self._epoll.register(player.cell.read_fd, select.EPOLLIN)

    def disconnect(self, player: Player) -> None:
        """Stop listening to a player, and drop what was still to be sent."""
        for fd in (player.cell.read_fd, player.cell.write_fd):
            self._outboxes.pop(fd, None)
            if self._places.pop(fd, None) is not None:
                self._epoll.unregister(fd)

    def close(self) -> None:
        """Close the epoll; the players stay as they are."""
        self._epoll.close()

    def send(self, place: Place, player: Player, data: bytes) -> None:
        """Write what fits; the rest is sent when the pipe has room."""
        cell = player.cell
        if self._outboxes and cell.write_fd in self._outboxes:
            self._outboxes[cell.write_fd] += data
            return
        try:
            sent = cell.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            return  # nobody reads any more: the bot's silence, or the end of its output, will be judged
        if sent < len(data):
            self._outboxes[cell.write_fd] = data[sent:]
            self._places[cell.write_fd] = place
            self._epoll.register(cell.write_fd, select.EPOLLOUT)

    async def wait(self) -> None:
        """Wait until a player says something, or a full pipe has room."""
        await trio.lowlevel.wait_readable(self._epoll.fileno())

    def speaking(self) -> Iterator[Place]:
        """Yield the places whose players have said something; also send waiting bytes where there is room."""
        for fd, _ in self._epoll.poll(0):
            place = self._places.get(fd)  # None if it was closed a moment ago
            if place is not None and place.player is not None:
                if fd == place.player.cell.read_fd:
                    yield place
                else:
                    self._flush(place, place.player)

    def _flush(self, place: Place, player: Player) -> None:
        fd = player.cell.write_fd
        data = self._outboxes.pop(fd)
        del self._places[fd]
        self._epoll.unregister(fd)
        self.send(place, player, data)
