"""A person at the table.

`sitting.py` says who sits where and how they play, `invitation.py` and `opponents.py` settle it. `connected.py` is the
match as the process of its people sees it, `messages.py` what it hears, `client.py` a table at which all share a screen;
`sending.py` says how long a choice is held, and `plain.py` plays in lines of text.
`referee.py` is the program that plays the match, `match.py` the match in it; `feed.py` is the program that makes public frames of
the record. `unfinished.py` keeps matches that were left, `history.py` those that were finished.
"""
