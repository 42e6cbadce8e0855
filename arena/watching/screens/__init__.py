"""Full screens on a terminal, made with Textual: playing, watching, stepping through a match."""
