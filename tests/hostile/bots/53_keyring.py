"""Two bots speak through the kernel's keyrings: one leaves a key, the other looks for it. Bound: a key in each ring."""

from hostile import TARGETS, escaped, held, name_of, pair, refused, syscall

RINGS = {"thread": -1, "process": -2, "session": -3, "user": -4, "user session": -5}
NAME = f"bullring {TARGETS['secret']}".encode()
SEARCH, UNLINK = 10, 9


def leave(turn):
    if turn == 1:
        for name, ring in RINGS.items():
            if ring < -2:
                refused(f"a key in the {name} ring", lambda ring=ring: syscall("add_key", b"user", NAME, b"1", 1, ring))


def look(turn):
    if turn == 2:
        for name, ring in RINGS.items():
            try:
                key = syscall("keyctl", SEARCH, ring, b"user", NAME, 0)
            except OSError as error:
                held(f"a search of the {name} ring: {name_of(error)}")
            else:
                escaped(f"a key was found in the {name} ring: {key}")
                syscall("keyctl", UNLINK, key, ring)


pair(leave, look)
