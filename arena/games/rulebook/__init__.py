"""The rules of each game in plain words, for people. Pure: imports only the games and the standard library; no I/O.

All figures in the text come from the games (`Game.figures`), so the text cannot contradict them.
"""
