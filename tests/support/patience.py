"""How long a test waits for what must come: so long that no busy machine fails it, and what hangs is noticed all the same."""

PATIENCE = 600.0
"""Seconds."""
