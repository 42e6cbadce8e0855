"""The settings of an arena: time limits, caps and tiers, from defaults, a TOML file and the command line.

This wing may import `cells`. Begin with `settings.py` (the values), `file.py` (the models of the file, which document it) and
`load.py`.
"""
