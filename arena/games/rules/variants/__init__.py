"""One short file for each game. `arena.games.rules.registry` says how to add one."""
