"""A match, from the first question to the sealed record: clock, referee, seats, records, checking.

This wing may import `games`, `cells` and `settings`, and never `study` or `watching`: nothing is analysed or drawn while a
clock runs. Begin with `play.py` (a whole match), `referee/turns.py` (a turn) and `records/writer.py` (the record). Guests that
connect from elsewhere have their place beside `seats/guest.py`.
"""
