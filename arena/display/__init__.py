"""What people see of games and matches, in words and tables: `rich` is known here, and neither referee nor bots are."""
