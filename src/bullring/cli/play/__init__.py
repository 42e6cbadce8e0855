"""Commands that play, show and explain matches."""
