"""Bots to play against and to copy. Each folder with a `bot.toml` is a bot; see README.md."""
