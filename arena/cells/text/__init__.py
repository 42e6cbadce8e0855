"""Untrusted text: lines as they arrive, bounded logs, and strangers' text made harmless."""
