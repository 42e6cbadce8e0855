"""The study of matches and bots: analysis, house bots, hints.

This wing may import every other one but `watching`. Begin with `analysis/analyser.py` (the cost of each decision),
`house/luck.py` (the luck in a result) and `hints/adviser.py` (the strongest bot's opinion of each option). An exam of positions
would be a room beside these.
"""
