"""Games and matches in words and tables. This room uses `rich` and knows neither referee nor bots.

`tabletop` draws a frame from `seats`, `board`, `cards` and `animation`, `playing` the same for players; `transcript` tells a match
as text; `columns` declares columns of tables. The other files are named by what they show.
"""
