"""What a bot is before it runs: its manifest, its program, and how people name it."""
