"""Two bots speak by taking a port of the hypervisor's socket, which is then taken for everybody. Bound: one port."""

import socket

from hostile import escaped, held, name_of, pair

PORT = 0x62756C6C
kept = []


def take(turn):
    try:
        port = socket.socket(40, socket.SOCK_STREAM)
        kept.append(port)
        port.bind((0xFFFFFFFF, PORT))
    except OSError as error:
        held(f"a vsock port: {name_of(error)}")
    else:
        escaped("a vsock port was had")


pair(lambda turn: turn == 1 and take(turn), lambda turn: turn == 2 and take(turn))
