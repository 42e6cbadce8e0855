"""Compile the kernels once, into the folder that the bot plays from."""

import sys

import kernels  # noqa: F401  # before numba, which reads its settings once

try:
    import numba  # noqa: F401  # without it the kernels would run as they are, a few hundred times slower
except ImportError:
    sys.exit("the bot strong needs numba, which comes with the extra fast of bullring: pip install 'bullring[fast]'")

from games import warm_up

if __name__ == "__main__":
    warm_up()
