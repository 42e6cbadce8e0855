"""Displays of a ladder."""
