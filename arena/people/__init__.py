"""A person at the table: the seat in the referee process, what the person's own process is told, and the matches that were left."""
