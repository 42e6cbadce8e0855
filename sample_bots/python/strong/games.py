"""The questions of each game, and a small one of each kind by which all kernels are compiled, or loaded if they are compiled."""

from typing import Any

import numpy as np
from chains import KINDS as CHAINS_KINDS
from chains import Chains
from rows import KINDS as ROWS_KINDS
from rows import Rows
from simulator import GAMES as ROWS_GAMES
from simulator.chance import streams

GAMES = {
    **dict.fromkeys(ROWS_GAMES, (ROWS_KINDS, Rows)),
    **{game: (kinds, Chains) for game, kinds in CHAINS_KINDS.items()},
}
"""By game, the kinds of its questions that are answered by playouts, and what makes them."""

_ROWS = {"rows": [[1], [2], [3], [4]], "row_heads": [1, 1, 1, 1], "piles": [[], []], "heads": [0, 0], "turn": 1}
_ENDS = {**_ROWS, "rows": [[10], [30], [50], [70]]}
_KNOWN = {"hand_sizes": [1, 1], "known": [[], []], "first": 0}
_SMALL: list[tuple[str, str, dict[str, Any], list[Any]]] = [
    ("standard", "card", {**_ROWS, "hand": [5], "turn": 10}, [5]),
    ("standard", "row", {**_ENDS, "hand": [80], "played": [[0, 5], [1, 90]]}, [1, 2]),
    ("professional", "side", {**_ENDS, "hand": [80], "played": [[0, 20], [1, 90]]}, [1, 2]),
    ("nifty", "cards", {**_ROWS, "hand": [5, 6]}, [[5, 6]]),
    ("hand", "card", {**_ROWS, **_KNOWN, "hand": [5], "taken": [], "fresh": [], "second": False}, [5]),
    ("eleven", "play", {**_KNOWN, "hand": [5], "stacks": [[4]], "laid": [], "bulls": [0, 0]}, [[5, 1], 1]),
]
"""Questions that need all kernels between them: a game, and the kind, view and options of the question."""


def warm_up(only: str = "") -> None:
    """Call each kernel once, so that none is loaded while the clock runs; or only the one that plays this game."""
    for game, kind, view, options in _SMALL:
        if only in ("", game):
            match = {"game": game, "options": {}, "seats": 2}
            _, question = GAMES[game]
            asked = question(match, kind, {"seat": 0, "played": [], **view}, options)
            asked.playouts(np.arange(len(options)), 1, streams(0, 0, 1))
