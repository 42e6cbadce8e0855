"""The games. Pure and synchronous, standard library only: no I/O, no clock, no global randomness (LAW 1).

Cards are handed in (`Game.deal`), answers are handed in (`Game.apply`), and a state is a value that never changes.
"""
