"""The home of a ladder: copies of the bots, the store, and the records of all matches."""
