"""What is known of the bots of a list: their standings, how they conduct themselves, the state of a duel."""
