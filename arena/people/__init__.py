"""A person at the table.

`sitting.py` says who sits where and how they play; `client.py` is the process of the person, and `news.py` what it hears.
`referee.py` is the program that plays the match, `table.py` the match in it, `seat.py` the seat of a person; `feed.py` is the
program that makes public frames of the record. `played.py` keeps matches that were left, `history.py` those that were finished.
"""
