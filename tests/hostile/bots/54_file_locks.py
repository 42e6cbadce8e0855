"""Two bots speak by locking files that both can see. Bound: a lock of each kind on each of five files, until the match is over."""

import fcntl
import os

from hostile import HERE, TARGETS, escaped, held, name_of, pair

LIBRARY = os.path.dirname(os.__file__)
FILES = ["/dev/null", f"{LIBRARY}/this.py", LIBRARY, str(HERE / "bot.py"), str(HERE)]
LEASE = 1024
opened = {}
KINDS = {
    "flock": lambda fd: fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB),
    "lockf": lambda fd: fcntl.lockf(fd, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 7),
    "lease": lambda fd: fcntl.fcntl(fd, LEASE, fcntl.F_RDLCK),
}


def lock(name):
    """The result of each kind of lock on each file."""
    for path in FILES:
        try:
            opened[path] = opened.get(path) or os.open(path, os.O_RDONLY)
        except OSError as error:
            yield path, error
            continue
        for kind, take in KINDS.items():
            try:
                take(opened[path])
            except OSError as error:
                yield f"{kind} {path}", error
            else:
                yield f"{kind} {path}", None


def send(turn):
    if turn == 1:
        got = [name for name, error in lock("sender") if error is None]
        held(f"locks that may be had: {got}") if not got else None


def receive(turn):
    if turn == 2:
        for name, error in lock("receiver"):
            # "Again" says that somebody else has it: that is the word that was sent.
            seen = isinstance(error, BlockingIOError)
            (escaped if seen else held)(f"{name}: {name_of(error) if error else 'free'}")


held(f"aims at {len(FILES)} files in {TARGETS['tier']}")
pair(send, receive)
