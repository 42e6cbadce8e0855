"""What a ladder keeps: its home with the bots, the store, and the records of all matches."""
