"""The study of matches and bots: analysis, house bots, hints, reasons.

This wing may import every other one but `watching`. Begin with `analysis/analyser.py` (the cost of each decision),
`house/luck.py` (the luck in a result), `branches/branch.py` (what if?), `hints/adviser.py` (the strongest bot's opinion of each
option) and `reasons.py` (what speaks for and against one). An exam of positions would be a room beside these.
"""
