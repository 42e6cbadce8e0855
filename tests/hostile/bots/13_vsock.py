"""Opens a socket to the hypervisor, which no network namespace holds. It calls nobody. Bound: one socket."""

import socket

from hostile import play, refused

refused("a vsock", lambda: socket.socket(40, socket.SOCK_STREAM))
play()
