"""The cost of each decision of a recorded match, by playouts. `docs/analysis.md` defines every number.

Here are the walk through a record (`questions`), the estimates (`estimate`: numbers only), the whole (`analyser`,
whose outcome is a `result`), its files (`kept`), and summaries of many matches (`habits`).
Nothing here plays, prints, or knows a game by name.
"""
