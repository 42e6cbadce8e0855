"""One short file for each game. A new game needs a file here and a line in `arena.games.rules.registry`."""
