"""What if another option had been chosen? A moment of a match is played on by the house.

`branch` plays on once, and gives a record to step through; `process` plays on many times, for a number with its error.
"""
