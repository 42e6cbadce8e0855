"""The suites that must hold for everybody: as root and as an ordinary user, on an idle machine and on a busy one.

`python -m tests.everyone` plays them. `load` keeps the machine busy, `person` makes the ordinary user.
"""
