"""The cost of each decision of a recorded match, by playouts. `docs/analysis.md` defines every number.

Here are the walk through a record (`questions`), the estimates (`estimate`: numbers only), the whole (`analyser`,
whose outcome is a `result`), its files (`kept`), and summaries of many matches (`habits`).
Nothing here plays, prints, or knows a game by name.
"""

POLICIES = ("random", "cheapest", "greedy", "noisy", "trained", "sharp")
"""The names of the policies of `arena.games.playouts`, whose import takes time; a test holds the two equal."""

POLICY, ERROR, PLAYOUTS, ENGINE_PLAYOUTS = "trained", 0.4, 4096, 600
"""Defaults of `result.Method`."""
