"""Bots before they run: the manifest, the program, and the ways to name a bot."""
