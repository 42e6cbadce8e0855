"""The games: worked examples, laws that every game of the registry keeps, and golden matches."""
