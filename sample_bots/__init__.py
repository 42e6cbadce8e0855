"""Bots to play against and to copy; each folder with a `bot.toml` is one, and README.md says more."""
