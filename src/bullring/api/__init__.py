"""What `import bullring` offers, room by room: playing, records, ladders, ratings."""
