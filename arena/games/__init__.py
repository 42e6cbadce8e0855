"""The games: rules, texts, the rulebook, a fast simulator, and playouts.

Nothing in this wing imports anything of Bullring but the tree of errors and the wing itself, and `rules` imports the standard
library only. Everything else builds on it. Begin with `rules/game.py` (what every game is) and `rules/registry.py` (the list).
`texts` holds what games, tables, pages and the site say, as data: a folder for each language.
"""
