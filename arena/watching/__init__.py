"""Whatever people see of games and matches: the picture, text and `rich` tables, full screens, the page, playing at a terminal.

It may import every other wing, but what draws knows neither referee nor seats. Everything is drawn from frames: begin with
`picture/reducer.py` (entries of a record to frames), then `display` (text and tables), `screens` (Textual), `page` (HTML) or
`people` (a person at the table, whose match a process of its own plays).
"""
