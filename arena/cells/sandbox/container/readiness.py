"""A descriptor that tells what another one cannot."""

import os
import select


class Readiness:
    """A descriptor that is readable while it rings, and, as long as it listens, while the other one is."""

    def __init__(self, other: int) -> None:
        self._other = other
        self._epoll = select.epoll()
        self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._epoll.register(self._bell, select.EPOLLIN)
        self._epoll.register(other, select.EPOLLIN)
        self._rings, self._listens = False, True
        self.fd = self._epoll.fileno()

    def set(self, *, rings: bool, listens: bool) -> None:
        if rings != self._rings:
            self._rings = rings
            if rings:
                os.eventfd_write(self._bell, 1)
            else:
                os.eventfd_read(self._bell)
        if listens != self._listens:
            self._listens = listens
            if listens:
                self._epoll.register(self._other, select.EPOLLIN)
            else:
                self._epoll.unregister(self._other)

    def close(self) -> None:
        self._epoll.close()
        os.close(self._bell)
