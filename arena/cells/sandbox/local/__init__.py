"""Tiers whose bots are processes of this machine: bubblewrap, Landlock, or no confinement."""
