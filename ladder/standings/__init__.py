"""What the results of a list tell: standings, pace and conduct of the bots, the state of a duel."""
