"""Fuzzing, guided by coverage. Not collected by pytest: see `make fuzz`."""
