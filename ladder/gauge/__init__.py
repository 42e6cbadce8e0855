"""The strength of bots against the house: one bot at each table, with the luck of the house's draws and of the deal subtracted."""
