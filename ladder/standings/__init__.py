"""The results of a list, told: standings, pace and conduct of the bots, the state of a duel."""
