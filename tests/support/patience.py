"""The time for which a test waits for something that must come: no busy machine fails it, and a hang is noticed all the same."""

PATIENCE = 600.0
"""Seconds."""
