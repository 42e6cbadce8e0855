"""Starts threads until it is stopped. Bound: 300 threads, which wait three seconds at most."""

import threading

from hostile import escaped, held, only_in, play

only_in("docker", "bwrap")
threading.stack_size(65536)
enough, threads = threading.Event(), []
try:
    for _ in range(300):
        threads.append(threading.Thread(target=enough.wait, args=(3,), daemon=True))
        threads[-1].start()
except RuntimeError as error:
    held(f"{len(threads) - 1} threads, then: {error}")
else:
    escaped(f"{len(threads)} threads at once")
enough.set()
play()
