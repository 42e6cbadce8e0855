"""Who plays whom, and who sits where. Pure functions from standings and counts to line-ups."""
