"""The rules of each game in plain words, for people. Pure: it imports the games and the standard library, and does no I/O.

What the words say in figures comes from the games (`facts`), so it cannot be wrong of them.
"""
