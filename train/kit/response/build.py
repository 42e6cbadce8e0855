"""Compile the kernels once, into the folder that the bot plays from."""

import sys
from importlib.util import find_spec

if find_spec("numba") is None:  # without it the kernels would run as they are, a few hundred times slower
    sys.exit("this bot needs numba, which comes with the extra fast of bullring: pip install 'bullring[fast]'")

import kernels  # noqa: F401  # before numba, which reads its settings once
import numpy as np
from simulator import playouts, position

VIEW = {
    "seat": 0,
    "turn": 10,
    "hand": [5],
    "rows": [[1], [2], [3], [4]],
    "row_heads": [1] * 4,
    "played": [],
    "piles": [[], []],
}

playouts(position("standard", {}, 2, VIEW, "card"), [5], "random", 1, 1, weights=np.zeros(0))
