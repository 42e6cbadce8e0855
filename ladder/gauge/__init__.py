"""How strong bots are against the house: one at each table, and the luck of the house's draws and of the deal subtracted."""
