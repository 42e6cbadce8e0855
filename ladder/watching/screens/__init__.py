"""Full screens of a ladder, made with Textual: its standings, and the tables being played."""
