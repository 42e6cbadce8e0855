"""The home of a ladder: copies of the bots, the store of results, and the records of all matches."""
