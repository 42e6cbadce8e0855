"""Players at the table: each one speaks the protocol through a cell. The referee knows nothing else about a player."""
