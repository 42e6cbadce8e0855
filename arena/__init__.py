"""The arena: games, seats, the referee, its records and what a person sees of them.

May import `protocol`; never `ladder` (ARCHITECTURE.md, the laws).
"""
