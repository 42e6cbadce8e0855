"""A match, from the first question to the sealed record: clock, referee, seats, records, checking.

This wing may import `games`, `cells` and `settings`, and never `study` or `watching`: while a clock runs, nothing is analysed or
drawn. Begin with `play.py` (one whole match), `referee/turns.py` (a turn) and `records/writer.py` (the format of a record).
"""
