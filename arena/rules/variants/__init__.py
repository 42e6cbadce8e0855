"""One short file for each game. A new one needs its file here and a line in `arena.rules.registry`."""
