"""Two bots speak through the kernel's keyrings: one leaves a key, the other looks for it. Bound: a key in each ring."""

from hostile import TARGETS, escaped, held, name_of, pair, refused, syscall

RINGS = {"thread": -1, "process": -2, "session": -3, "user": -4, "user session": -5}
NAME = f"bullring {TARGETS['secret']}".encode()
SEARCH, UNLINK = 10, 9
keys = []


def add(ring):
    keys.append((syscall("add_key", b"user", NAME, b"1", 1, ring), ring))
    return keys[-1]


def tidy():
    for key, ring in keys:
        syscall("keyctl", UNLINK, key, ring)


def leave(turn):
    if turn == 1:
        for name, ring in RINGS.items():
            if ring < -2:
                refused(f"a key in the {name} ring", lambda ring=ring: add(ring))


def look(turn):
    if turn == 2:
        for name, ring in RINGS.items():
            try:
                key = syscall("keyctl", SEARCH, ring, b"user", NAME, 0)
            except OSError as error:
                held(f"a search of the {name} ring: {name_of(error)}")
            else:
                escaped(f"a key was found in the {name} ring: {key}")


pair(leave, look, over=tidy)
