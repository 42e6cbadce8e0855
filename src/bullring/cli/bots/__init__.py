"""Commands for authors of bots, and the group `bullring bots`."""
