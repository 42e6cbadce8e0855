"""The lines to the players: sending never blocks, and all players are listened to together.

Their pipes are in one epoll, and trio waits for its descriptor.
"""

import select

import trio

from bullring.arena.match.referee.place import Place
from bullring.arena.match.seats.player import Player


class Lines:
    """The pipes of all players of the matches of a process."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._places: dict[int, Place] = {}
        """The place that each descriptor is read from."""
        self._full: dict[int, Place] = {}
        """The places whose pipes are full, by the descriptor to write to."""
        self._outboxes: dict[int, bytes] = {}
        """Bytes that did not fit into a pipe yet, by the descriptor to write them to."""

    def connect(self, place: Place, player: Player) -> None:
        """Listen to a player."""
        self._places[player.cell.read_fd] = place
        self._epoll.register(player.cell.read_fd, select.EPOLLIN)

    def disconnect(self, player: Player) -> None:
        """Stop listening to a player, and drop what was still to be sent."""
        cell = player.cell
        self._outboxes.pop(cell.write_fd, None)
        if self._places.pop(cell.read_fd, None) is not None:
            self._epoll.unregister(cell.read_fd)
        if self._full.pop(cell.write_fd, None) is not None:
            self._epoll.unregister(cell.write_fd)

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
            return  # the bot has closed its input: its silence, or the end of its output, will be judged
        if sent < len(data):
            self._outboxes[cell.write_fd] = data[sent:]
            self._full[cell.write_fd] = place
            self._epoll.register(cell.write_fd, select.EPOLLOUT)

    async def wait(self) -> None:
        """Wait until a player says something, or a full pipe has room."""
        await trio.lowlevel.wait_readable(self._epoll.fileno())

    def speaking(self, patience: float = 0.0) -> list[Place]:
        """The places whose players have said something, if need be within so many seconds, in which nothing else of this process
        runs; also send waiting bytes where there is room."""
        places, found = self._places, []
        for fd, _ in self._epoll.poll(patience):
            if fd in places:
                found.append(places[fd])
            else:
                self._flush(fd)
        return found

    def _flush(self, fd: int) -> None:
        data, place = self._outboxes.pop(fd), self._full.pop(fd)
        player = place.player
        assert player is not None
        self._epoll.unregister(fd)
        self.send(place, player, data)
