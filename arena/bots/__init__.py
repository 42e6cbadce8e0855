"""What a bot is before it runs: its folder, its manifest, its command line."""
