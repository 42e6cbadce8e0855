"""How a stranger's program is confined: the tiers, what each promises, and the proof that this machine keeps it.

What may live here: everything that starts, limits, freezes and ends programs. Nothing here knows of games, messages or matches.
"""
