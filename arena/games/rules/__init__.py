"""The games: pure and synchronous, standard library only, without I/O, clocks or global randomness (law 1).

The caller passes in the cards (`Game.deal`) and the answers (`Game.apply`). A state is a value that never changes.
"""
