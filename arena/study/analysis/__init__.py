"""The cost of each decision of a recorded match, by playouts. `docs/analysis.md` defines every number.

Here are the walk through a record (`questions`), the estimates (`estimate`: numbers only), what a result is made of (`parts`), the
whole (`analysing`, whose outcome is `facts`), where it is kept (`keeping`), and what is said about many matches (`habits`).
Nothing here plays, prints, or knows a game by name.
"""
