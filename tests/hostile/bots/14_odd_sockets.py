"""Opens sockets that lead into the kernel: netlink, packets, crypto, and some that nobody has used for years. Bound: one each."""

import socket

from hostile import play, refused

FAMILIES = {
    "netlink": (16, socket.SOCK_RAW, 0),
    "packet": (17, socket.SOCK_RAW, 0x300),
    "alg": (38, socket.SOCK_SEQPACKET, 0),
}
FAMILIES |= {"bluetooth": (31, socket.SOCK_RAW, 1), "can": (29, socket.SOCK_RAW, 1), "xdp": (44, socket.SOCK_RAW, 0)}
FAMILIES |= {"raw": (socket.AF_INET, socket.SOCK_RAW, 1)}

for name, (family, kind, protocol) in FAMILIES.items():
    refused(
        f"a socket of {name}", lambda family=family, kind=kind, protocol=protocol: socket.socket(family, kind, protocol)
    )
play()
