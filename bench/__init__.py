"""Figures of speed, each measured beside its floor in the same run. Nothing of the arena imports this package."""
