"""Tiers that are processes of this machine: bubblewrap, Landlock, or nothing."""
