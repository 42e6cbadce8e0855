"""Everything that people see of games and matches, and people at the table.

This wing may import every other one, but rooms that draw know neither referee nor seats: they draw frames, in which nothing is
hidden from the table. Begin with `picture/reducer.py` (entries of a record to frames), and go on to `display` (text and
tables), `screens` (Textual), `page` (HTML) or `people` (a person's table, whose match is played by a process of its own).
"""
