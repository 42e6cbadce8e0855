"""The settings of an arena: time limits, caps and tiers, from the defaults, a TOML file and the command line.

It may import `cells`. Begin with `settings.py` (the values), `file.py` (the file, as models that document it) and `load.py`.
"""
