"""The Python API behind `import bullring`: playing, records, ladders, ratings."""
