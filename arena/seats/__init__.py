"""Who sits at the table: a session of the wire, spoken through a cell. The referee needs to know no more of a player."""
