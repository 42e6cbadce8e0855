"""The study of matches: analysis, house bots, hints.

It may import every wing but `watching`. Begin with `analysis/analyser.py` (what each decision cost), `house/luck.py` (how much of a
result was luck) and `hints/adviser.py` (what the strongest bot thinks of each option).
"""
