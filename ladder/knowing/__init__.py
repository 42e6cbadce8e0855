"""What the results of a list tell: standings, the conduct of the bots, the state of a duel."""
