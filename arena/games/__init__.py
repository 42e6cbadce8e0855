"""The games: rules, texts, the rulebook, a fast simulator, and playouts.

This wing imports nothing else of Bullring, and `rules` imports the standard library only. Begin with
`rules/game.py` (the interface of every game) and `rules/registry.py` (the list of games, and how to add one). The folder
`texts` holds everything that is said to people, as data: a folder for each language.
"""
