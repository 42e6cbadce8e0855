"""The arena: games, seats, the referee, records, and how people see them.

May import `protocol`, but never `ladder` (ARCHITECTURE.md, the laws).
"""
