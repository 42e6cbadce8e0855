"""The table at which a person plays: what can be chosen, the hand, the words, the screen."""
