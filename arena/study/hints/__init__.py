"""Hints: what the strongest built-in bot thinks of each option of a decision, for the person who has to make it.

A bot is given what the seat was told (its welcome and its question) and nothing else, so a hint knows no more than the person
could. `adviser` is what a screen uses; it starts `process` as a program of its own, which keeps bots running and asks them through
the `thoughts.py` in their folders.
"""
