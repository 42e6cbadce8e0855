"""Who sits at the table: bots in processes. What the referee needs of a player is in `player`; it never needs to know more."""
