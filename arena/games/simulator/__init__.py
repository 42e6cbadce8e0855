"""A simulator of deals for research, analysis and bots: many thousand deals a second, with the results of the rules engine.

=========== ==================================================================================================================
whole deals `play`: the heads of a batch of deals; `histories`: the same with everything that happened
playouts    `position` reads what a seat is told, `playouts` plays its options to the end of the deal, with hidden cards drawn anew
training    `Tables`: deals side by side, stepped by arrays of cards
chains      hand, nifty, eleven and drafts, whose moves are chains of choices: the module `chains`
policies    `POLICIES` by name; the module `policies` says what they do
=========== ==================================================================================================================

>>> from bullring.arena.games.simulator import play
>>> play("standard", 4, {}, ["greedy", "random", "random", "random"], deals=10_000, seed=1).mean(axis=0).round(1)
array([ 8.2, 13.6, 13.6, 13.7])

numba (``pip install bullring[fast]``) compiles it; without numba it is a few hundred times slower, and `COMPILED` is false. All
random numbers come from the seed. Results are the same compiled or not, and in any number of threads: kernels run without the
interpreter's lock.

This folder imports nothing but numpy, numba and itself, so that a bot can carry a copy. ``python -m
bullring.arena.games.simulator`` compiles everything beforehand; `jit` says where compiled functions are kept.
"""

from .batches import Tables
from .deals import Histories, histories, play
from .games import GAMES, POLICIES, Uncovered
from .jit import COMPILED
from .playouts import playouts
from .positions import Position, position

__all__ = [
    "COMPILED",
    "GAMES",
    "POLICIES",
    "Histories",
    "Position",
    "Tables",
    "Uncovered",
    "histories",
    "play",
    "playouts",
    "position",
]
