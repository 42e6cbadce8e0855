"""The wire: what bots may send in any dialect and in any pieces, and that nothing they send does harm."""
