"""Confinement of strangers' programs: the tiers, what each one promises, and the proof that this machine keeps the promise.

Everything that starts, caps, freezes and ends programs belongs here. Nothing here knows about games, messages or matches.
"""
