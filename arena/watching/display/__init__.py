"""How people see games and matches, in words and tables. This room uses `rich` and knows neither referee nor bots."""
