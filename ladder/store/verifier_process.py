"""A process that verifies records: takes the places of some on stdin, and answers with what is in them on stdout, both pickled.

It ends with its stdin, so it does not outlive whoever has started it.
"""

import gc
import pickle
import sys

from bullring.ladder.store.verifier import look


def main() -> None:
    """Take orders until there are no more."""
    gc.freeze()
    try:
        terms = pickle.load(sys.stdin.buffer)
        while True:
            order = pickle.load(sys.stdin.buffer)
            pickle.dump(list(look(order, terms)), sys.stdout.buffer)
            sys.stdout.flush()
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        pass


if __name__ == "__main__":
    main()
